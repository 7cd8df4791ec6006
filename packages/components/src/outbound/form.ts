import type { Json } from "@tripline/contract/json";
import type { Meter } from "@tripline/engine/meter";
import { spendOnPair } from "./query.ts";

/**
 * A form's names and values. Null is omitted, a list of plain values repeats its name, and nested values use brackets,
 * as Stripe and others expect: `metadata[order]`, `items[0][price]`.
 */
export const toFormPairs = (
	fields: Readonly<Record<string, Json>>,
	meter: Meter,
): [name: string, value: string][] =>
	Object.entries(fields).flatMap(([name, value]) => toPairs(name, value, meter));

function toPairs(name: string, value: Json, meter: Meter): [string, string][] {
	if (value === null) return [];
	const text = typeof value === "object" ? "" : String(value);
	spendOnPair(name, text, meter);
	if (typeof value !== "object") return [[name, text]];
	if (!Array.isArray(value))
		return Object.entries(value).flatMap(([key, inner]) => toPairs(`${name}[${key}]`, inner, meter));
	const isPlain = value.every((inner) => typeof inner !== "object" || inner === null);
	return value.flatMap((inner, index) => toPairs(isPlain ? name : `${name}[${index}]`, inner, meter));
}
