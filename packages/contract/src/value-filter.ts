import * as z from "zod";
import type { Json } from "./json.ts";

/** Members that an object must have. */
export type ValueFilter = Readonly<Record<string, string | number | boolean | null>>;

const MAX_FILTER_NAMES = 10;
const MAX_FILTER_LENGTH = 4_096;

/** Why a value is not a filter; null if it is one. */
export function findFilterProblem(value: unknown): string | null {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return "must be an object";
	const entries = Object.entries(value);
	if (entries.length > MAX_FILTER_NAMES) return `must have at most ${MAX_FILTER_NAMES} names`;
	const nested = entries.find(([, wanted]) => typeof wanted === "object" && wanted !== null);
	if (nested !== undefined)
		return `must have plain values; ${JSON.stringify(nested[0])} is a list or an object`;
	// A query is part of a URL, which must not become too long.
	const length = entries.reduce((sum, [name, wanted]) => sum + name.length + String(wanted).length, 0);
	return length > MAX_FILTER_LENGTH ? `must be at most ${MAX_FILTER_LENGTH} characters` : null;
}

/** As a query parameter: JSON text. */
export const ValueFilterText = z.string().transform((text, context): ValueFilter => {
	const value = parseFilter(text);
	const problem = value === undefined ? "must be JSON" : findFilterProblem(value);
	if (problem === null) return value as ValueFilter;
	context.addIssue({ code: "custom", message: problem });
	return z.NEVER;
});

/** Whether each member equals the wanted value, or is a list that contains it. Null also matches a missing member. */
export function matchesFilter(object: Readonly<Record<string, Json>>, filter: ValueFilter): boolean {
	return Object.entries(filter).every(([name, wanted]) => {
		const value = Object.hasOwn(object, name) ? object[name] : null;
		return value === wanted || (Array.isArray(value) && value.includes(wanted));
	});
}

function parseFilter(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
