import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "../../../api/types.ts";
import type { Issue } from "../../credentials/form-check.ts";

/** Whatever is typed, which may not be a recipe yet. */
export type Draft = JsonObject;

export const FIRST_DRAFT: Draft = {
	title: "",
	description: "",
	auth: null,
	base_url: "https://",
	operations: {},
};

export const NEW_OPERATION: Draft = {
	title: "",
	method: "GET",
	path: "/",
	params: { type: "object", properties: {} },
	output: { schema: {} },
};

const isObject = (value: unknown): value is JsonObject =>
	typeof value === "object" && value !== null && !Array.isArray(value);

export const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {});
export const toText = (value: unknown): string => (typeof value === "string" ? value : "");

/** Sets a field, or removes it. */
export function setField(of: JsonObject, name: string, value: Json | undefined): JsonObject {
	if (value !== undefined) return { ...of, [name]: value };
	const { [name]: _, ...rest } = of;
	return rest;
}

/** Renames a key and keeps the order. The caller has made sure that the name is free. */
export const renameKey = (of: JsonObject, from: string, to: string): JsonObject =>
	Object.fromEntries(Object.entries(of).map(([name, value]) => [name === from ? to : name, value]));

/** A name that no key has yet. */
export function pickFreeKey(of: JsonObject, base: string): string {
	for (let number = 1; ; number++) {
		const name = number === 1 ? base : `${base}_${number}`;
		if (!Object.hasOwn(of, name)) return name;
	}
}

const FIELDS = ["id", "title", "description", "category", "base_url", "docs_url", "auth"];
const OPERATION_FIELDS = ["title", "description", "method", "path", "params", "query", "body", "paginate"];

const isAt = (path: string, field: string): boolean => path === field || path.startsWith(`${field}.`);

/** The service's messages about a field and what is in it. */
export function describeAt(issues: readonly Issue[], field: string): string | null {
	const found = issues.filter(({ path }) => isAt(path, field));
	if (found.length === 0) return null;
	return found.map(({ path, message }) => `${path.slice(field.length + 1)} ${message}`.trim()).join("; ");
}

/** Those that no field of the form shows. */
export function listOthers(issues: readonly Issue[], draft: Draft): readonly Issue[] {
	const names = Object.keys(toObject(draft.operations)).map((name) => `operations.${name}`);
	const fields = [...FIELDS, ...names.flatMap((name) => OPERATION_FIELDS.map((field) => `${name}.${field}`))];
	return issues.filter(({ path }) => !names.includes(path) && !fields.some((field) => isAt(path, field)));
}
