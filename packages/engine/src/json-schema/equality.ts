import type { Json } from "@tripline/contract/json";
import { type Meter, TooMuchWork } from "../meter.ts";
import { listNames } from "./names.ts";

/** A set of values with JSON Schema equality: the order of an object's properties does not matter. */
export class ValueSet {
	readonly #scalars = new Set<Json>();
	readonly #texts = new Set<string>();

	get size(): number {
		return this.#scalars.size + this.#texts.size;
	}

	add(value: Json, meter: Meter): void {
		// Includes the cost of rehashing as the table grows.
		meter.spend(5 * countUnits(value));
		if (isScalar(value)) this.#scalars.add(value);
		else this.#texts.add(toCanonical(value, meter));
	}

	has(value: Json, meter: Meter): boolean {
		meter.spend(countUnits(value));
		if (isScalar(value)) return this.#scalars.has(value);
		return this.#texts.size > 0 && this.#texts.has(toCanonical(value, meter));
	}
}

/** A lookup hashes the whole string. */
const countUnits = (value: Json): number =>
	typeof value === "string" ? 1.5 + value.length / 32 : isScalar(value) ? 1 : 3;

/** Each value is serialised. */
const VALUE_UNITS = 5;
const CHARACTERS_PER_UNIT = 16;
/** Request bodies nest less; this protects the stack from computed values. */
const MAX_DEPTH = 500;

const isScalar = (value: Json): boolean => typeof value !== "object" || value === null;

/** The same text for equal values, and only for those. */
const toCanonical = (value: Json, meter: Meter): string => JSON.stringify(sortKeys(value, meter, 0));

/** The value with all properties sorted; the value itself if they already are. */
function sortKeys(value: Json, meter: Meter, depth: number): Json {
	meter.spend(VALUE_UNITS + (typeof value === "string" ? value.length / CHARACTERS_PER_UNIT : 0));
	if (typeof value !== "object" || value === null) return value;
	if (depth > MAX_DEPTH) throw new TooMuchWork(`nests deeper than ${MAX_DEPTH} levels`);
	if (Array.isArray(value)) {
		const list = value.map((one) => sortKeys(one, meter, depth + 1));
		return list.every((one, index) => one === value[index]) ? value : list;
	}
	const names = listNames(value, meter);
	const parts = names.map((name) => {
		meter.spend(name.length / CHARACTERS_PER_UNIT);
		return sortKeys(value[name] as Json, meter, depth + 1);
	});
	const isOrdered = (name: string, index: number) =>
		parts[index] === value[name] && (index === 0 || (names[index - 1] as string) < name);
	if (names.every(isOrdered)) return value;
	meter.spend(2 * names.length * Math.log2(names.length + 1));
	const entries = names.map((name, index): [string, Json] => [name, parts[index] as Json]);
	return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
