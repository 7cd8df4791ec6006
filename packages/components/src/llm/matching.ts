import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileInputCheck } from "@tripline/engine/input-schema";
import { TerminalError } from "@tripline/engine/terminal-error";
import { isObject } from "../schemas.ts";
import { tryParseJson } from "./parse-answer.ts";

const MAX_ISSUES = 3;

/** Why answers cannot be checked against the schema, or null. */
export function findSchemaProblem(schema: JsonObject): string | null {
	if (schema.type !== "object") return 'must describe an object: its "type" must be "object"';
	const check = compileInputCheck(schema);
	return typeof check === "function" ? null : check.problem;
}

/** Parses the answer and checks it against the schema. A mismatch can be retried: the model may answer better. */
export function parseMatching(text: string, schema: JsonObject): Json {
	const check = compileInputCheck(schema);
	if (typeof check !== "function") throw new TerminalError(`schema ${check.problem}`);
	const value = tryParseJson(stripCodeFence(text));
	if (!isObject(value)) throw new Error("the model's answer is not a JSON object, which the schema requires");
	const issues = check(value).map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
	if (issues.length === 0) return value;
	throw new Error(`the model's answer does not match the schema: ${issues.slice(0, MAX_ISSUES).join("; ")}`);
}

/** Models without structured output often wrap JSON in a Markdown code block. */
function stripCodeFence(text: string): string {
	const trimmed = text.trim();
	if (!trimmed.startsWith("```") || !trimmed.endsWith("```")) return trimmed;
	const start = trimmed.indexOf("\n");
	return start === -1 ? trimmed : trimmed.slice(start, -3);
}
