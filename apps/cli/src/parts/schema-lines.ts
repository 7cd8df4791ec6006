import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { columns } from "../columns.ts";
import { isObject } from "../data-file.ts";

/** Renders the fields of a JSON Schema, one per line: name, type, required or default, description. */
export function schemaLines(schema: JsonObject): string {
	const rows = rowsOf(schema, schema, "");
	return rows.length === 0
		? `  ${typeText(schema, schema)}`
		: columns(rows.map(([name, ...more]) => [`  ${name}`, ...more]));
}

type Row = readonly [name: string, type: string, need: string, meaning: string];

/** The fields of an object, each followed by its nested fields. */
function rowsOf(root: JsonObject, given: JsonObject, above: string): Row[] {
	const schema = resolved(root, given);
	const required = Array.isArray(schema.required) ? schema.required : [];
	return Object.entries(isObject(schema.properties) ? schema.properties : {}).flatMap(([name, value]) => {
		if (!isObject(value)) return [];
		const field = resolved(root, value);
		const need =
			field.default === undefined
				? required.includes(name)
					? "required"
					: ""
				: `default ${JSON.stringify(field.default)}`;
		const row: Row = [`${above}${name}`, typeText(root, field), need, firstLine(field.description)];
		// The depth is limited because a schema may refer to itself.
		return above.split(".").length > MOST_DEPTH ? [row] : [row, ...rowsOf(root, field, `${above}${name}.`)];
	});
}

const MOST_DEPTH = 3;

const firstLine = (text: Json | undefined): string =>
	typeof text === "string" ? (text.split("\n", 1)[0] as string) : "";

const WORDS: Readonly<Record<string, string>> = {
	string: "text",
	integer: "whole number",
	boolean: "true or false",
};

function typeText(root: JsonObject, given: JsonObject): string {
	const schema = resolved(root, given);
	const choices = schema.anyOf ?? schema.oneOf;
	if (Array.isArray(choices))
		return either(choices.filter((choice) => isObject(choice)).map((choice) => typeText(root, choice)));
	if (Array.isArray(schema.enum)) return either(schema.enum.map((value) => JSON.stringify(value)));
	if (schema.const !== undefined) return JSON.stringify(schema.const);
	if (Array.isArray(schema.type)) return either(schema.type.map((type) => typeText(root, { type })));
	if (schema.type === "array")
		return isObject(schema.items) ? `list of ${typeText(root, schema.items)}` : "list";
	return typeof schema.type === "string" ? (WORDS[schema.type] ?? schema.type) : "any value";
}

const either = (texts: readonly string[]): string => [...new Set(texts)].join(" or ");

/** Resolves a `$ref`, keeping the keywords next to it. */
function resolved(root: JsonObject, schema: JsonObject): JsonObject {
	const { $ref, ...said } = schema;
	const name = typeof $ref === "string" ? /^#\/(?:\$defs|definitions)\/(.+)$/.exec($ref)?.[1] : undefined;
	const known = root.$defs ?? root.definitions;
	const meant = name !== undefined && isObject(known) ? known[name] : undefined;
	return isObject(meant) ? { ...meant, ...said } : schema;
}
