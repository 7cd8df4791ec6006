import type { JsonSchema } from "../components.ts";
import type { OpenApi, Operation } from "../openapi.ts";
import { MAX_DEPTH, optionsOf, resolve } from "./schema.ts";

const TEXT_BY_FORMAT = new Map([
	["uuid", "0190a6b2-7c1d-7e3f-9a4b-5c6d7e8f9a0b"],
	["date-time", "2026-01-01T12:00:00Z"],
	["date", "2026-01-01"],
	["email", "name@example.com"],
	["uri", "https://example.com/"],
]);

/** A curl command for the operation, for a shell with `$URL` and `$TOKEN`. */
export function curl(method: string, path: string, operation: Operation, document: OpenApi): string {
	const verb = method === "GET" ? "" : ` -X ${encoded(method)}`;
	const lines = [`curl${verb} "$URL${targetOf(path, operation, document)}"`];
	if (operation.security.length > 0) lines.push('-H "authorization: Bearer $TOKEN"');
	const [body] = Object.entries(operation.requestBody?.content ?? {});
	if (body !== undefined) {
		const [type, { schema }] = body;
		const value = JSON.stringify(example(schema, document) ?? {}, null, 2);
		lines.push(`-H ${quoted(`content-type: ${type}`)}`, `-d ${quoted(value.replaceAll("\n", "\n  "))}`);
	}
	return lines.join(" \\\n  ");
}

/** The path and the query, with a value for each required parameter. */
function targetOf(path: string, { parameters }: Operation, document: OpenApi): string {
	const needed = parameters.filter((each) => each.required);
	const valueFor = (name: string): string => {
		const parameter = needed.find((each) => each.name === name);
		return encoded(parameter === undefined ? name : String(example(parameter.schema, document)));
	};
	// Every other part is the name of a parameter.
	const parts = path.split(/\{([^}]*)\}/).map((part, index) => {
		return index % 2 === 1 ? valueFor(part) : part.split("/").map(encoded).join("/");
	});
	const query = needed
		.filter((each) => each.in === "query")
		.map(({ name }) => `${encoded(name)}=${valueFor(name)}`);
	return `${parts.join("")}${query.length > 0 ? "?" : ""}${query.join("&")}`;
}

/** Encodes everything that a shell interprets within double quotes. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll("!", "%21");

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Builds an example from required fields. A cycle ends as undefined, which JSON omits. */
function example(schema: JsonSchema, document: OpenApi, above: readonly JsonSchema[] = []): unknown {
	const isCycle = schema.$ref !== undefined && above.some(({ $ref }) => $ref === schema.$ref);
	if (isCycle || above.length > MAX_DEPTH) return undefined;
	const core = resolve(schema, document);
	const inner = (each: JsonSchema = {}) => example(each, document, [...above, schema]);
	const given = [core.const, ...(core.enum ?? []), ...(core.examples ?? []), core.default];
	const options = optionsOf(core).map((each) => inner(each));
	const known = [...given, ...options].find((each) => each !== undefined);
	return known === undefined ? exampleOfType(core, inner) : known;
}

function exampleOfType(core: JsonSchema, inner: (schema?: JsonSchema) => unknown): unknown {
	switch ([core.type].flat()[0]) {
		case "array":
			return exampleList(core, inner).filter((each) => each !== undefined);
		case "object": {
			const others = typeof core.additionalProperties === "object" ? core.additionalProperties : {};
			const needed = core.required ?? [];
			return Object.fromEntries(needed.map((name) => [name, inner(core.properties?.[name] ?? others)]));
		}
		case "integer":
		case "number":
			return exampleNumber(core);
		case "boolean":
			return true;
		case "null":
			return null;
		default:
			return exampleText(core);
	}
}

function exampleList(core: JsonSchema, inner: (schema?: JsonSchema) => unknown): unknown[] {
	const { prefixItems = [], items, minItems = Math.max(1, prefixItems.length) } = core;
	return Array.from({ length: minItems }, (_, index) => inner(prefixItems[index] ?? items));
}

/** The number within the limits that is closest to one step. */
function exampleNumber(core: JsonSchema): number {
	const step = core.multipleOf ?? 1;
	const low = core.minimum ?? (core.exclusiveMinimum ?? -Infinity) + step;
	const high = core.maximum ?? (core.exclusiveMaximum ?? Infinity) - step;
	const nearest = Math.max(low, Math.min(step, high));
	return Math.min(Math.ceil(nearest / step) * step, high);
}

function exampleText({ format = "", pattern, minLength = 0, maxLength = 1e6 }: JsonSchema): string {
	const plain = "example".padEnd(minLength, "-example").slice(0, maxLength);
	const fits = (text: string) =>
		text.length >= minLength && text.length <= maxLength && matches(text, pattern);
	return [TEXT_BY_FORMAT.get(format) ?? plain, "1", ...TEXT_BY_FORMAT.values()].find(fits) ?? plain;
}

function matches(text: string, pattern: string | undefined): boolean {
	try {
		return pattern === undefined || new RegExp(pattern, "u").test(text);
	} catch {
		return true;
	}
}
