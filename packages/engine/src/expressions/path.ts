import type { Json } from "@tripline/contract/json";
import { findNearest } from "../nearest.ts";
import { isIdentifier } from "./identifiers.ts";

/** A key of an object, or an index of a list. */
export type Step = string | number;

/** Names that reach from data into the JavaScript runtime. Rejected even if the data has them. */
export function isRefused(key: Step): boolean {
	return key === "__proto__" || key === "constructor" || key === "prototype";
}

/** Undefined if there is no such value. Own properties only: inherited ones are not data. */
export function readStep(container: Json | undefined, key: Step): Json | undefined {
	if (typeof container !== "object" || container === null) return undefined;
	if (typeof key === "number") return Array.isArray(container) ? container[key] : undefined;
	if (Array.isArray(container) || !Object.hasOwn(container, key)) return undefined;
	return container[key];
}

/** Why `step` found nothing; continues `"path" is missing: `. Contains types and keys, never a value. */
export function explainMissing(container: Json | undefined, key: Step, path: string): string {
	if (container === undefined) return explainNoValue(path);
	if (typeof key === "number")
		return Array.isArray(container)
			? `${quoteSource(path)} has ${container.length === 1 ? "1 element" : `${container.length} elements`}`
			: `${quoteSource(path)} is ${describeJsonKind(container)}, not a list`;
	if (typeof container !== "object" || container === null || Array.isArray(container))
		return `${quoteSource(path)} is ${describeJsonKind(container)}, not an object`;
	return `${quoteSource(path)} has no ${quoteSource(key)}; it ${describeKeys(Object.keys(container), key)}`;
}

/** Keys in a message, and keys that are compared with the missing one. */
const MAX_KEYS = 10;
const MAX_COMPARED_KEYS = 100;
const MAX_KEY_LENGTH = 40;

/** The nearest key comes first. */
function describeKeys(keys: readonly string[], missing: string): string {
	if (keys.length === 0) return "is empty";
	const nearest = findNearest(missing, keys.slice(0, MAX_COMPARED_KEYS));
	const ordered = nearest === undefined ? keys : [nearest, ...keys.filter((key) => key !== nearest)];
	const shown = ordered.slice(0, MAX_KEYS).map(formatKey).join(", ");
	return keys.length > MAX_KEYS ? `has ${shown} and ${keys.length - MAX_KEYS} more` : `has ${shown}`;
}

/** Keys are data, so they are shortened, and quoted unless they are plain names. */
function formatKey(key: string): string {
	if (key.length <= MAX_KEY_LENGTH) return isIdentifier(key) ? key : JSON.stringify(key.toWellFormed());
	return JSON.stringify(`${key.slice(0, MAX_KEY_LENGTH).toWellFormed()}…`);
}

/** Lists and text have a length, but not as a field. */
export const hasLength = (value: Json | undefined): boolean =>
	typeof value === "string" || Array.isArray(value);

export function explainNoValue(path: string): string {
	return `${quoteSource(path)} has no value in this run (a node that failed, was skipped or has not run has no output)`;
}

export function describeJsonKind(value: unknown): string {
	if (value === null) return "null";
	if (Array.isArray(value)) return "a list";
	switch (typeof value) {
		case "string":
			return "text";
		case "number":
			return "a number";
		case "boolean":
			return "true or false";
		default:
			return "an object";
	}
}

/** The step as written in a path: `.name` or `["any text"]`. */
export function formatStep(key: Step, isName: boolean): string {
	if (typeof key === "number") return `[${key}]`;
	return isName ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** Appends a step to a path: `a.b[0]["c d"]`. */
export function joinPath(path: string, step: Step): string {
	const isName = typeof step === "string" && isIdentifier(step);
	return path === "" && isName ? step : path + formatStep(step, isName);
}

/** Quotes and shortens text for messages. */
export function quoteSource(text: string): string {
	return `"${text.length > 120 ? `${text.slice(0, 117).toWellFormed()}...` : text}"`;
}
