import * as z from "zod";

/** JSON nests at most this deep, in bodies and in `metadata_json`. */
export const MAX_JSON_DEPTH = 64;

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Any value of a body: that it is JSON is known, so looking into it again would only cost time. */
export const AnyJson = z.custom<Json>().meta({ description: "Any JSON value" });

/**
 * What keeps a parsed JSON value from being stored and read back unchanged on every database, or null.
 * Lone surrogates have no UTF-8 form, and PostgreSQL text cannot hold NUL.
 */
export function unstorable(value: unknown, depth = 0): string | null {
	if (typeof value === "string") return unstorableText(value);
	if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
		return "a number is too large";
	if (typeof value !== "object" || value === null) return null;
	if (depth >= MAX_JSON_DEPTH) return `json nests deeper than ${MAX_JSON_DEPTH} levels`;
	for (const key in value) {
		const problem = unstorableText(key) ?? unstorable((value as Record<string, unknown>)[key], depth + 1);
		if (problem !== null) return problem;
	}
	return null;
}

/** For what is only passed on: everything that JSON can say is fine, but not at any depth. */
export function nestsTooDeep(value: unknown, depth = 0): boolean {
	if (typeof value !== "object" || value === null) return false;
	if (depth >= MAX_JSON_DEPTH) return true;
	for (const key in value) if (nestsTooDeep((value as Record<string, unknown>)[key], depth + 1)) return true;
	return false;
}

function unstorableText(text: string): string | null {
	if (text.includes("\u0000")) return "text must not contain NUL characters";
	if (!text.isWellFormed()) return "text must not contain lone surrogates";
	return null;
}
