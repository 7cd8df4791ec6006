import { flag, type Schema } from "../schema-words.ts";

interface Properties {
	[name: string]: Schema;
}

/** An object that may have further properties. */
export const object = (description: string, properties: Properties = {}): Schema => ({
	type: "object",
	description,
	properties,
	additionalProperties: true,
});
export const anyOf = (schemas: Schema[], description: string): Schema => ({ anyOf: schemas, description });

/** A value that the service may return as null. */
export const orNull = (schema: Schema): Schema => ({ ...schema, type: [schema.type ?? "object", "null"] });

/** For examples; there is no such file. */
export const exampleFile = (name: string, type: string): Schema => ({
	$file: "7Qm3Zt0yVb5nRk2Ws8Xd1A",
	name,
	type,
	size: 48_213,
});

export const params = (required: Properties, optional: Properties = {}): Schema => ({
	type: "object",
	properties: { ...required, ...optional },
	required: Object.keys(required),
	additionalProperties: false,
});

/** The important fields of a response; further fields are allowed. */
export const answer = (properties: Properties): Schema => ({
	type: "object",
	properties,
	additionalProperties: true,
});

export const done = (name: string, description: string) => ({
	value: { [name]: true },
	schema: answer({ [name]: flag(description) }),
});

/** For a body or a query: parameters that the service calls the same. */
export const pass = (...names: string[]): Record<string, string> =>
	Object.fromEntries(names.map((name) => [name, `{{params.${name}}}`]));
