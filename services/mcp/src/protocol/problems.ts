import type { Issue } from "@tripline/contract/failures";
import { errorFields, type Log } from "@tripline/platform/log";
import { ServiceRefused, ServiceUnavailable } from "@tripline/web/service-call";
import { ToolProblem } from "../tools/tool.ts";

export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;
/** Sent as -32602 to clients of the newest revision, by the SDK. */
export const RESOURCE_NOT_FOUND = -32002;

/** Becomes a JSON-RPC error with this code. */
export class RequestProblem extends Error {
	override readonly name = "RequestProblem";
	readonly code: number;
	readonly data: Readonly<Record<string, unknown>> | undefined;

	constructor(code: number, message: string, data?: Readonly<Record<string, unknown>>) {
		super(message);
		this.code = code;
		this.data = data;
	}
}

/** What is told of an error, and by which code where there is no other way to tell it. */
export interface Told {
	readonly code: number;
	readonly message: string;
}

export const CANCELLED: Told = { code: INTERNAL_ERROR, message: "cancelled" };

/** Errors that nobody foresaw are logged; the client gets no details of them. */
export function toldOf(error: unknown, { log, requestId }: { log: Log; requestId: string }): Told {
	if (error instanceof ToolProblem) return { code: INVALID_PARAMS, message: error.message };
	if (error instanceof ServiceRefused)
		return { code: INVALID_PARAMS, message: withIssues(error.message, error.issues) };
	if (error instanceof ServiceUnavailable) {
		log("warn", "mcp request could not be served", { request_id: requestId, ...errorFields(error) });
		return { code: INTERNAL_ERROR, message: "the service cannot answer now: try again in a few seconds" };
	}
	log("error", "mcp request failed", { request_id: requestId, ...errorFields(error) });
	return { code: INTERNAL_ERROR, message: `internal error, try again (request ${requestId})` };
}

const withIssues = (message: string, issues: readonly Issue[]): string =>
	[message, ...issues.map((issue) => `- ${issue.path}: ${issue.message}`)].join("\n");
