import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { shorten } from "../budget.ts";
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

export interface InputSchema {
	readonly schema: JsonSchema;
	/** What the schema leaves out, as text for the description; empty: it is complete. */
	readonly remainder: string;
}

const ANY: JsonSchema = { type: "object", additionalProperties: true };

/** A workflow's input schema in forms that every client accepts, from the most complete to the shortest. */
export function listInputSchemas(given: JsonObject | null): readonly InputSchema[] {
	if (given === null || !allowsObjects(given.type)) return [{ schema: ANY, remainder: "" }];
	const accepted = toAccepted(given);
	return [
		accepted,
		{ schema: toOutline(accepted.schema, MAX_HELP_LENGTH), remainder: CUT },
		{ schema: toOutline(accepted.schema, 0), remainder: CUT },
		{ schema: ANY, remainder: TOO_LONG },
	];
}

function toAccepted(given: JsonObject): InputSchema {
	const whole = JSON.stringify(given, dropHeaderKeyword);
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

/** Names and types of the arguments, with descriptions of at most `most` characters. The executor checks the rest. */
function toOutline({ properties, required }: JsonSchema, most: number): JsonSchema {
	const fields = Object.entries((properties ?? {}) as JsonObject).map(([name, field]) => {
		const { type, enum: values, description } = isObject(field) ? field : {};
		return [
			name,
			{
				...(type !== undefined && { type }),
				...(values !== undefined && most > 0 && { enum: values }),
				...(typeof description === "string" && most > 0 && { description: shorten(description, most) }),
			},
		];
	});
	return {
		type: "object",
		properties: Object.fromEntries(fields),
		...(required !== undefined && { required }),
		additionalProperties: true,
	};
}

const MAX_HELP_LENGTH = 40;
const CUT = "Its input has more rules: get_workflow returns them in options.input_schema.";
const TOO_LONG =
	"The JSON Schema of its input is too long to be included: get_workflow returns it in options.input_schema.";

const dropHeaderKeyword = (key: string, value: unknown): unknown =>
	key === HEADER_KEYWORD ? undefined : value;

const isArgument = (name: Json): boolean => typeof name === "string" && ARGUMENT.test(name);

/** Input is always an object, even if the schema has no type. */
const allowsObjects = (type: Json | undefined): boolean =>
	type === undefined || type === "object" || (Array.isArray(type) && type.includes("object"));
