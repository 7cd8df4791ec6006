import type { Schema } from "@tripline/components/schema-words";

type Fields = { readonly [name: string]: Schema };

export const anything = (description: string): Schema => ({ description });

export const orNull = (schema: Schema): Schema => {
	const { description = "", ...rest } = schema;
	return { anyOf: [rest, { type: "null" }], description };
};

/** An object with at least these fields; all are required unless `required` names fewer. */
export const object = (fields: Fields, description: string, required = Object.keys(fields)): Schema => ({
	type: "object",
	properties: { ...fields },
	required,
	description,
});

/** The parameters of a component: these and no others. */
export const params = (fields: Fields, required: string[]): Schema => ({
	type: "object",
	properties: { ...fields },
	required,
	additionalProperties: false,
});
