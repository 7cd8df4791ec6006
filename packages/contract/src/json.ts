import * as z from "zod";

/** The maximum nesting of JSON in bodies and in `metadata_json`. */
export const MAX_JSON_DEPTH = 64;

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Any value of a body. It is already known to be JSON, so checking it again would only cost time. */
export const AnyJson = z.custom<Json>().meta({ description: "Any JSON value" });

/**
 * Why a parsed JSON value cannot be stored and read back unchanged on every database; null if it can.
 * Lone surrogates have no UTF-8 form, and PostgreSQL text cannot hold NUL.
 */
export function findUnstorable(value: unknown, depth = 0): string | null {
	if (typeof value === "string") return findUnstorableText(value);
	if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
		return "a number is too large";
	if (typeof value !== "object" || value === null) return null;
	if (depth >= MAX_JSON_DEPTH) return `json nests deeper than ${MAX_JSON_DEPTH} levels`;
	// A list needs no check of its keys.
	if (Array.isArray(value)) {
		for (const inner of value) {
			const problem = findUnstorable(inner, depth + 1);
			if (problem !== null) return problem;
		}
		return null;
	}
	for (const key of Object.keys(value)) {
		const problem =
			findUnstorableText(key) ?? findUnstorable((value as Record<string, unknown>)[key], depth + 1);
		if (problem !== null) return problem;
	}
	return null;
}

/**
 * The same for a value just parsed from `text`. Scanning the text is cheaper than walking the value: only an escaped
 * surrogate or NUL, nesting, or a number with an exponent or very many digits can make a parsed value unstorable.
 */
export const findUnstorableParsed = (value: unknown, text: string): string | null =>
	ODD_ESCAPE.test(text) || !isPlain(text) ? findUnstorable(value) : null;

const ODD_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|[dD][89a-fA-F])/;

/** Whether JSON text nests deeper than allowed. It need not be valid. */
export const nestsTooDeep = (text: string): boolean =>
	// Each level takes an opening and a closing character.
	text.length > 2 * MAX_JSON_DEPTH && scan(text).isTooDeep;

/** Whether valid JSON text neither nests too deeply nor contains a number that could be too large. */
function isPlain(text: string): boolean {
	const { isTooDeep, hasLargeNumber } = scan(text);
	return !isTooDeep && !hasLargeNumber;
}

/**
 * The raw texts of the named members of an object in valid JSON text, much cheaper than parsing all of it. Like
 * `JSON.parse`, it uses the last of duplicate names and rejects truncated text.
 */
export function readMemberTexts<Name extends string>(
	text: string,
	names: readonly Name[],
): { [Each in Name]?: string } {
	const found: { [Each in Name]?: string } = {};
	let depth = 0;
	let key = "";
	/** Start of the value after the key; 0 if there is none yet. */
	let start = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) {
			const end = findStringEnd(text, at);
			if (depth === 1 && start === 0) key = text.slice(at, end + 1);
			at = end;
		} else if (code === OPEN_BRACKET || code === OPEN_BRACE) depth++;
		else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) {
			if (--depth === 0) endMember(at);
		} else if (depth === 1 && code === COLON) start = at + 1;
		else if (depth === 1 && code === COMMA) endMember(at);
	}
	if (depth !== 0) throw new SyntaxError("the JSON is cut off");
	return found;

	function endMember(end: number): void {
		const name = start === 0 ? undefined : names.find((each) => isKey(key, each));
		if (name !== undefined) found[name] = text.slice(start, end);
		start = 0;
	}
}

/** The named members of an object in valid JSON text; other members are not parsed. */
export function parseMembers<Name extends string>(
	text: string,
	names: readonly Name[],
): { [Each in Name]?: unknown } {
	const texts = readMemberTexts(text, names);
	const members: { [Each in Name]?: unknown } = {};
	for (const name of names) {
		const value = texts[name];
		if (value !== undefined) members[name] = JSON.parse(value);
	}
	return members;
}

const isKey = (key: string, name: string): boolean =>
	key.includes("\\") ? JSON.parse(key) === name : key.length === name.length + 2 && key.startsWith(name, 1);

/** Not a regular expression: one that skips a string needs stack space proportional to its length. */
function scan(text: string): { readonly isTooDeep: boolean; readonly hasLargeNumber: boolean } {
	let depth = 0;
	let digits = 0;
	let hasLargeNumber = false;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code >= ZERO && code <= NINE) {
			if (++digits > SAFE_DIGITS) hasLargeNumber = true;
			continue;
		}
		// The letter also ends true and false, but then no digit precedes it.
		if (digits > 0 && (code === CAPITAL_E || code === SMALL_E)) hasLargeNumber = true;
		digits = 0;
		if (code === QUOTE) at = findStringEnd(text, at);
		else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
			if (++depth > MAX_JSON_DEPTH) return { isTooDeep: true, hasLargeNumber };
		} else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth--;
	}
	return { isTooDeep: false, hasLargeNumber };
}

/** The largest number has 309 digits. */
const SAFE_DIGITS = 300;
const [ZERO, NINE, CAPITAL_E, SMALL_E] = [0x30, 0x39, 0x45, 0x65];
const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The position of the closing quote of the string that starts at `start`. */
function findStringEnd(text: string, start: number): number {
	for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
		let escapes = 0;
		while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
		if (escapes % 2 === 0) return end;
	}
	return text.length;
}

function findUnstorableText(text: string): string | null {
	if (text.includes("\u0000")) return "text must not contain NUL characters";
	if (!text.isWellFormed()) return "text must not contain lone surrogates";
	return null;
}
