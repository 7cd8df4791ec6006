import type { Json } from "@tripline/contract/json";

/** JSON Schema as data. */
export interface Schema {
	[keyword: string]: Json;
}

export const text = (description: string, more: Schema = {}): Schema => ({
	type: "string",
	description,
	...more,
});

export const number = (description: string, more: Schema = {}): Schema => ({
	type: "number",
	description,
	...more,
});

export const integer = (description: string, more: Schema = {}): Schema => ({
	type: "integer",
	description,
	...more,
});

export const flag = (description: string, more: Schema = {}): Schema => ({
	type: "boolean",
	description,
	...more,
});

export const choice = (values: readonly string[], description: string, more: Schema = {}): Schema => ({
	type: "string",
	enum: [...values],
	description,
	...more,
});

/** A file value. */
export const file = (description: string, more: Schema = {}): Schema => ({
	type: "object",
	format: "file",
	description,
	...more,
});

export const list = (items: Schema, description: string, more: Schema = {}): Schema => ({
	type: "array",
	items,
	description,
	...more,
});
