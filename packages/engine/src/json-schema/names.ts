import type { JsonObject } from "@tripline/contract/workflows";
import type { Meter } from "../meter.ts";

/** The engine stores objects with more properties as hash tables, which are slower. */
const MAX_FAST_NAMES = 100;

const countUnits = (names: number): number => (names > MAX_FAST_NAMES ? names * 8 : names);

export function listNames(object: JsonObject, meter: Meter): string[] {
	const names = Object.keys(object);
	meter.spend(countUnits(names.length));
	return names;
}

export function copyObject(object: JsonObject, meter: Meter): JsonObject {
	meter.spend(2 * countUnits(Object.keys(object).length));
	return { ...object };
}
