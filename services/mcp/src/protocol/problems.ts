import type { Issue } from "@tripline/contract/failures";
import { type Log, toErrorFields } from "@tripline/platform/log";
import { ServiceRefused, ServiceUnavailable } from "@tripline/web/service-call";
import { ToolProblem } from "../tools/tool.ts";

export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;
/** The SDK sends it as -32602 to clients of the newest revision. */
export const RESOURCE_NOT_FOUND = -32002;

/** Answered as a JSON-RPC error with this code. */
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

/** An error's message, and its code where it is answered as a JSON-RPC error. */
export interface ErrorDescription {
	readonly code: number;
	readonly message: string;
}

export const CANCELLED: ErrorDescription = { code: INTERNAL_ERROR, message: "cancelled" };

/** Unexpected errors are logged; the client gets no details. */
export function toErrorDescription(
	error: unknown,
	{ log, requestId }: { log: Log; requestId: string },
): ErrorDescription {
	if (error instanceof ToolProblem) return { code: INVALID_PARAMS, message: error.message };
	if (error instanceof ServiceRefused)
		return { code: INVALID_PARAMS, message: appendIssues(error.message, error.issues) };
	if (error instanceof ServiceUnavailable) {
		log("warn", "mcp request could not be served", { request_id: requestId, ...toErrorFields(error) });
		return {
			code: INTERNAL_ERROR,
			message: "the service is temporarily unavailable: try again in a few seconds",
		};
	}
	log("error", "mcp request failed", { request_id: requestId, ...toErrorFields(error) });
	return { code: INTERNAL_ERROR, message: `internal error, try again (request ${requestId})` };
}

const appendIssues = (message: string, issues: readonly Issue[]): string =>
	[message, ...issues.map((issue) => `- ${issue.path}: ${issue.message}`)].join("\n");
