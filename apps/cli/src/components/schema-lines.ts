import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { alignColumns } from "../columns.ts";
import { isObject } from "../data-file.ts";

/** Renders the fields of a JSON Schema, one per line: name, type, required or default, description. */
export function renderSchema(schema: JsonObject): string {
	const rows = listRows(schema, schema, "");
	return rows.length === 0
		? `  ${describeType(schema, schema)}`
		: alignColumns(rows.map(([name, ...more]) => [`  ${name}`, ...more]));
}

type Row = readonly [name: string, type: string, need: string, meaning: string];

/** The fields of an object, each followed by its nested fields. */
function listRows(root: JsonObject, given: JsonObject, above: string): Row[] {
	const schema = resolveRef(root, given);
	const required = Array.isArray(schema.required) ? schema.required : [];
	return Object.entries(isObject(schema.properties) ? schema.properties : {}).flatMap(([name, value]) => {
		if (!isObject(value)) return [];
		const field = resolveRef(root, value);
		const need =
			field.default === undefined
				? required.includes(name)
					? "required"
					: ""
				: `default ${JSON.stringify(field.default)}`;
		const row: Row = [`${above}${name}`, describeType(root, field), need, takeFirstLine(field.description)];
		// The depth is limited because a schema may refer to itself.
		return above.split(".").length > MAX_DEPTH ? [row] : [row, ...listRows(root, field, `${above}${name}.`)];
	});
}

const MAX_DEPTH = 3;

const takeFirstLine = (text: Json | undefined): string =>
	typeof text === "string" ? (text.split("\n", 1)[0] as string) : "";

const WORDS: Readonly<Record<string, string>> = {
	string: "text",
	integer: "whole number",
	boolean: "true or false",
};

function describeType(root: JsonObject, given: JsonObject): string {
	const schema = resolveRef(root, given);
	const choices = schema.anyOf ?? schema.oneOf;
	if (Array.isArray(choices))
		return joinChoices(
			choices.filter((choice) => isObject(choice)).map((choice) => describeType(root, choice)),
		);
	if (Array.isArray(schema.enum)) return joinChoices(schema.enum.map((value) => JSON.stringify(value)));
	if (schema.const !== undefined) return JSON.stringify(schema.const);
	if (Array.isArray(schema.type)) return joinChoices(schema.type.map((type) => describeType(root, { type })));
	if (schema.type === "array")
		return isObject(schema.items) ? `list of ${describeType(root, schema.items)}` : "list";
	return typeof schema.type === "string" ? (WORDS[schema.type] ?? schema.type) : "any value";
}

const joinChoices = (texts: readonly string[]): string => [...new Set(texts)].join(" or ");

/** Resolves a `$ref`, keeping the keywords next to it. */
function resolveRef(root: JsonObject, schema: JsonObject): JsonObject {
	const { $ref, ...said } = schema;
	const name = typeof $ref === "string" ? /^#\/(?:\$defs|definitions)\/(.+)$/.exec($ref)?.[1] : undefined;
	const known = root.$defs ?? root.definitions;
	const meant = name !== undefined && isObject(known) ? known[name] : undefined;
	return isObject(meant) ? { ...meant, ...said } : schema;
}
