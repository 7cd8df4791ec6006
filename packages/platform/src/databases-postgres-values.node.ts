import { toBase64 } from "@tripline/contract/bytes";
import type { Json } from "@tripline/contract/json";
import { parseJson } from "./json-digits.ts";

/** What is known of a type from the catalogue of the server: lists have an element. */
export interface ServerType {
	readonly element: number;
	readonly delimiter: string;
}

export type Parse = (text: string) => Json;

const JSON_TYPES = new Set([114, 3802]);
const MAX_DIMENSIONS = 6;

/** int8: text where a number would not be exact. */
const parseInteger: Parse = (text) => {
	const value = Number(text);
	return Number.isSafeInteger(value) ? value : text;
};

/** NaN and the infinities are no JSON. */
const parseFloating: Parse = (text) => {
	const value = Number(text);
	return Number.isFinite(value) ? value : text;
};

const TIME = /^(\d{4,6}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d(?::\d\d)?)?$/;

/** ISO 8601. Infinity and years before Christ stay as they are written. */
const parseTime: Parse = (text) => {
	const [, date, time, zone = ""] = TIME.exec(text) ?? [];
	if (date === undefined) return text;
	const offset = zone === "+00" ? "Z" : zone.length === 3 ? `${zone}:00` : zone;
	return `${date}T${time}${offset}`;
};

const parseBytes: Parse = (text) => toBase64(new Uint8Array(Buffer.from(text.slice(2), "hex")));

const asText: Parse = (text) => text;

/** By the type's id. The others are text, unless the server says that they are lists. */
const SCALARS = new Map<number, Parse>([
	[16, (text) => text === "t"],
	[17, parseBytes],
	[20, parseInteger],
	[21, Number],
	[23, Number],
	[26, Number],
	[700, parseFloating],
	[701, parseFloating],
	[1114, parseTime],
	[1184, parseTime],
	...[...JSON_TYPES].map((id) => [id, parseJson] as const),
	// char, name, text, bpchar, varchar, date, time, timetz, interval, numeric, uuid, inet, cidr, money, xml, unknown
	...[18, 19, 25, 1042, 1043, 1082, 1083, 1266, 1186, 1700, 2950, 869, 650, 790, 142, 705].map(
		(id) => [id, asText] as const,
	),
]);

const COMMA = ",";
const LISTS = new Map<number, ServerType>(
	Object.entries({
		...{ 1000: 16, 1001: 17, 1016: 20, 1005: 21, 1007: 23, 1028: 26, 1021: 700, 1022: 701, 1115: 1114 },
		...{ 1185: 1184, 199: 114, 3807: 3802, 1002: 18, 1003: 19, 1009: 25, 1014: 1042, 1015: 1043 },
		...{ 1182: 1082, 1183: 1083, 1270: 1266, 1187: 1186, 1231: 1700, 2951: 2950 },
	}).map(([list, element]) => [Number(list), { element, delimiter: COMMA }]),
);

const isJsonType = (id: number): boolean => JSON_TYPES.has(id);

export const isKnownType = (id: number): boolean => SCALARS.has(id) || LISTS.has(id);

/** `found` are types that the server was asked about. */
export function findParser(id: number, found: ReadonlyMap<number, ServerType | null>): Parse {
	const scalar = SCALARS.get(id);
	if (scalar !== undefined) return scalar;
	const list = LISTS.get(id) ?? found.get(id);
	if (list === undefined || list === null) return asText;
	const parse = SCALARS.get(list.element) ?? asText;
	return (text) => parseList(text, list.delimiter, parse);
}

/** The text form of an array: `{1,NULL,"a \" b",{2}}`, after its bounds if they do not start at 1. */
function parseList(text: string, delimiter: string, parse: Parse): Json {
	let at = text.startsWith("[") ? text.indexOf("=") + 1 : 0;
	return text.charAt(at) === "{" ? readList(1) : text;

	function readList(depth: number): Json[] {
		const items: Json[] = [];
		at++;
		while (at < text.length) {
			const next = text.charAt(at);
			if (next === "}" || next === delimiter) at++;
			if (next === "}") break;
			if (next === delimiter) continue;
			items.push(next === "{" && depth < MAX_DIMENSIONS ? readList(depth + 1) : readItem());
		}
		return items;
	}

	function readItem(): Json {
		if (text.charAt(at) !== '"') {
			let end = at;
			while (end < text.length && text.charAt(end) !== delimiter && text.charAt(end) !== "}") end++;
			const plain = text.slice(at, end);
			at = end;
			return plain === "NULL" ? null : parse(plain.replace(/\\([\s\S])/g, "$1"));
		}
		const quoted = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y;
		quoted.lastIndex = at;
		const found = quoted.exec(text)?.[0] ?? text.slice(at);
		at += found.length;
		return parse(found.slice(1, -1).replace(/\\([\s\S])/g, "$1"));
	}
}

/** A bound value in text form. `type` is known for lists only, which are JSON or arrays. */
export function toParameter(value: Json, type: number | undefined): string | null {
	if (value === null || typeof value === "string") return value;
	if (Array.isArray(value) && !(type !== undefined && isJsonType(type))) return writeList(value);
	return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const writeList = (values: readonly Json[]): string =>
	`{${values.map((value) => (Array.isArray(value) ? writeList(value) : writeItem(value))).join(COMMA)}}`;

function writeItem(value: Json): string {
	if (value === null) return "NULL";
	const text = toParameter(value, undefined) ?? "";
	return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}
