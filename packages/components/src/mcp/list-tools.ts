import { sha256Hex } from "@tripline/contract/ids";
import { findUnstorable, type Json } from "@tripline/contract/json";
import type { PinnedTool, SkippedTool } from "@tripline/contract/mcp-servers";
import type { JsonObject } from "@tripline/contract/workflows";
import { TerminalError } from "@tripline/engine/terminal-error";
import { toCanonicalJson } from "../installed/canonical.ts";
import { isObject } from "../schemas.ts";
import { quoteServerText } from "./errors.ts";
import { type Endpoint, exchange, type Http, type Wire } from "./exchange.ts";
import { findHeaderProblem } from "./param-headers.ts";

export interface OfferedTools {
	readonly tools: readonly PinnedTool[];
	readonly skipped: readonly SkippedTool[];
	/** SHA-256 of the tools' hashes. */
	readonly hash: string;
}

const TIMEOUT_MS = 30_000;
const MAX_PAGE_CHARACTERS = 4 * 1024 * 1024;
const MAX_PAGES = 100;
const MAX_CURSOR_CHARACTERS = 4_096;
const MAX_TOOLS = 500;
const MAX_TOOL_CHARACTERS = 64 * 1024;
const MAX_SKIPPED = 50;
/** The record around a tool nests a few levels itself. */
const MAX_NESTING = 56;

/** Any name that the protocol recommends, and slashes. Others would be unreadable in a workflow. */
const TOOL_NAME = /^[A-Za-z0-9_./-]{1,128}$/;

/** Lists all tools of a server. Throws a `TerminalError` if there are too many. */
export async function listTools(
	http: Http,
	endpoint: Endpoint,
	wire: Wire,
	signal: AbortSignal,
): Promise<OfferedTools> {
	const tools = new Map<string, PinnedTool>();
	const skipped: SkippedTool[] = [];
	const refuse = (problem: string) =>
		new TerminalError(`the MCP server ${JSON.stringify(endpoint.name)} ${problem}`);
	let cursor: string | undefined;
	let found = 0;
	for (let pages = 1; ; pages++) {
		const { result } = await exchange(
			http,
			endpoint,
			wire,
			{
				method: "tools/list",
				params: cursor === undefined ? {} : { cursor },
				timeoutMs: TIMEOUT_MS,
				maxCharacters: MAX_PAGE_CHARACTERS,
			},
			signal,
		);
		const { tools: page, nextCursor } = result;
		if (!Array.isArray(page)) throw refuse("does not list its tools");
		found += page.length;
		if (found > MAX_TOOLS) throw refuse(`lists more than ${MAX_TOOLS} tools`);
		for (const given of page) {
			const tool = await readTool(given, tools);
			if (!("reason" in tool)) tools.set(tool.name, tool);
			else if (skipped.length < MAX_SKIPPED) skipped.push(tool);
		}
		if (nextCursor === undefined || nextCursor === null || nextCursor === "") break;
		if (typeof nextCursor !== "string" || nextCursor.length > MAX_CURSOR_CHARACTERS || nextCursor === cursor)
			throw refuse("gives a cursor that is not valid");
		if (pages === MAX_PAGES) throw refuse(`lists its tools in more than ${MAX_PAGES} pages`);
		cursor = nextCursor;
	}
	const sorted = [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
	return { tools: sorted, skipped, hash: await hashTools(sorted) };
}

const hashTools = (tools: readonly PinnedTool[]): Promise<string> =>
	sha256Hex(tools.map(({ name, hash }) => `${name} ${hash}\n`).join(""));

async function readTool(
	given: Json,
	known: ReadonlyMap<string, PinnedTool>,
): Promise<PinnedTool | SkippedTool> {
	if (!isObject(given) || typeof given.name !== "string")
		return { name: "", reason: "is not a tool with a name" };
	const { name, title, description, inputSchema = null, outputSchema = null, annotations = null } = given;
	const skip = (reason: string) => ({ name: quoteServerText(name, 128), reason });
	if (!TOOL_NAME.test(name)) return skip("its name must be 1 to 128 letters, digits, _, -, . or /");
	if (known.has(name)) return skip("another tool has the same name");
	if (!isObject(inputSchema) || (inputSchema.type ?? "object") !== "object")
		return skip("its inputSchema must be that of an object");
	if (outputSchema !== null && !isObject(outputSchema)) return skip("its outputSchema must be an object");
	const unhashed = {
		name,
		title: readTitle(title, annotations),
		description: typeof description === "string" ? description : "",
		input_schema: inputSchema,
		output_schema: outputSchema,
		annotations: isObject(annotations) ? annotations : null,
	};
	const problem = findUnstorable(unhashed, 64 - MAX_NESTING) ?? findHeaderProblem(inputSchema);
	if (problem !== null) return skip(problem);
	const text = toCanonicalJson(unhashed);
	if (text.length > MAX_TOOL_CHARACTERS)
		return skip(`its definition has more than ${MAX_TOOL_CHARACTERS / 1024} KiB`);
	return { ...unhashed, hash: await sha256Hex(text) };
}

function readTitle(title: Json | undefined, annotations: Json): string | null {
	const given = title ?? (isObject(annotations) ? (annotations as JsonObject).title : undefined);
	return typeof given === "string" && given !== "" ? given : null;
}
