import type { Json } from "@tripline/contract/json";
import { encodeQueryText } from "@tripline/contract/query-text";
import { formatJson } from "@tripline/engine/expressions/text-size";
import type { Meter } from "@tripline/engine/meter";

type Pair = [name: string, value: string];

/** Null is omitted, a list repeats the name, nested values are written as JSON. */
export function toQueryPairs(values: Readonly<Record<string, Json>>, meter: Meter): Pair[] {
	const all: Pair[] = [];
	for (const [name, value] of Object.entries(values))
		for (const one of Array.isArray(value) ? value : [value]) {
			if (one === null) continue;
			const text = typeof one === "object" ? formatJson(one, `the query's ${name}`, meter) : String(one);
			spendOnPair(name, text, meter);
			all.push([name, text]);
		}
	return all;
}

/** Accounts for creating, encoding and joining the pair. */
export function spendOnPair(name: string, value: string, meter: Meter): void {
	meter.spend(24 + (name.length + value.length) / 2);
}

/** Appends to the query; existing parameters keep their order and spelling. */
export function addQuery(url: URL, values: readonly (readonly [name: string, value: string])[]): void {
	if (values.length === 0) return;
	const added = values.map(([name, value]) => `${encodeQueryText(name)}=${encodeQueryText(value)}`).join("&");
	url.search = url.search === "" ? added : `${url.search}&${added}`;
}

/** Like `addQuery`, but replaces existing parameters of the same names. */
export function setQuery(url: URL, values: readonly (readonly [name: string, value: string])[]): void {
	const names = new Set(values.map(([name]) => name));
	const kept = url.search.slice(1).split("&");
	url.search = kept.filter((pair) => pair !== "" && !names.has(decodeName(pair))).join("&");
	addQuery(url, values);
}

/** Encodes one path segment; colons and similar characters need no encoding. */
export const encodePathSegment = (text: string): string =>
	encodeURIComponent(text.toWellFormed()).replace(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, decodeURIComponent);

const decodeName = (pair: string): string => [...new URLSearchParams(pair).keys()][0] ?? "";
