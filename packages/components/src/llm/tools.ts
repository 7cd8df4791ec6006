import { toHex } from "@tripline/contract/bytes";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { isObject } from "../schemas.ts";
import { ANSWER, type ChatRequest, type Tool, type ToolCall } from "./chat.ts";
import { CHOICES } from "./messages.ts";
import { tryParseJson } from "./parse-answer.ts";

const MAX_CALLS = 128;

type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

/** The tools of a request, with the one that takes the answer if it is passed as a tool. */
export function planTools(request: ChatRequest): { tools: readonly Tool[]; choice: ToolChoice | undefined } {
	const { tools, toolChoice, schema, byTool } = request;
	const choice = toolChoice === undefined ? undefined : toChoice(toolChoice);
	if (schema === undefined || !byTool) return { tools, choice };
	const answer = { name: ANSWER, description: "Gives the answer.", parameters: schema };
	const isAlone = tools.length === 0 || choice === "none";
	return {
		tools: [...tools, answer],
		choice: isAlone ? { name: ANSWER } : typeof choice === "object" ? choice : "required",
	};
}

const toChoice = (text: string): ToolChoice =>
	CHOICES.has(text) ? (text as "auto" | "none" | "required") : { name: text };

/** A call as a provider sent it: its arguments are a text or, unlike documented, already a value. */
export function toToolCall(id: Json | undefined, name: Json | undefined, args: Json | undefined): ToolCall {
	return {
		id: typeof id === "string" && id !== "" ? id : createCallId(),
		name: typeof name === "string" ? name : "",
		...parseArguments(args),
	};
}

/** Some models write nothing if there are no arguments, and some servers encode the JSON twice. */
function parseArguments(args: Json | undefined): Pick<ToolCall, "arguments" | "is_json"> {
	if (args === undefined || args === null) return { arguments: {}, is_json: true };
	if (typeof args !== "string") return { arguments: args, is_json: true };
	if (args.trim() === "") return { arguments: {}, is_json: true };
	const value = tryParseJson(args);
	if (value === undefined) return { arguments: args, is_json: false };
	const inner = typeof value === "string" ? tryParseJson(value) : undefined;
	return { arguments: isObject(inner) ? inner : value, is_json: true };
}

/** Mistral accepts only ids of nine letters and digits. */
const createCallId = (): string => toHex(crypto.getRandomValues(new Uint8Array(5))).slice(0, 9);

/** Gives each call an id of its own, so that its result can name it. */
export function separateCalls(calls: readonly ToolCall[]): readonly ToolCall[] {
	if (calls.length > MAX_CALLS) throw new Error(`the model made more than ${MAX_CALLS} tool calls at once`);
	const seen = new Set<string>();
	return calls.map((call) => {
		const id = seen.has(call.id) ? createCallId() : call.id;
		seen.add(id);
		return id === call.id ? call : { ...call, id };
	});
}

/** Providers take back only objects as arguments. */
export const toArgumentsObject = ({ arguments: args }: ToolCall): JsonObject =>
	isObject(args) ? args : { arguments: args };

/** The provider's own data of a message, if it is a list of objects. */
export function readBlocks(data: JsonObject | undefined, provider: string): JsonObject[] | null {
	const blocks = data?.[provider];
	return Array.isArray(blocks) && blocks.length > 0 && blocks.every(isObject) ? blocks : null;
}
