import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Meter } from "../meter.ts";
import type { Compiled } from "./checking.ts";

/** Why a JSON Schema is rejected. The message continues a sentence that starts with the schema's name. */
export class SchemaProblem extends Error {}

export interface Walk {
	/** Compiles a nested schema; the path from the root is for messages. */
	compile(schema: Json, path: string): Compiled;
	/** Limits the cost of compiling: references can point to the same large part many times. */
	readonly meter: Meter;
}

/** Untrusted regular expressions must not run: JavaScript's matcher backtracks without limit. */
const PATTERNS = ["pattern", "patternProperties"] as const;

const UNSUPPORTED = [
	"if",
	"then",
	"else",
	"dependentSchemas",
	"dependentRequired",
	"dependencies",
	"unevaluatedItems",
	"unevaluatedProperties",
	"$dynamicRef",
] as const;

/** The problem with a keyword of this schema itself, if any. */
export function findRefusedKeyword(schema: JsonObject): string | undefined {
	const has = (keyword: string) => Object.hasOwn(schema, keyword);
	const pattern = PATTERNS.find(has);
	if (pattern !== undefined) return `must not use ${pattern}, because matching can take unbounded time`;
	if (schema.format === "regex") return "must not use the format regex: patterns are not supported";
	const keyword = UNSUPPORTED.find(has);
	return keyword === undefined ? undefined : `must not use ${keyword}, which is not supported`;
}

/** The position in the schema, for messages. */
export const describePath = (path: string): string => (path === "" ? "" : ` at ${path.slice(1, 200)}`);

export const isObject = (value: unknown): value is JsonObject =>
	typeof value === "object" && value !== null && !Array.isArray(value);
