import type { Json } from "@tripline/contract/json";
import { quoteText } from "@tripline/engine/diagnostics";
import { describeJsonKind, joinPath, readStep, type Step } from "@tripline/engine/expressions/path";
import { didYouMean } from "@tripline/engine/nearest";
import { shorten } from "./budget.ts";
import { listKeys } from "./json-size.ts";
import { ToolProblem } from "./tool.ts";

export interface Selected {
	readonly value: Json;
	/** The path of the value; for a slice, that of the list. */
	readonly path: string;
	/** The index in the list at which the slice starts. */
	readonly first: number;
}

interface Slice {
	readonly from: number;
	readonly to: number | undefined;
}

const HOW = 'write a path such as items[0].name, items[20:40] or headers["content-type"]';
const MAX_KEYS = 20;

/** Selects a part of a value by a path of the workflow language, which may end with a slice `[a:b]` of a list. */
export function selectPart(whole: Json, select: string): Selected {
	const { steps, slice } = parsePath(select);
	let value = whole;
	let path = "";
	for (const key of steps) {
		const inner = readStep(value, key);
		if (inner === undefined) throw createProblem(select, describeMissing(value, key, path));
		value = inner;
		path = joinPath(path, key);
	}
	if (slice === undefined) return { value, path, first: 0 };
	if (!Array.isArray(value))
		throw createProblem(
			select,
			`${describePath(path)} is ${describeJsonKind(value)}; a slice [a:b] applies only to a list`,
		);
	const first = Math.min(slice.from, value.length);
	return { value: value.slice(first, slice.to), path, first };
}

// Sticky patterns for the next step of a path; none can match in more than one way.
const NAME = /\.?([^.[\]"'\s]+)/y;
const PLACE = /\[\s*(\d{1,9})\s*\]/y;
const QUOTED = /\[\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\s*\]/y;
const SLICE = /\[\s*(\d{0,9})\s*:\s*(\d{0,9})\s*\]/y;

function parsePath(select: string): { readonly steps: readonly Step[]; readonly slice: Slice | undefined } {
	const text = select.trim();
	const steps: Step[] = [];
	let slice: Slice | undefined;
	// A leading $ is accepted, because models often write JSONPath.
	let at = /^\$(?=[.[]|$)/.test(text) ? 1 : 0;
	const take = (pattern: RegExp): RegExpExecArray | null => {
		pattern.lastIndex = at;
		const found = pattern.exec(text);
		if (found !== null) at = pattern.lastIndex;
		return found;
	};
	while (at < text.length) {
		if (slice !== undefined)
			throw createProblem(select, "nothing can follow a slice [a:b]: take one element, as in items[3].name");
		const isFirst = at === 0;
		const name = isFirst || text[at] === "." ? take(NAME) : null;
		const place = name ?? take(PLACE);
		const quoted = place ?? take(QUOTED);
		const range = quoted ?? take(SLICE);
		if (name !== null) steps.push(name[1] as string);
		else if (place !== null) steps.push(Number(place[1]));
		else if (quoted !== null) steps.push(unescapeText(quoted[1] ?? quoted[2] ?? ""));
		else if (range !== null)
			slice = { from: Number(range[1]), to: range[2] === "" ? undefined : Number(range[2]) };
		else throw createProblem(select, `syntax error at ${quoteText(text.slice(at))}`);
	}
	return { steps, slice };
}

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

const unescapeText = (text: string): string =>
	text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, hex: string | undefined, letter: string) =>
		hex === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
	);

function describeMissing(value: Json, key: Step, path: string): string {
	if (Array.isArray(value)) {
		if (value.length === 0) return `${describePath(path)} is an empty list`;
		const places = `${describePath(path)} is a list of ${value.length}: [0] to [${value.length - 1}]`;
		return typeof key === "number" ? places : `${places}; there is no ${quoteText(key)} in it`;
	}
	if (typeof value !== "object" || value === null)
		return `${describePath(path)} is ${describeJsonKind(value)} and has no parts`;
	const keys = listKeys(value);
	const hint = didYouMean(String(key), keys);
	const some = keys.slice(0, MAX_KEYS).map((each) => shorten(joinPath("", each), 60));
	const more = keys.length > some.length ? ` and ${keys.length - some.length} more` : "";
	const there = keys.length === 0 ? "it is empty" : `it has ${some.join(", ")}${more}`;
	return `there is no ${typeof key === "number" ? `[${key}]` : quoteText(key)} in ${describePath(path)}; ${there}${hint === undefined ? "" : `. ${hint}`}`;
}

const describePath = (path: string): string => (path === "" ? "the whole value" : shorten(path, 120));

const createProblem = (select: string, what: string): ToolProblem =>
	new ToolProblem(
		`select ${quoteText(select)}: ${what}${/[.?]$/.test(what) ? "" : "."} To read a part, ${HOW}.`,
	);
