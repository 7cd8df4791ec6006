import { Failed, failureStatus } from "@tripline/contract/failures";
import { nestsTooDeep } from "@tripline/contract/json";
import { readBody } from "@tripline/web/body";
import type { Incoming } from "@tripline/web/exchange";
import { INVALID_REQUEST } from "./problems.ts";

const PARSE_ERROR = -32700;
/** Of what goes wrong before there is a message. */
const SERVER_ERROR = -32000;
const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The one JSON-RPC message of a request, parsed, or the answer that says why there is none. */
export async function readMessage(request: Incoming, maxBodyBytes: number): Promise<object | Response> {
	if (request.method !== "POST")
		return refusal(405, SERVER_ERROR, "there are no sessions and no streams to GET: send messages by POST");
	if (!JSON_TYPE.test(request.headers.get("content-type") ?? ""))
		return refusal(415, SERVER_ERROR, "the content type must be application/json");
	try {
		const text = decoder.decode(await readBody(request, maxBodyBytes));
		if (nestsTooDeep(text)) return refusal(400, INVALID_REQUEST, "the message nests too deep");
		return messageOf(JSON.parse(text));
	} catch (error) {
		if (error instanceof Failed)
			return refusal(failureStatus(error.failure), SERVER_ERROR, error.failure.message);
		return refusal(400, PARSE_ERROR, "the body is not valid JSON in UTF-8");
	}
}

/** No batches: the protocol gave them up, and one request could start a hundred runs. */
function messageOf(value: unknown): object | Response {
	if (Array.isArray(value))
		return refusal(400, INVALID_REQUEST, "send one message per request: batches are not served");
	if (typeof value !== "object" || value === null)
		return refusal(400, INVALID_REQUEST, "the body must be a JSON-RPC message, an object");
	return value;
}

function refusal(status: number, code: number, message: string): Response {
	return Response.json(
		{ jsonrpc: "2.0", error: { code, message }, id: null },
		{ status, headers: status === 405 ? { allow: "POST" } : {} },
	);
}
