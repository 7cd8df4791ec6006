import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";

export const isObject = (value: unknown): value is JsonObject =>
	typeof value === "object" && value !== null && !Array.isArray(value);

export const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const toList = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);

export const toText = (value: unknown): string => (typeof value === "string" ? value : "");

/** An own member: names such as `constructor` are in every object. */
export const getMember = (object: JsonObject, name: string): Json | undefined =>
	Object.hasOwn(object, name) ? object[name] : undefined;

/** At most `most` characters, cut at the end of a word. */
export function shorten(text: string, most: number): string {
	const plain = text.replace(/\s+/g, " ").trim();
	if (plain.length <= most) return plain.toWellFormed();
	const cut = plain.slice(0, most - 1);
	const space = cut.lastIndexOf(" ");
	return `${cut.slice(0, space > most / 2 ? space : most - 1).toWellFormed()}…`;
}
