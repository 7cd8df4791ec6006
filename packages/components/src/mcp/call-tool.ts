import type { PinnedTool } from "@tripline/contract/mcp-servers";
import type { JsonObject } from "@tripline/contract/workflows";
import type { NodeCall } from "@tripline/engine/component";
import { quoteServerText } from "./errors.ts";
import { type Endpoint, exchange, type Http, type Wire } from "./exchange.ts";
import { buildParamHeaders } from "./param-headers.ts";

/** Without `timeout_ms` of the node: in all, and without progress. */
const MAX_CALL_MS = 600_000;
const MAX_IDLE_MS = 60_000;
/** Files come as base64. */
const MAX_RESULT_CHARACTERS = 8 * 1024 * 1024;
const MAX_PROGRESS_CHARACTERS = 200;

/** Calls a tool once. Progress becomes lines of the node's trace. */
export async function callTool(
	http: Http,
	endpoint: Endpoint,
	wire: Wire,
	{ name, input_schema }: PinnedTool,
	args: JsonObject,
	call: Pick<NodeCall<never>, "signal" | "node" | "log">,
	onToolsChanged: () => void,
): Promise<JsonObject> {
	const { timeoutMs } = call.node;
	const { result } = await exchange(
		http,
		endpoint,
		wire,
		{
			method: "tools/call",
			params: { name, arguments: args },
			...(wire.isStateless && { headers: buildParamHeaders(input_schema, args) }),
			timeoutMs: timeoutMs ?? MAX_CALL_MS,
			...(timeoutMs === undefined && { idleMs: MAX_IDLE_MS }),
			maxCharacters: MAX_RESULT_CHARACTERS,
			onProgress: (params) => call.log(describeProgress(params)),
			onToolsChanged,
		},
		call.signal,
	);
	return result;
}

function describeProgress({ progress, total, message }: JsonObject): string {
	const done = typeof progress === "number" ? String(progress) : "";
	const count = typeof total === "number" ? `${done} of ${total}` : done;
	const said = typeof message === "string" ? quoteServerText(message, MAX_PROGRESS_CHARACTERS) : "";
	return said === "" ? `progress: ${count}` : `progress: ${count}: ${said}`;
}
