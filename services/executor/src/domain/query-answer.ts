import { RESPOND_HEADERS } from "@tripline/components/respond";
import type { Json } from "@tripline/contract/json";
import type { RunResult } from "@tripline/contract/workflows";

/** The response that the component `respond` set. */
export interface RespondAnswer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Json;
}

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const JSON_TYPE = "application/json; charset=utf-8";
const TEXT_TYPE = "text/plain; charset=utf-8";
/** Statuses without a response body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);
/** A page made by a workflow is data: it must not run with this origin, and other sites may embed it. */
const FIXED_HEADERS = {
	"x-content-type-options": "nosniff",
	"content-security-policy": "sandbox",
	"cross-origin-resource-policy": "cross-origin",
} as const;

/**
 * The answer of a query endpoint: the run's data or what `respond` set, or the whole result of a failed run. Record the
 * returned result: an answer that cannot be sent makes the run fail.
 */
export function buildQueryAnswer(
	result: RunResult,
	respond: RespondAnswer | null,
): { readonly response: Response; readonly result: RunResult } {
	if (!result.success) return buildFailure(result);
	const answer = respond ?? { status: 200, headers: {}, body: result.data };
	const isText = respond !== null && typeof answer.body === "string";
	const text = isText ? (answer.body as string) : JSON.stringify(answer.body);
	if (isTooLarge(text)) return buildFailure(failTooLarge(result));
	const headers = buildHeaders(answer, isText ? TEXT_TYPE : JSON_TYPE);
	if (typeof headers === "string") return buildFailure(toFailed(result, `respond: ${headers}`));
	return { response: buildResponse(text, answer.status, headers), result };
}

/** The result as JSON, or a failed result if it is too large. */
export function boundResult(result: RunResult): { readonly result: RunResult; readonly text: string } {
	const text = JSON.stringify(result);
	if (!isTooLarge(text)) return { result, text };
	const instead = failTooLarge(result);
	return { result: instead, text: JSON.stringify(instead) };
}

function buildFailure(result: RunResult): { response: Response; result: RunResult } {
	const bounded = boundResult(result);
	const headers = new Headers({ "content-type": JSON_TYPE });
	return { response: buildResponse(bounded.text, 500, headers), result: bounded.result };
}

function buildResponse(text: string, status: number, headers: Headers): Response {
	for (const [name, value] of Object.entries(FIXED_HEADERS)) headers.set(name, value);
	if (!BODILESS.has(status)) return new Response(text, { status, headers });
	headers.delete("content-type");
	return new Response(null, { status, headers });
}

/** A second check after the one in the component. */
function buildHeaders(answer: RespondAnswer, contentType: string): Headers | string {
	const { status } = answer;
	if (!Number.isInteger(status) || status < 200 || status > 599) return "status must be from 200 to 599";
	const headers = new Headers({ "content-type": contentType });
	for (const [name, value] of Object.entries(answer.headers)) {
		if (!RESPOND_HEADERS.includes(name.toLowerCase()))
			return `a header is not allowed; allowed headers: ${RESPOND_HEADERS.join(", ")}`;
		if (!/^[\x20-\x7e]*$/.test(value)) return `header ${name} must be printable ASCII on one line`;
		headers.set(name, value);
	}
	return headers;
}

/** Counts bytes only if the number of characters does not already decide. */
function isTooLarge(text: string): boolean {
	if (text.length * 3 <= MAX_ANSWER_BYTES) return false;
	return text.length > MAX_ANSWER_BYTES || new TextEncoder().encode(text).length > MAX_ANSWER_BYTES;
}

const failTooLarge = (result: RunResult): RunResult => toFailed(result, "result is larger than 4 MiB");

const toFailed = (result: RunResult, error: string): RunResult => ({
	...result,
	success: false,
	data: null,
	error,
});
