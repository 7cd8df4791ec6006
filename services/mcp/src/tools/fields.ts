import { NextCursor } from "@tripline/contract/paging";
import type { JsonObject } from "@tripline/contract/workflows";
import * as z from "zod";

/** Clients accept about 150,000 characters, and models handle far fewer well. */
const DEFAULT_CHARS = 20_000;

export const maxChars = z
	.int()
	.min(2_000)
	.max(100_000)
	.default(DEFAULT_CHARS)
	.meta({ description: "Maximum length of the answer in characters" });

/** For tools without a `max_chars` argument. */
export const MAX_PAGE_CHARS = DEFAULT_CHARS;

export const select = z
	.string()
	.max(1_000)
	.optional()
	.meta({ description: 'The part to return: a.b[0]["c d"], or a slice of a list: items[20:40]' });

export const offset = z
	.int()
	.min(0)
	.default(0)
	.meta({ description: "Where to start in a text or list: next_offset of the previous answer" });

export const limit = (fallback: number, most: number) =>
	z.int().min(1).max(most).default(fallback).meta({ description: "Maximum number of results" });

export const cursor = z
	.string()
	.min(1)
	.max(2_000)
	.optional()
	.meta({ description: "next_cursor of the previous answer" });

export const nextCursor = NextCursor.meta({ description: "Null at the end" });

export const next = z.string();

/** An object with any keys. Some clients send objects as JSON text. */
export const anyObject = z.preprocess(
	(value) => (typeof value === "string" ? (parseObject(value) ?? value) : value),
	z.custom<JsonObject>(isObject, "must be an object").meta({ type: "object", additionalProperties: true }),
);

/** Null: the text is not a JSON object. */
export function parseObject(text: string): JsonObject | null {
	if (!/^\s*\{/.test(text)) return null;
	try {
		const value: unknown = JSON.parse(text);
		return isObject(value) ? value : null;
	} catch {
		return null;
	}
}

export function isObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
