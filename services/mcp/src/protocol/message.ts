import { Failed, toFailureStatus } from "@tripline/contract/failures";
import { nestsTooDeep } from "@tripline/contract/json";
import { readBody } from "@tripline/web/body";
import type { Incoming } from "@tripline/web/http-message";
import { INVALID_REQUEST } from "./problems.ts";

const PARSE_ERROR = -32700;
/** For errors before a message could be read. */
const SERVER_ERROR = -32000;
const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The JSON-RPC message of a request, or the error response if there is none. */
export async function readMessage(request: Incoming, maxBodyBytes: number): Promise<object | Response> {
	if (request.method !== "POST")
		return buildErrorResponse(
			405,
			SERVER_ERROR,
			"sessions and GET streams are not supported: send messages by POST",
		);
	if (!JSON_TYPE.test(request.headers.get("content-type") ?? ""))
		return buildErrorResponse(415, SERVER_ERROR, "the content type must be application/json");
	try {
		const text = decoder.decode(await readBody(request, maxBodyBytes));
		if (nestsTooDeep(text))
			return buildErrorResponse(400, INVALID_REQUEST, "the message is nested too deeply");
		return toMessage(JSON.parse(text));
	} catch (error) {
		if (error instanceof Failed)
			return buildErrorResponse(toFailureStatus(error.failure), SERVER_ERROR, error.failure.message);
		return buildErrorResponse(400, PARSE_ERROR, "the body must be valid JSON in UTF-8");
	}
}

/** No batches: the protocol dropped them, and one request could start a hundred runs. */
function toMessage(value: unknown): object | Response {
	if (Array.isArray(value))
		return buildErrorResponse(
			400,
			INVALID_REQUEST,
			"batches are not supported: send one message per request",
		);
	if (typeof value !== "object" || value === null)
		return buildErrorResponse(400, INVALID_REQUEST, "the body must be a JSON object, a JSON-RPC message");
	return value;
}

function buildErrorResponse(status: number, code: number, message: string): Response {
	return Response.json(
		{ jsonrpc: "2.0", error: { code, message }, id: null },
		{ status, headers: status === 405 ? { allow: "POST" } : {} },
	);
}
