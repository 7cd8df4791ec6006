import type { JsonObject } from "../../../api/types.ts";

type Json = JsonObject[string];
const MAX_DEPTH = 6;
const isObject = (value: unknown): value is JsonObject =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** An example that matches a JSON Schema, at least roughly, as a starting point for typing. */
export function buildExample(schema: JsonObject): JsonObject {
	const example = buildValue(schema, schema, 0);
	return isObject(example) ? example : {};
}

function buildValue(given: Json | undefined, root: JsonObject, depth: number): Json {
	if (!isObject(given) || depth > MAX_DEPTH) return null;
	const schema = resolveReference(given, root);
	if (schema.const !== undefined) return schema.const;
	if (schema.default !== undefined) return schema.default;
	if (Array.isArray(schema.examples) && schema.examples[0] !== undefined) return schema.examples[0];
	if (Array.isArray(schema.enum) && schema.enum[0] !== undefined) return schema.enum[0];
	const choice = [schema.anyOf, schema.oneOf].find(Array.isArray)?.[0];
	if (choice !== undefined) return buildValue(choice, root, depth + 1);
	return buildByType(schema, root, depth);
}

function buildByType(schema: JsonObject, root: JsonObject, depth: number): Json {
	const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
	if (type === "object" || isObject(schema.properties)) return buildObject(schema, root, depth);
	switch (type) {
		case "array":
			return schema.items === undefined ? [] : [buildValue(schema.items, root, depth + 1)];
		case "string":
			return buildText(schema);
		case "integer":
		case "number":
			return buildNumber(schema);
		case "boolean":
			return false;
		default:
			return null;
	}
}

function buildObject(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
	const properties = isObject(schema.properties) ? schema.properties : {};
	const parts = Array.isArray(schema.allOf) ? schema.allOf : [];
	const inherited = parts.map((part) => buildValue(part, root, depth + 1)).filter(isObject);
	const own = Object.entries(properties).map(
		([name, each]) => [name, buildValue(each, root, depth + 1)] as const,
	);
	return Object.assign({}, ...inherited, Object.fromEntries(own)) as JsonObject;
}

function buildNumber({ minimum, exclusiveMinimum }: JsonObject): number {
	if (typeof minimum === "number") return minimum;
	return typeof exclusiveMinimum === "number" ? exclusiveMinimum + 1 : 0;
}

const TEXTS: Readonly<Record<string, string>> = {
	email: "ada@example.com",
	uri: "https://example.com/",
	date: "2026-01-31",
	"date-time": "2026-01-31T09:00:00Z",
	time: "09:00:00Z",
	uuid: "00000000-0000-4000-8000-000000000000",
};
const buildText = ({ format }: JsonObject): string =>
	typeof format === "string" ? (TEXTS[format] ?? "") : "";

/** Resolves references within the schema only; nothing is loaded. */
function resolveReference(schema: JsonObject, root: JsonObject): JsonObject {
	let now = schema;
	for (let steps = 0; typeof now.$ref === "string" && steps < MAX_DEPTH; steps++) {
		if (!now.$ref.startsWith("#/")) return {};
		let found: Json | undefined = root;
		for (const part of now.$ref.slice(2).split("/")) {
			const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
			found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
		}
		now = isObject(found) ? found : {};
	}
	return now;
}
