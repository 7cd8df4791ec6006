import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Meter } from "../meter.ts";
import type { Compiled } from "./checking.ts";

/** Why a JSON Schema cannot be used, as words that follow its name. */
export class SchemaProblem extends Error {}

export interface Walk {
	/** Compiles a schema inside a schema; the path leads there from the top, for messages. */
	compile(schema: Json, path: string): Compiled;
	/** What compiling may cost: references can name the same large part many times. */
	readonly meter: Meter;
}

/** Regular expressions of others may not run here: JavaScript's matcher backtracks without limit. */
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

/** What is wrong with a keyword of this schema itself. */
export function refused(schema: JsonObject): string | undefined {
	const has = (keyword: string) => Object.hasOwn(schema, keyword);
	const pattern = PATTERNS.find(has);
	if (pattern !== undefined) return `must not use ${pattern}, which can take for ever to match`;
	if (schema.format === "regex") return "must not use the format regex: patterns are not taken here";
	const keyword = UNSUPPORTED.find(has);
	return keyword === undefined ? undefined : `must not use ${keyword}, which is not supported`;
}

/** Where in the schema, for messages. */
export const at = (path: string): string => (path === "" ? "" : ` at ${path.slice(1, 200)}`);

export const isObject = (value: unknown): value is JsonObject =>
	typeof value === "object" && value !== null && !Array.isArray(value);
