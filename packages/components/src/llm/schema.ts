import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { isObject } from "../schemas.ts";

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
	const kept = Object.entries(schema).filter(
		([key, value]) => !NOT_ANTHROPIC.has(key) && !(key === "minItems" && Number(value) > 1),
	);
	const parts = kept.map(([key, value]): [string, Json] => [
		key,
		replaceSchemas(key, value, toAnthropicSchema),
	]);
	const closed = isObjectSchema(schema) && !Object.hasOwn(schema, "additionalProperties");
	if (closed) parts.push(["additionalProperties", false]);
	return Object.fromEntries(parts);
}

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
