import { type Json, MAX_JSON_DEPTH, nestsTooDeep } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { malformed } from "./failures.ts";

/** An object is the input; a list or scalar is `input.body`. */
export function readJsonInput(text: string): JsonObject {
	if (text.trim() === "") return {};
	return toInput(parseOrFail(text), text);
}

/** The same for text that may be something else; null if it is not JSON. */
export function tryJsonInput(text: string): JsonObject | null {
	try {
		return toInput(JSON.parse(text) as Json, text);
	} catch (error) {
		if (error instanceof SyntaxError) return null;
		throw error;
	}
}

export const looksLikeJson = (text: string): boolean => /^\s*[[{]/.test(text);

function toInput(value: Json, text: string): JsonObject {
	if (nestsTooDeep(text)) throw malformed(`json nests deeper than ${MAX_JSON_DEPTH} levels`);
	return typeof value === "object" && value !== null && !Array.isArray(value) ? value : { body: value };
}

function parseOrFail(text: string): Json {
	try {
		return JSON.parse(text) as Json;
	} catch (error) {
		throw malformed(`invalid json: ${describeSyntaxError(error)}`);
	}
}

/** The parser's own message without the part of the body that it repeats. */
function describeSyntaxError(error: unknown): string {
	const message = error instanceof Error ? error.message : "";
	const [, what, line, column] =
		/^([\w -]+?) in JSON at position \d+ \(line (\d+) column (\d+)\)$/.exec(message) ?? [];
	if (what !== undefined) return `${toLowerFirst(what)} at line ${line}, column ${column}`;
	if (/^Unexpected end of JSON input/.test(message)) return "the text ends too early";
	return /^Unexpected token/.test(message) ? "unexpected character" : "not json";
}

const toLowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);
