import { toBase64 } from "@tripline/contract/bytes";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { isObject } from "../schemas.ts";

/** The keyword by which a schema asks that an argument is also sent as a header, for intermediaries. */
const KEYWORD = "x-mcp-header";
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
const TYPES = new Set(["string", "integer", "boolean"]);
const MAX_HEADERS = 32;
/** As the platforms send it. */
const PLAIN_VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

interface Declared {
	readonly path: readonly string[];
	readonly header: string;
}

/** Why the headers that an input schema asks for cannot be sent; null if they can. */
export function findHeaderProblem(schema: JsonObject): string | null {
	const found = listDeclared(schema);
	if (typeof found === "string") return found;
	const names = found.map(({ header }) => header);
	if (names.length > MAX_HEADERS) return `asks for more than ${MAX_HEADERS} headers`;
	return new Set(names).size < names.length ? `asks twice for the same header in ${KEYWORD}` : null;
}

/** The headers for these arguments. The schema must have no problem. */
export function buildParamHeaders(schema: JsonObject, args: JsonObject): Record<string, string> {
	const found = listDeclared(schema);
	const headers: Record<string, string> = {};
	for (const { path, header } of typeof found === "string" ? [] : found) {
		const value = readAt(args, path);
		if (typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value))
			headers[header] = encode(String(value));
	}
	return headers;
}

/** A problem as text. An annotation counts only where `properties` alone lead. */
function listDeclared(schema: JsonObject): Declared[] | string {
	const declared: Declared[] = [];
	const problem = visit(schema, [], true);
	return problem ?? declared;

	function visit(node: Json, path: readonly string[], isReachable: boolean): string | null {
		if (Array.isArray(node)) return visitAll(node, path);
		if (!isObject(node)) return null;
		if (Object.hasOwn(node, KEYWORD)) {
			const name = node[KEYWORD];
			if (!isReachable || path.length === 0) return `has ${KEYWORD} in a place where it is not allowed`;
			if (typeof name !== "string" || !TOKEN.test(name)) return `has ${KEYWORD} that is not a header name`;
			if (typeof node.type !== "string" || !TYPES.has(node.type))
				return `has ${KEYWORD} on a property that is not a string, integer or boolean`;
			declared.push({ path, header: `mcp-param-${name.toLowerCase()}` });
		}
		for (const key of Object.keys(node)) {
			const below = node[key] as Json;
			// Values, in which the keyword means nothing.
			if (key === "default" || key === "const" || key === "enum" || key === "examples") continue;
			const problem =
				key === "properties" && isObject(below)
					? visitProperties(below, path, isReachable)
					: visit(below, path, false);
			if (problem !== null) return problem;
		}
		return null;
	}

	function visitProperties(
		properties: JsonObject,
		path: readonly string[],
		isReachable: boolean,
	): string | null {
		for (const name of Object.keys(properties)) {
			const problem = visit(properties[name] as Json, [...path, name], isReachable);
			if (problem !== null) return problem;
		}
		return null;
	}

	function visitAll(list: readonly Json[], path: readonly string[]): string | null {
		for (const below of list) {
			const problem = visit(below, path, false);
			if (problem !== null) return problem;
		}
		return null;
	}
}

function readAt(args: JsonObject, path: readonly string[]): Json | undefined {
	let value: Json | undefined = args;
	for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
	return value;
}

function encode(value: string): string {
	if (PLAIN_VALUE.test(value) && !(value.startsWith("=?base64?") && value.endsWith("?="))) return value;
	return `=?base64?${toBase64(new TextEncoder().encode(value))}?=`;
}
