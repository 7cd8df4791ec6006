import type { Json } from "@tripline/contract/json";
import type { JsonObject, Poll } from "@tripline/contract/workflows";
import { describeMissing, readValueAt } from "@tripline/engine/expressions/value-path";
import { describeType } from "@tripline/engine/issues";
import * as z from "zod";

/** Items that are remembered, and that one poll may return. */
const MAX_REMEMBERED = 10_000;
const MINUTE_MS = 60_000;
const MAX_BACKOFF_MINUTES = 60;

/** What is known from the polls before. */
export const PollState = z.strictObject({
	/** Changes with the workflow and with what it polls: then the next poll is a first one. */
	fingerprint: z.string(),
	/** ISO 8601: the first poll that did not fail; null before. */
	since: z.string().nullable(),
	/** Polls that failed since the last one that did not. */
	failures: z.int(),
	/** Of the last poll, if it failed. */
	error: z.string().nullable(),
	/** ISO 8601: after failures, occurrences before this time are passed over. */
	retry_at: z.string().nullable(),
	/** Hashes of keys, the most recently seen first. */
	seen: z.array(z.string()),
});
export type PollState = z.infer<typeof PollState>;

export interface PolledItem {
	readonly key: string;
	readonly input: JsonObject;
}

/** The items of a poll's output, oldest first, each key once; or what is wrong with them. */
export function readPolledItems(
	output: Json,
	{ operation, items: path, key, order }: Poll,
): readonly PolledItem[] | { readonly problem: string } {
	const place = path ?? (operation === "http_request" ? "data" : undefined);
	const list = place === undefined ? output : readValueAt(output, place);
	if (!Array.isArray(list)) return { problem: describeNoList(output, list, place) };
	if (list.length > MAX_REMEMBERED)
		return { problem: `the list has ${list.length} items, but at most ${MAX_REMEMBERED} can be remembered` };
	const found = new Map<string, PolledItem>();
	for (const [index, input] of list.entries()) {
		if (!isObject(input))
			return { problem: `item ${index} must be an object, but is ${describeType(input)}` };
		const value = readValueAt(input, key);
		if (value === undefined) return { problem: `item ${index} has no ${describeMissing(input, key)}` };
		if (typeof value !== "string" && typeof value !== "number")
			return { problem: `${key} of item ${index} must be text or a number, but is ${describeType(value)}` };
		const text = String(value);
		if (!found.has(text)) found.set(text, { key: text, input });
	}
	const items = [...found.values()];
	return order === "oldest_first" ? items : items.reverse();
}

function describeNoList(output: Json, list: Json | undefined, place: string | undefined): string {
	const hint = "set items to the path of the list";
	if (place === undefined)
		return `the operation must return a list, but returned ${describeType(output)}: ${hint}`;
	if (list === undefined) return `the output has no ${describeMissing(output, place)}: ${hint}`;
	return `${place} must be a list, but is ${describeType(list)}: ${hint}`;
}

/** The seen hashes, newest first, after a poll that listed `listed`, the oldest first. */
export function remember(seen: readonly string[], listed: readonly string[]): string[] {
	return [...new Set([...listed.toReversed(), ...seen])].slice(0, MAX_REMEMBERED);
}

/** Doubles with each failure in a row, from a minute to an hour. */
export const computeRetryAt = (occurrence: number, failures: number): number =>
	occurrence + Math.min(2 ** (failures - 1), MAX_BACKOFF_MINUTES) * MINUTE_MS;

const isObject = (value: Json): value is JsonObject =>
	typeof value === "object" && value !== null && !Array.isArray(value);
