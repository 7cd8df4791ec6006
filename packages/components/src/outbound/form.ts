import type { Json } from "@tripline/contract/json";

/**
 * A form's names and values. Null is left out, a list of plain values gives its name several times, and what nests has
 * brackets, as Stripe and others read it: `metadata[order]`, `items[0][price]`.
 */
export const formPairs = (fields: Readonly<Record<string, Json>>): [name: string, value: string][] =>
	Object.entries(fields).flatMap(([name, value]) => pairsOf(name, value));

function pairsOf(name: string, value: Json): [string, string][] {
	if (value === null) return [];
	if (typeof value !== "object") return [[name, String(value)]];
	if (!Array.isArray(value))
		return Object.entries(value).flatMap(([key, inner]) => pairsOf(`${name}[${key}]`, inner));
	const isPlain = value.every((inner) => typeof inner !== "object" || inner === null);
	return value.flatMap((inner, index) => pairsOf(isPlain ? name : `${name}[${index}]`, inner));
}
