import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { isObject } from "../fields.ts";
import type { JsonSchema } from "../tool.ts";

/** Argument names that model APIs accept. A single tool with another name makes them reject all tools. */
const ARGUMENT = /^[A-Za-z0-9_.-]{1,64}$/;
/** Keywords that they reject at the top level. The executor validates the input against the whole schema anyway. */
const REJECTED_KEYWORDS = ["$ref", "anyOf", "oneOf", "allOf", "not", "enum", "const"];
/** Not needed: MCP assumes JSON Schema 2020-12. */
const IGNORED_KEYWORDS = ["$schema", "$id"];
/** Asks clients to send an argument in a header as well (SEP-2243), for intermediaries. This server does not check it. */
const HEADER_KEYWORD = "x-mcp-header";
const MAX_SCHEMA_LENGTH = 8_000;

export interface InputSchema {
	readonly schema: JsonSchema;
	/** The part of the schema that clients do not accept, as text; empty: the schema is complete. */
	readonly remainder: string;
}

const ANY: JsonSchema = { type: "object", additionalProperties: true };

/** A workflow's input schema in a form that every client accepts. */
export function toInputSchema(given: JsonObject | null): InputSchema {
	if (given === null || !allowsObjects(given.type)) return { schema: ANY, remainder: "" };
	const whole = JSON.stringify(given, dropHeaderKeyword);
	if (whole.length > MAX_SCHEMA_LENGTH) return { schema: ANY, remainder: TOO_LONG };
	const { properties, required, ...rest } = JSON.parse(whole) as JsonObject;
	const fields = Object.entries(isObject(properties) ? properties : {});
	const taken = fields.filter(([name]) => ARGUMENT.test(name));
	const rules = Object.entries(rest).filter(([word]) => !IGNORED_KEYWORDS.includes(word));
	const takenRules = rules.filter(([word]) => !REJECTED_KEYWORDS.includes(word));
	const isWhole = taken.length === fields.length && takenRules.length === rules.length;
	return {
		schema: {
			...Object.fromEntries(takenRules),
			type: "object",
			properties: Object.fromEntries(taken),
			...(Array.isArray(required) && { required: required.filter(isArgument) }),
			...(!isWhole && { additionalProperties: true }),
		},
		remainder: isWhole ? "" : `The JSON Schema of its input: ${whole}`,
	};
}

const TOO_LONG =
	"The JSON Schema of its input is too long to be included: get_workflow returns it in options.input_schema.";

const dropHeaderKeyword = (key: string, value: unknown): unknown =>
	key === HEADER_KEYWORD ? undefined : value;

const isArgument = (name: Json): boolean => typeof name === "string" && ARGUMENT.test(name);

/** Input is always an object, even if the schema has no type. */
const allowsObjects = (type: Json | undefined): boolean =>
	type === undefined || type === "object" || (Array.isArray(type) && type.includes("object"));
