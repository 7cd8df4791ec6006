import { type Json, MAX_JSON_DEPTH } from "@tripline/contract/json";
import { joinPath } from "@tripline/engine/expressions/path";
import { createMeasure, isTooDeep, listKeys, measureText } from "./json-size.ts";

/** A truncated part, by the path that `select` takes. */
export interface Omitted {
	readonly path: string;
	readonly kind: "text" | "list" | "object";
	/** Characters, elements or keys. */
	readonly kept: number;
	readonly total: number;
}

export interface Fitted {
	readonly value: Json;
	readonly truncated: boolean;
	/** The size of the whole value as JSON. */
	readonly total_chars: number;
	/** The first truncated parts. */
	readonly omitted: readonly Omitted[];
}

/** Any value fits into this many characters, if only as a marker. */
export const MIN_BUDGET = 64;
/** Reserved for the marker that says how many more there are. */
const MARKER_LENGTH = 32;
const MAX_OMITTED = 20;
const MAX_PATH_LENGTH = 300;

export const fit = (whole: Json, maxChars: number, at = ROOT): Fitted => createFitter(whole, at)(maxChars);

/**
 * Shortens the value to at most `maxChars` characters of JSON, at least `MIN_BUDGET`. Texts are cut, lists keep their
 * first elements, objects divide the room among their keys; a marker stands where something is missing. `at` says where
 * the value comes from: its path, and the index of its first element. The whole value is measured only once.
 */
export function createFitter(whole: Json, at: { path: string; first: number }): (maxChars: number) => Fitted {
	const leftOut: Omitted[] = [];
	const isPruned = isTooDeep(whole);
	const shallow = isPruned ? prune(whole, 0, at.path, leftOut) : whole;
	const total_chars = JSON.stringify(shallow).length;
	let measured = 0;
	let measure: (value: Json) => number;
	return (maxChars) => {
		if (!isPruned && total_chars <= maxChars)
			return { value: whole, truncated: false, total_chars, omitted: [] };
		if (maxChars > measured) {
			measure = createMeasure(maxChars);
			measured = maxChars;
		}
		const omitted = [...leftOut];
		const value = shortenTo(maxChars, shallow, at, { measure, omitted });
		return { value, truncated: true, total_chars, omitted };
	};
}

function shortenTo(
	maxChars: number,
	whole: Json,
	at: { path: string; first: number },
	{ measure, omitted }: { measure: (value: Json) => number; omitted: Omitted[] },
): Json {
	return fitWithin(whole, maxChars, at.path, at.first);

	/** `room` is at least `MIN_BUDGET`, or as much as the value needs. */
	function fitWithin(value: Json, room: number, path: string, first = 0): Json {
		if (measure(value) <= room) return value;
		if (typeof value === "string") return text(value, room, path);
		if (Array.isArray(value)) return list(value, room, path, first);
		return typeof value === "object" && value !== null ? object(value, room, path) : value;
	}

	function text(value: string, room: number, path: string): string {
		const mark = (kept: number) => `… [${kept} of ${value.length} characters]`;
		const kept = takeBeginning(value, room - mark(value.length).length);
		note(path, "text", kept.length, value.length);
		return kept + mark(kept.length);
	}

	function list(values: Json[], room: number, path: string, first: number): Json {
		const kept: Json[] = [];
		let left = room - 2 - MARKER_LENGTH;
		for (const value of values) {
			const cost = measure(value) + 1;
			if (cost > left) break;
			kept.push(value);
			left -= cost;
		}
		if (kept.length === 0 && left > MIN_BUDGET)
			kept.push(fitWithin(values[0] as Json, left - 1, `${path}[${first}]`));
		if (kept.length === values.length) return kept;
		note(path, "list", kept.length, values.length);
		return kept.length === 0 ? describeGap(values) : [...kept, `… ${values.length - kept.length} more`];
	}

	function object(value: { [key: string]: Json }, room: number, path: string): Json {
		const keys = listKeys(value);
		let left = room - 2 - MARKER_LENGTH;
		const shares: { readonly key: string; readonly wants: number; room: number }[] = [];
		for (const key of keys) {
			const size = measure(value[key] as Json);
			const least = Math.min(size, MIN_BUDGET);
			const cost = measureText(key) + 2 + least;
			if (cost > left) break;
			left -= cost;
			shares.push({ key, wants: size - least, room: least });
		}
		// Small values get what they need; the others share the rest.
		const bySize = shares.toSorted((one, other) => one.wants - other.wants);
		for (const [place, share] of bySize.entries()) {
			const given = Math.min(share.wants, Math.floor(left / (bySize.length - place)));
			share.room += given;
			left -= given;
		}
		const kept = shares.map(({ key, room }): [string, Json] => [
			key,
			fitWithin(value[key] as Json, room, joinPath(path, key)),
		]);
		if (kept.length === keys.length) return Object.fromEntries(kept);
		note(path, "object", kept.length, keys.length);
		if (kept.length === 0) return describeGap(value);
		return Object.fromEntries([...kept, ["…", `${keys.length - kept.length} more keys`]]);
	}

	function note(path: string, kind: Omitted["kind"], kept: number, total: number): void {
		addOmitted(omitted, { path, kind, kept, total });
	}
}

