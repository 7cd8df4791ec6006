import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { isObject } from "../schemas.ts";
import { ANSWER } from "./chat.ts";

/** Keywords whose value is an object of schemas by name; those names are not keywords. */
const BY_NAME = new Set(["properties", "$defs", "definitions"]);
/** Keywords whose value is data, not a schema. */
const DATA = new Set(["enum", "const", "default", "examples", "required"]);

/** Keywords that OpenAI's strict mode rejects. */
const NOT_STRICT = ["allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"];

/** Keywords that Anthropic rejects; they are checked in the answer instead. */
const NOT_ANTHROPIC = new Set([
	"minimum",
	"maximum",
	"exclusiveMinimum",
	"exclusiveMaximum",
	"multipleOf",
	"minLength",
	"maxLength",
	"maxItems",
	"uniqueItems",
	"minProperties",
	"maxProperties",
]);

/** Keywords that Gemini knows. */
const GEMINI = new Set([
	"$id",
	"$anchor",
	"$defs",
	"$ref",
	"definitions",
	"type",
	"format",
	"title",
	"description",
	"enum",
	"items",
	"prefixItems",
	"minItems",
	"maxItems",
	"minimum",
	"maximum",
	"anyOf",
	"oneOf",
	"properties",
	"additionalProperties",
	"required",
]);

/** Whether OpenAI can enforce the schema: every object is closed, and all its fields are required. */
export function isStrict(schema: JsonObject): boolean {
	return checkEverySchema(schema, (part) => {
		if (NOT_STRICT.some((keyword) => Object.hasOwn(part, keyword))) return false;
		if (!isObjectSchema(part)) return true;
		const { properties, required } = part;
		return (
			part.additionalProperties === false &&
			Array.isArray(required) &&
			isObject(properties) &&
			Object.keys(properties).every((name) => required.includes(name))
		);
	});
}

/** The schema as Anthropic accepts it: closed objects, no bounds. */
export function toAnthropicSchema(schema: JsonObject): JsonObject {
	const isKept = (key: string, value: Json) =>
		!NOT_ANTHROPIC.has(key) && !(key === "minItems" && Number(value) > 1);
	const kept = mapSchema(schema, isKept, toAnthropicSchema);
	const isOpen = isObjectSchema(schema) && !Object.hasOwn(schema, "additionalProperties");
	return isOpen ? { ...kept, additionalProperties: false } : kept;
}

/** The schema as Gemini accepts it: only keywords that it knows. */
export function toGeminiSchema(schema: JsonObject): JsonObject {
	const { const: value } = schema;
	const kept = mapSchema(schema, (key) => GEMINI.has(key), toGeminiSchema);
	return typeof value === "string" || typeof value === "number" ? { ...kept, enum: [value] } : kept;
}

/** Whether the schema can be the root of an answer: providers accept only objects there. */
export const isObjectRoot = (schema: JsonObject): boolean => schema.type === "object";

/** The schema, or that of an object which has the answer as its only field. */
export function toObjectSchema(schema: JsonObject): JsonObject {
	if (isObjectRoot(schema)) return schema;
	const { $defs, definitions, ...root } = moveReferences(schema);
	return {
		type: "object",
		properties: { [ANSWER]: root },
		required: [ANSWER],
		additionalProperties: false,
		...($defs === undefined ? {} : { $defs }),
		...(definitions === undefined ? {} : { definitions }),
	};
}

/** References to definitions stay; what else the root has is one level deeper then. */
function moveReferences(schema: JsonObject): JsonObject {
	const moved = mapSchema(schema, () => true, moveReferences);
	const { $ref } = moved;
	if (typeof $ref !== "string" || !/^#(?!\/(?:\$defs|definitions)\/)/.test($ref)) return moved;
	return { ...moved, $ref: `#/properties/${ANSWER}${$ref.slice(1)}` };
}

const mapSchema = (
	schema: JsonObject,
	isKept: (key: string, value: Json) => boolean,
	replace: (part: JsonObject) => JsonObject,
): JsonObject =>
	Object.fromEntries(
		Object.entries(schema)
			.filter(([key, value]) => isKept(key, value))
			.map(([key, value]) => [key, replaceSchemas(key, value, replace)]),
	);

const isObjectSchema = ({ type, properties }: JsonObject): boolean =>
	type === "object" || (Array.isArray(type) && type.includes("object")) || isObject(properties);

function checkEverySchema(schema: JsonObject, holds: (part: JsonObject) => boolean): boolean {
	let all = holds(schema);
	for (const [key, value] of Object.entries(schema)) {
		replaceSchemas(key, value, (part) => {
			all &&= checkEverySchema(part, holds);
			return part;
		});
	}
	return all;
}

/** Returns a keyword's value with the schemas in it replaced. */
function replaceSchemas(key: string, value: Json, replace: (schema: JsonObject) => JsonObject): Json {
	if (DATA.has(key)) return value;
	if (Array.isArray(value)) return value.map((each) => (isObject(each) ? replace(each) : each));
	if (!isObject(value)) return value;
	if (!BY_NAME.has(key)) return replace(value);
	return Object.fromEntries(
		Object.entries(value).map(([name, schema]) => [name, isObject(schema) ? replace(schema) : schema]),
	);
}
