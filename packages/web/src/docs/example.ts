import type { OpenApi, Operation } from "../openapi.ts";
import type { JsonSchema } from "../schema-components.ts";
import { listOptions, MAX_DEPTH, resolve } from "./schema.ts";

const TEXT_BY_FORMAT = new Map([
	["uuid", "0190a6b2-7c1d-7e3f-9a4b-5c6d7e8f9a0b"],
	["date-time", "2026-01-01T12:00:00Z"],
	["date", "2026-01-01"],
	["email", "name@example.com"],
	["uri", "https://example.com/"],
]);

/** A curl command for the operation, for a shell with `$URL` and `$TOKEN`. */
export function buildCurl(method: string, path: string, operation: Operation, document: OpenApi): string {
	const verb = method === "GET" ? "" : ` -X ${encodeForShell(method)}`;
	const lines = [`curl${verb} "$URL${buildTarget(path, operation, document)}"`];
	if (operation.security.length > 0) lines.push('-H "authorization: Bearer $TOKEN"');
	const [body] = Object.entries(operation.requestBody?.content ?? {});
	if (body !== undefined) {
		const [type, { schema }] = body;
		const value = JSON.stringify(buildExample(schema, document) ?? {}, null, 2);
		lines.push(
			`-H ${quoteForShell(`content-type: ${type}`)}`,
			`-d ${quoteForShell(value.replaceAll("\n", "\n  "))}`,
		);
	}
	return lines.join(" \\\n  ");
}

/** The path and the query, with a value for each required parameter. */
function buildTarget(path: string, { parameters }: Operation, document: OpenApi): string {
	const needed = parameters.filter((each) => each.required);
	const buildValue = (name: string): string => {
		const parameter = needed.find((each) => each.name === name);
		return encodeForShell(parameter === undefined ? name : String(buildExample(parameter.schema, document)));
	};
	// Every other part is the name of a parameter.
	const parts = path.split(/\{([^}]*)\}/).map((part, index) => {
		return index % 2 === 1 ? buildValue(part) : part.split("/").map(encodeForShell).join("/");
	});
	const query = needed
		.filter((each) => each.in === "query")
		.map(({ name }) => `${encodeForShell(name)}=${buildValue(name)}`);
	return `${parts.join("")}${query.length > 0 ? "?" : ""}${query.join("&")}`;
}

/** Encodes everything that a shell interprets within double quotes. */
const encodeForShell = (text: string): string =>
	encodeURIComponent(text.toWellFormed()).replaceAll("!", "%21");

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Builds an example from required fields. A cycle ends as undefined, which JSON omits. */
function buildExample(schema: JsonSchema, document: OpenApi, above: readonly JsonSchema[] = []): unknown {
	const isCycle = schema.$ref !== undefined && above.some(({ $ref }) => $ref === schema.$ref);
	if (isCycle || above.length > MAX_DEPTH) return undefined;
	const core = resolve(schema, document);
	const inner = (each: JsonSchema = {}) => buildExample(each, document, [...above, schema]);
	const given = [core.const, ...(core.enum ?? []), ...(core.examples ?? []), core.default];
	const options = listOptions(core).map((each) => inner(each));
	const known = [...given, ...options].find((each) => each !== undefined);
	return known === undefined ? buildTypedExample(core, inner) : known;
}

function buildTypedExample(core: JsonSchema, inner: (schema?: JsonSchema) => unknown): unknown {
	switch ([core.type].flat()[0]) {
		case "array":
			return buildListExample(core, inner).filter((each) => each !== undefined);
		case "object": {
			const others = typeof core.additionalProperties === "object" ? core.additionalProperties : {};
			const needed = core.required ?? [];
			return Object.fromEntries(needed.map((name) => [name, inner(core.properties?.[name] ?? others)]));
		}
		case "integer":
		case "number":
			return buildNumberExample(core);
		case "boolean":
			return true;
		case "null":
			return null;
		default:
			return buildTextExample(core);
	}
}

function buildListExample(core: JsonSchema, inner: (schema?: JsonSchema) => unknown): unknown[] {
	const { prefixItems = [], items, minItems = Math.max(1, prefixItems.length) } = core;
	return Array.from({ length: minItems }, (_, index) => inner(prefixItems[index] ?? items));
}

/** The number within the limits that is closest to one step. */
function buildNumberExample(core: JsonSchema): number {
	const step = core.multipleOf ?? 1;
	const low = core.minimum ?? (core.exclusiveMinimum ?? -Infinity) + step;
	const high = core.maximum ?? (core.exclusiveMaximum ?? Infinity) - step;
	const nearest = Math.max(low, Math.min(step, high));
	return Math.min(Math.ceil(nearest / step) * step, high);
}

function buildTextExample({ format = "", pattern, minLength = 0, maxLength = 1e6 }: JsonSchema): string {
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