/** Replaces everything below the maximum depth by a marker. */
function prune(value: Json, depth: number, path: string, omitted: Omitted[]): Json {
	if (typeof value !== "object" || value === null) return value;
	if (depth >= MAX_JSON_DEPTH) {
		addOmitted(omitted, { path, kind: classify(value), kept: 0, total: listKeys(value).length });
		return describeGap(value);
	}
	const inner = (each: Json, key: string | number) => prune(each, depth + 1, joinPath(path, key), omitted);
	if (Array.isArray(value)) return value.map(inner);
	return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inner(each, key)]));
}

function addOmitted(omitted: Omitted[], one: Omitted): void {
	if (omitted.length < MAX_OMITTED && one.path.length <= MAX_PATH_LENGTH) omitted.push(one);
}

const ROOT = { path: "", first: 0 };

/**
 * Builds an answer with at most `maxChars` characters of JSON: `build` gets the room for the part that can be
 * shortened. The rest of the answer must be short.
 */
export function buildWithin<Answer extends object>(
	maxChars: number,
	build: (room: number) => Answer,
): Answer {
	for (let room = maxChars; ; ) {
		const answer = build(room);
		const excess = JSON.stringify(answer).length - maxChars;
		if (excess <= 0 || room === MIN_BUDGET) return answer;
		room = Math.max(MIN_BUDGET, room - excess);
	}
}

/** The longest prefix that takes at most `room` characters as JSON, quotes included. No character is split. */
export function takeBeginning(text: string, room: number): string {
	if (text.length <= room && measureText(text) <= room) return text;
	let least = 0;
	let most = Math.min(text.length, Math.max(0, room));
	while (least < most) {
		const middle = Math.ceil((least + most) / 2);
		if (measureText(cutAt(text, middle)) <= room) least = middle;
		else most = middle - 1;
	}
	return cutAt(text, least);
}

/** Cuts a text to at most `most` characters as JSON, without the quotes, and marks the cut with an ellipsis. */
export const shorten = (text: string, most: number): string =>
	text.length <= most && measureText(text) <= most + 2 ? text : `${takeBeginning(text, most + 1)}…`;

function cutAt(text: string, length: number): string {
	const last = text.charCodeAt(length - 1);
	const next = text.charCodeAt(length);
	const splits = last >= 0xd800 && last <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
	return text.slice(0, splits ? length - 1 : length);
}

/** The first elements that together take at most `room` characters as JSON. */
export function takeFitting<Item>(items: readonly Item[], room: number): Item[] {
	let left = room - 2;
	const end = items.findIndex((item) => {
		left -= JSON.stringify(item).length + 1;
		return left < 0;
	});
	return items.slice(0, end === -1 ? items.length : end);
}

const classify = (value: object): "list" | "object" => (Array.isArray(value) ? "list" : "object");

const describeGap = (value: object): string =>
	Array.isArray(value)
		? `[list of ${value.length} omitted]`
		: `[object of ${listKeys(value).length} keys omitted]`;
