import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { isObject } from "../fields.ts";
import type { JsonSchema } from "../tool.ts";

/** What models' APIs take as the name of an argument. One tool with another name makes them refuse all of them. */
const ARGUMENT = /^[A-Za-z0-9_.-]{1,64}$/;
/** They also refuse these at the top. The executor checks the input by the whole schema in any case. */
const REFUSED_RULES = ["$ref", "anyOf", "oneOf", "allOf", "not", "enum", "const"];
/** No rules: 2020-12 is what MCP takes a schema for. */
const NAMES = ["$schema", "$id"];
/** Asks clients to send an argument in a header too (SEP-2243), which only an intermediary would read. Nothing here compares it. */
const HEADER_WISH = "x-mcp-header";
const MOST_CHARACTERS = 8_000;

export interface InputSchema {
	readonly schema: JsonSchema;
	/** What the schema could not say in a form that clients take; empty: it says all. */
	readonly unsaid: string;
}

const ANY: JsonSchema = { type: "object", additionalProperties: true };

/** A workflow's schema of its input, in a form that every client takes. */
export function inputSchemaOf(given: JsonObject | null): InputSchema {
	if (given === null || !allowsObjects(given.type)) return { schema: ANY, unsaid: "" };
	const whole = JSON.stringify(given, withoutHeaderWish);
	if (whole.length > MOST_CHARACTERS) return { schema: ANY, unsaid: TOO_LONG };
	const { properties, required, ...rest } = JSON.parse(whole) as JsonObject;
	const fields = Object.entries(isObject(properties) ? properties : {});
	const taken = fields.filter(([name]) => ARGUMENT.test(name));
	const rules = Object.entries(rest).filter(([word]) => !NAMES.includes(word));
	const takenRules = rules.filter(([word]) => !REFUSED_RULES.includes(word));
	const isWhole = taken.length === fields.length && takenRules.length === rules.length;
	return {
		schema: {
			...Object.fromEntries(takenRules),
			type: "object",
			properties: Object.fromEntries(taken),
			...(Array.isArray(required) && { required: required.filter(isArgument) }),
			...(!isWhole && { additionalProperties: true }),
		},
		unsaid: isWhole ? "" : `The JSON Schema of its input: ${whole}`,
	};
}

const TOO_LONG =
	"The JSON Schema of its input is too long to be told here: get_workflow has it in options.input_schema.";

const withoutHeaderWish = (key: string, value: unknown): unknown => (key === HEADER_WISH ? undefined : value);

const isArgument = (name: Json): boolean => typeof name === "string" && ARGUMENT.test(name);

/** An input is an object, whether the schema says so or not. */
const allowsObjects = (type: Json | undefined): boolean =>
	type === undefined || type === "object" || (Array.isArray(type) && type.includes("object"));
