import { flag, type Schema } from "../schema-words.ts";

interface Properties {
	[name: string]: Schema;
}

/** An object whose other properties are free. */
export const object = (description: string, properties: Properties = {}): Schema => ({
	type: "object",
	description,
	properties,
	additionalProperties: true,
});
export const anyOf = (schemas: Schema[], description: string): Schema => ({ anyOf: schemas, description });

/** What the service may answer null for. */
export const orNull = (schema: Schema): Schema => ({ ...schema, type: [schema.type ?? "object", "null"] });

export const params = (required: Properties, optional: Properties = {}): Schema => ({
	type: "object",
	properties: { ...required, ...optional },
	required: Object.keys(required),
	additionalProperties: false,
});

/** The fields of an answer that matter; the rest comes along. */
export const answer = (properties: Properties): Schema => ({
	type: "object",
	properties,
	additionalProperties: true,
});

export const done = (name: string, description: string) => ({
	value: { [name]: true },
	schema: answer({ [name]: flag(description) }),
});
