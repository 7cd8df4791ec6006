import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";

/** Recursive references are refused elsewhere; this only ends the loop. */
const MAX_REFERENCES = 8;

export interface Simple {
	readonly schema: JsonObject;
	readonly isNullable: boolean;
}

/** Follows references, and separates null from the rest: `["string", "null"]`, or an alternative with null. */
export function simplify(given: Json | undefined, root: JsonObject): Simple {
	let schema = isObject(given) ? given : {};
	let isNullable = false;
	for (let count = 0; count < MAX_REFERENCES; count++) {
		const { $ref, ...beside } = schema;
		const only = findOnlyAlternative(schema);
		if (typeof $ref === "string") schema = { ...findDefinition($ref, root), ...beside };
		else if (only !== null) {
			isNullable = true;
			schema = only;
		} else break;
	}
	const { type, enum: values } = schema;
	if (Array.isArray(type) && type.includes("null")) isNullable = true;
	if (Array.isArray(values) && values.includes(null)) isNullable = true;
	return { schema, isNullable };
}

/** The alternative beside null, with the keywords around it. */
function findOnlyAlternative(schema: JsonObject): JsonObject | null {
	const { anyOf, oneOf, ...around } = schema;
	const list = Array.isArray(anyOf) ? anyOf : oneOf;
	if (!Array.isArray(list) || list.length !== 2 || (anyOf !== undefined && oneOf !== undefined)) return null;
	const others = list.filter((each) => !(isObject(each) && each.type === "null"));
	const [other] = others;
	return others.length === 1 && isObject(other) ? { ...other, ...around } : null;
}

function findDefinition(ref: string, root: JsonObject): JsonObject {
	const [, keyword = "", name = ""] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(ref) ?? [];
	const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
	const definitions = root[keyword];
	const found = isObject(definitions) && Object.hasOwn(definitions, key) ? definitions[key] : undefined;
	return isObject(found) ? found : {};
}

/** The types without null; text if the schema names none. */
export function listTypes(schema: JsonObject): readonly Json[] {
	const { type } = schema;
	if (type === undefined) {
		if (["properties", "required", "additionalProperties"].some((word) => Object.hasOwn(schema, word)))
			return ["object"];
		return Object.hasOwn(schema, "items") || Object.hasOwn(schema, "prefixItems") ? ["array"] : ["string"];
	}
	return Array.isArray(type) ? type.filter((each) => each !== "null") : [type];
}

/** A file: a value of its own, although it is an object in the input. */
export const isFile = (schema: JsonObject): boolean =>
	schema.format === "file" && (schema.type === undefined || listTypes(schema).includes("object"));

export const isObject = (value: unknown): value is JsonObject =>
	typeof value === "object" && value !== null && !Array.isArray(value);

export const readText = (value: Json | undefined): string | null =>
	typeof value === "string" && value.trim() !== "" ? value : null;

export const readNumber = (value: Json | undefined): number | null =>
	typeof value === "number" && Number.isFinite(value) ? value : null;
