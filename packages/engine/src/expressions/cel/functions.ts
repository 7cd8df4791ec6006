import { countCharacters } from "../filters/list-filters.ts";
import { parseNumber, round } from "../filters/number-filters.ts";
import { checkTextLength, MAX_TEXT_LENGTH } from "../text-size.ts";
import {
	DURATION_PARTS,
	Duration,
	readDuration,
	readTimestamp,
	TIMESTAMP_PARTS,
	Timestamp,
} from "./times.ts";
import { createFailure, describeKind, isMap, type Scope, type Value } from "./values.ts";
import { spend, spendOnSearch, spendOnText } from "./work.ts";

/** The receiver of a method comes first in `args`. `source` is the call as written, for messages. */
type Call = (args: readonly Value[], scope: Scope, source: string) => Value;

export interface KnownFunction {
	/** Without the receiver. */
	readonly min: number;
	readonly max: number;
	readonly call: Call;
}

const defineFunction = (least: number, most: number, call: Call): KnownFunction => ({
	min: least,
	max: most,
	call,
});

/** `size(x)`. */
export const FUNCTIONS: ReadonlyMap<string, KnownFunction> = new Map([
	["size", defineFunction(1, 1, getSize)],
	["string", defineFunction(1, 1, toText)],
	["int", defineFunction(1, 1, ([value], _, source) => Math.trunc(toNumber(value as Value, source)))],
	["double", defineFunction(1, 1, ([value], _, source) => toNumber(value as Value, source))],
	["bool", defineFunction(1, 1, toBool)],
	["dyn", defineFunction(1, 1, ([value]) => value as Value)],
	["type", defineFunction(1, 1, ([value]) => getTypeName(value as Value))],
	["round", defineFunction(1, 2, roundNumber)],
	["timestamp", defineFunction(1, 1, toTimestamp)],
	["duration", defineFunction(1, 1, toDuration)],
]);

/** `x.size()`. */
export const METHODS: ReadonlyMap<string, KnownFunction> = new Map([
	["size", defineFunction(0, 0, getSize)],
	["contains", defineSearch((text, part) => text.includes(part))],
	["startsWith", defineSearch((text, part) => text.startsWith(part))],
	["endsWith", defineSearch((text, part) => text.endsWith(part))],
	["indexOf", defineSearch((text, part) => text.indexOf(part))],
	["lastIndexOf", defineSearch((text, part) => text.lastIndexOf(part))],
	["lower", defineChange(20, (text) => text.toLowerCase())],
	["upper", defineChange(20, (text) => text.toUpperCase())],
	["lowerAscii", defineChange(256, (text) => text.replace(/[A-Z]+/g, (run) => run.toLowerCase()))],
	["upperAscii", defineChange(256, (text) => text.replace(/[a-z]+/g, (run) => run.toUpperCase()))],
	["trim", defineChange(8, (text) => text.trim())],
	["substring", defineFunction(1, 2, substring)],
	["replace", defineFunction(2, 2, replace)],
	["split", defineFunction(1, 1, split)],
	["join", defineFunction(0, 1, join)],
	...[...TIMESTAMP_PARTS.keys()].map((name): [string, KnownFunction] => [
		name,
		defineFunction(0, 0, createTimePart(name)),
	]),
]);

function getSize([value]: readonly Value[], scope: Scope, source: string): Value {
	if (Array.isArray(value)) return value.length;
	if (typeof value === "string") {
		spendOnText(scope, value.length * 8);
		return countCharacters(value, scope.meter);
	}
	if (!isMap(value)) throw createTypeFailure(source, "text, a list or an object", value as Value);
	const { length } = Object.keys(value);
	spend(scope, length);
	return length;
}

function toText([value]: readonly Value[], _: Scope, source: string): Value {
	if (typeof value === "string") return value;
	if (typeof value === "number" || typeof value === "boolean") return String(value);
	if (value instanceof Timestamp || value instanceof Duration) return value.toString();
	throw createTypeFailure(source, "text, a number, a time, or true or false", value as Value);
}

function toNumber(value: Value, source: string): number {
	if (typeof value === "number") return value;
	if (value instanceof Timestamp) return value.ms / 1000;
	if (typeof value !== "string") throw createTypeFailure(source, "a number or text", value);
	const number = parseNumber(value);
	if (number === undefined) throw createFailure(source, "the text is not a number");
	if (!Number.isFinite(number)) throw createFailure(source, "the number is too large");
	return number;
}

function toBool([value]: readonly Value[], _: Scope, source: string): Value {
	if (typeof value === "boolean") return value;
	if (value === "true" || value === "false") return value === "true";
	if (typeof value === "string") throw createFailure(source, 'the text is neither "true" nor "false"');
	throw createTypeFailure(source, 'true, false, "true" or "false"', value as Value);
}

function getTypeName(value: Value): string {
	if (value === null) return "null";
	if (Array.isArray(value)) return "list";
	if (value instanceof Timestamp) return "timestamp";
	if (value instanceof Duration) return "duration";
	if (typeof value === "object") return "map";
	return typeof value === "boolean" ? "bool" : typeof value;
}

