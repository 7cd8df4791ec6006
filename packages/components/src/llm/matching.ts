import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileInputCheck } from "@tripline/engine/input-schema";
import { TerminalError } from "@tripline/engine/terminal-error";
import { anyObject, isObject } from "../schemas.ts";
import { ANSWER, type ChatMessage, type Reply, type ToolCall, toAssistantMessage } from "./chat.ts";
import { tryParseJson } from "./parse-answer.ts";
import { isObjectRoot } from "./schema.ts";

const MAX_ISSUES = 3;

/** A JSON Schema that an answer must match. */
export const AnswerSchema = anyObject().superRefine((schema, context) => {
	const problem = findSchemaProblem(schema);
	if (problem !== null) context.addIssue(problem);
});

/** Why answers cannot be checked against the schema, or null. */
function findSchemaProblem(schema: JsonObject): string | null {
	const check = compileInputCheck(schema);
	return typeof check === "function" ? null : check.problem;
}

type Match = { readonly value: Json } | { readonly problem: string };

/** Parses the answer and checks it against the schema. The problem is for people and for the model. */
export function matchAnswer(text: string, schema: JsonObject): Match {
	const check = compileInputCheck(schema);
	if (typeof check !== "function") throw new TerminalError(`schema ${check.problem}`);
	const parsed = tryParseJson(stripCodeFence(text));
	if (parsed === undefined || (isObjectRoot(schema) && !isObject(parsed))) {
		const wanted = isObjectRoot(schema) ? "a JSON object" : "JSON";
		return { problem: `the model's answer is not ${wanted}, which the schema requires` };
	}
	const value = isObjectRoot(schema) ? parsed : unwrap(parsed);
	const issues = check(value).map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
	if (issues.length === 0) return { value };
	return {
		problem: `the model's answer does not match the schema: ${issues.slice(0, MAX_ISSUES).join("; ")}`,
	};
}

/** Models that are not held to the schema may leave the object around the answer out. */
const unwrap = (value: Json): Json =>
	isObject(value) && Object.keys(value).length === 1 && Object.hasOwn(value, ANSWER)
		? (value[ANSWER] as Json)
		: value;

/** The answer as a text, whether it was written or passed to the tool that takes it. */
export function readAnswer(reply: Reply, byTool: boolean): { text: string; call: ToolCall | null } {
	const call = byTool ? findAnswerCall(reply.toolCalls) : undefined;
	if (call === undefined) return { text: reply.text, call: null };
	return { text: call.is_json ? JSON.stringify(call.arguments) : (call.arguments as string), call };
}

/** A server that lets the model call only this tool may leave out its name. */
const findAnswerCall = (calls: readonly ToolCall[]): ToolCall | undefined =>
	calls.find(({ name }) => name === ANSWER) ??
	(calls.length === 1 ? calls.find(({ name }) => name === "") : undefined);

const MAX_REPEATED_LENGTH = 100_000;

/** The messages that ask the model to mend an answer that does not match the schema. */
export function buildRepair(reply: Reply, byTool: boolean, problem: string): ChatMessage[] {
	const { text, call } = readAnswer(reply, byTool);
	const content = `${problem.replace("the model's", "Your")}. Answer again, with the corrected JSON alone.`;
	if (call !== null) {
		const toolCalls = [{ ...call, name: ANSWER }];
		// The provider's data also has calls beside this one, which get no result.
		const providerData = reply.toolCalls.length === 1 ? reply.providerData : undefined;
		const repeated = toAssistantMessage({ text: reply.text, toolCalls, providerData });
		return [repeated, { role: "tool", tool_call_id: call.id, content, is_error: true }];
	}
	const repeated = text.slice(0, MAX_REPEATED_LENGTH).toWellFormed();
	const asked: ChatMessage = { role: "user", content };
	return repeated.trim() === "" ? [asked] : [{ role: "assistant", content: repeated }, asked];
}

/** Models without structured output often wrap JSON in a Markdown code block. */
function stripCodeFence(text: string): string {
	const trimmed = text.trim();
	if (!trimmed.startsWith("```") || !trimmed.endsWith("```")) return trimmed;
	const start = trimmed.indexOf("\n");
	return start === -1 ? trimmed : trimmed.slice(start, -3);
}
