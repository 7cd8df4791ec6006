import type { JsonObject } from "@tripline/contract/workflows";
import type { Meter } from "../meter.ts";

/** The engine stores objects with more properties as hash tables, which are slower. */
const MAX_FAST = 100;

const unitsFor = (names: number): number => (names > MAX_FAST ? names * 8 : names);

export function namesOf(object: JsonObject, meter: Meter): string[] {
	const names = Object.keys(object);
	meter.spend(unitsFor(names.length));
	return names;
}

export function copyOf(object: JsonObject, meter: Meter): JsonObject {
	meter.spend(2 * unitsFor(Object.keys(object).length));
	return { ...object };
}