function roundNumber([value, digits = 0]: readonly Value[], _: Scope, source: string): Value {
	if (typeof value !== "number") throw createTypeFailure(source, "a number", value as Value);
	if (typeof digits !== "number" || !Number.isInteger(digits) || digits < 0 || digits > 15)
		throw createFailure(source, "the number of digits must be a whole number from 0 to 15");
	return round(digits)(value, source);
}

function toTimestamp([value]: readonly Value[], _: Scope, source: string): Value {
	if (value instanceof Timestamp) return value;
	const time = typeof value === "string" || typeof value === "number" ? readTimestamp(value) : undefined;
	if (time === undefined)
		throw createFailure(source, "needs an ISO 8601 time or a Unix time in seconds or milliseconds");
	return time;
}

function toDuration([value]: readonly Value[], _: Scope, source: string): Value {
	if (value instanceof Duration) return value;
	const length = typeof value === "string" ? readDuration(value) : undefined;
	if (length === undefined) throw createFailure(source, 'needs text such as "90s", "1h30m" or "7d"');
	return length;
}

function createTimePart(name: string): Call {
	const ofTimestamp = TIMESTAMP_PARTS.get(name);
	const ofDuration = DURATION_PARTS.get(name);
	return ([value], _, source) => {
		if (value instanceof Timestamp && ofTimestamp !== undefined) return ofTimestamp(new Date(value.ms));
		if (value instanceof Duration && ofDuration !== undefined) return Math.trunc(value.ms / ofDuration);
		throw createTypeFailure(source, "timestamp(...)", value as Value);
	};
}

function defineSearch(find: (text: string, part: string) => Value): KnownFunction {
	return defineFunction(1, 1, ([text, part], scope, source) => {
		if (typeof text !== "string") throw createTypeFailure(source, "text", text as Value);
		if (typeof part !== "string") throw createTypeFailure(source, "text to look for", part as Value);
		spendOnSearch(scope, text, part);
		return find(text, part);
	});
}

/** `cost` is the cost per character relative to reading one. */
function defineChange(cost: number, change: (text: string) => string): KnownFunction {
	return defineFunction(0, 0, ([text], scope, source) => {
		if (typeof text !== "string") throw createTypeFailure(source, "text", text as Value);
		spendOnText(scope, text.length * cost);
		return checkTextLength(change(text), source);
	});
}

function substring([text, from, to]: readonly Value[], scope: Scope, source: string): Value {
	if (typeof text !== "string") throw createTypeFailure(source, "text", text as Value);
	const end = to === undefined ? text.length : to;
	if (!Number.isInteger(from) || !Number.isInteger(end))
		throw createFailure(source, "the positions must be whole numbers");
	if (Number(from) < 0 || Number(end) < Number(from) || Number(end) > text.length)
		throw createFailure(source, `the positions must be within the ${text.length} characters of the text`);
	spendOnText(scope, text.length);
	return text.substring(Number(from), Number(end));
}

const UNITS_PER_PIECE = 4;

function replace([text, part, by]: readonly Value[], scope: Scope, source: string): Value {
	if (typeof text !== "string") throw createTypeFailure(source, "text", text as Value);
	if (typeof part !== "string" || typeof by !== "string")
		throw createFailure(source, "needs text for both arguments");
	if (part === "") throw createFailure(source, "the text to replace must not be empty");
	spendOnSearch(scope, text, part);
	const pieces = text.split(part);
	// Splitting, counting and joining.
	spend(scope, UNITS_PER_PIECE * pieces.length);
	const replaced = joinPieces(pieces, by, source);
	spendOnText(scope, replaced.length);
	return replaced;
}

function split([text, separator]: readonly Value[], scope: Scope, source: string): Value {
	if (typeof text !== "string") throw createTypeFailure(source, "text", text as Value);
	if (typeof separator !== "string") throw createTypeFailure(source, "text as separator", separator as Value);
	spendOnSearch(scope, text, separator);
	const pieces = separator === "" ? [...text] : text.split(separator);
	spend(scope, UNITS_PER_PIECE * pieces.length);
	return pieces;
}

function join([list, separator = ""]: readonly Value[], scope: Scope, source: string): Value {
	if (!Array.isArray(list)) throw createTypeFailure(source, "a list of text values", list as Value);
	if (typeof separator !== "string") throw createTypeFailure(source, "text as separator", separator);
	spend(scope, list.length);
	const other = list.find((element) => typeof element !== "string");
	if (other !== undefined)
		throw createFailure(source, `needs a list of text values, but it contains ${describeKind(other)}`);
	const text = joinPieces(list as string[], separator, source);
	spendOnText(scope, text.length);
	return text;
}

/** Checks the length before joining, because the result could exceed memory. */
function joinPieces(pieces: readonly string[], separator: string, source: string): string {
	let length = 0;
	for (const piece of pieces) length += piece.length + separator.length;
	if (length > MAX_TEXT_LENGTH + separator.length)
		throw createFailure(source, `produces more than ${MAX_TEXT_LENGTH} characters of text`);
	return pieces.join(separator);
}

function createTypeFailure(source: string, needed: string, value: Value) {
	return createFailure(source, `needs ${needed}, but it is ${describeKind(value)}`);
}
