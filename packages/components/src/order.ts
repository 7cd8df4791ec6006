import type { Json } from "@tripline/contract/json";
import { describeType } from "@tripline/engine/issues";
import { TerminalError } from "@tripline/engine/terminal-error";

/** A value that can be ordered. */
export type Key = number | string | boolean | null;

export function toKey(name: string, value: Json): Key {
	if (value === null || typeof value !== "object") return value;
	throw new TerminalError(`${name} must be a number, text, true, false or null, not ${describeType(value)}`);
}

/** Numbers, then text, then false and true; null is last in both directions. Text compares by code unit, not by locale. */
export function compareKeys(a: Key, b: Key, sign: 1 | -1): number {
	if (a === null || b === null) return Number(a === null) - Number(b === null);
	if (typeof a !== typeof b) return sign * (getRank(a) - getRank(b));
	return a === b ? 0 : a < b ? -sign : sign;
}

/** The most characters that a comparison of the two may read. */
export const countComparedText = (a: Key, b: Key): number =>
	typeof a === "string" && typeof b === "string" ? Math.min(a.length, b.length) : 0;

const RANKS = { number: 0, string: 1, boolean: 2 };
const getRank = (key: number | string | boolean): number => RANKS[typeof key as keyof typeof RANKS];
