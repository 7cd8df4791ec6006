import type { RespondAnswer } from "@tripline/components/effects";
import { isRespondHeader, RESPOND_HEADERS_TEXT } from "@tripline/components/respond";
import { toByteStream } from "@tripline/contract/byte-stream";
import type { RunResult } from "@tripline/contract/workflows";
import { buildDisposition } from "./content-disposition.ts";

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const JSON_TYPE = "application/json; charset=utf-8";
const TYPES = {
	json: JSON_TYPE,
	text: "text/plain; charset=utf-8",
	html: "text/html; charset=utf-8",
} as const;
/** Statuses without a response body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);
/** A page made by a workflow is data: it must not run with this origin, and other sites may embed it. */
const FIXED_HEADERS = {
	"x-content-type-options": "nosniff",
	"cross-origin-resource-policy": "cross-origin",
} as const;
/** Never with `allow-same-origin`: a page stays apart from everything else that this origin serves. */
const SANDBOXES = {
	none: "sandbox",
	forms: "sandbox allow-forms",
	scripts: "sandbox allow-forms allow-scripts",
} as const;

/** What the caller gets; without text there is no body. */
interface RunAnswer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly text?: string;
	readonly stream?: ReadableStream<Uint8Array>;
}

interface AnswerOptions {
	/** Whether a page may get the looser sandbox that it asked for. */
	readonly mayLoosen?: boolean;
}

/**
 * The answer of a query endpoint, and of a trigger that answers by `respond`: the run's data or what `respond` set, or
 * the whole result of a failed run. The returned result is a failed one if the answer could not be sent.
 */
export function buildRunAnswer(
	result: RunResult,
	respond: RespondAnswer | null,
	{ mayLoosen = false }: AnswerOptions = {},
): { readonly reply: RunAnswer; readonly result: RunResult } {
	if (!result.success) return buildFailure(result);
	if (respond?.file !== undefined) return buildFileAnswer(result, respond, respond.file);
	const { status, headers, body, type, page } = respond ?? { status: 200, headers: {}, body: result.data };
	const sentAs = type ?? (respond !== null && typeof body === "string" ? "text" : "json");
	const text = sentAs !== "json" && typeof body === "string" ? body : JSON.stringify(body);
	if (isTooLarge(text)) return buildFailure(failTooLarge(result));
	const problem = findProblem(status, headers);
	if (problem !== null) return buildFailure(toFailed(result, `respond: ${problem}`));
	const sent = { "content-type": TYPES[sentAs], ...toLowerCase(headers) };
	return { reply: buildReply(text, status, sent, mayLoosen ? page : "none"), result };
}

function buildFileAnswer(
	result: RunResult,
	{ status, headers }: RespondAnswer,
	{ content, isInline }: NonNullable<RespondAnswer["file"]>,
): { reply: RunAnswer; result: RunResult } {
	const problem = findProblem(status, headers);
	if (problem !== null) return buildFailure(toFailed(result, `respond: ${problem}`));
	const { name, type, size } = content.value;
	const sent = {
		"content-type": type,
		...toLowerCase(headers),
		"content-disposition": buildDisposition(isInline ? "inline" : "attachment", name),
		"content-length": String(size),
		...FIXED_HEADERS,
		"content-security-policy": SANDBOXES.none,
	};
	return { reply: { status, headers: sent, stream: toByteStream(content.read()) }, result };
}

/** The result as JSON, or a failed result if it is too large. */
export function boundResult(result: RunResult): { readonly result: RunResult; readonly text: string } {
	const text = JSON.stringify(result);
	if (!isTooLarge(text)) return { result, text };
	const instead = failTooLarge(result);
	return { result: instead, text: JSON.stringify(instead) };
}

function buildFailure(result: RunResult): { reply: RunAnswer; result: RunResult } {
	const bounded = boundResult(result);
	return { reply: buildReply(bounded.text, 500, { "content-type": JSON_TYPE }), result: bounded.result };
}

function buildReply(
	text: string,
	status: number,
	headers: Readonly<Record<string, string>>,
	page: keyof typeof SANDBOXES = "none",
): RunAnswer {
	const guarded: Record<string, string> = {
		...headers,
		...FIXED_HEADERS,
		"content-security-policy": SANDBOXES[page],
	};
	if (!BODILESS.has(status)) return { status, text, headers: guarded };
	const { "content-type": _none, ...others } = guarded;
	return { status, headers: others };
}

const toLowerCase = (headers: RespondAnswer["headers"]): Record<string, string> =>
	Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** A second check after the one in the component. */
function findProblem(status: number, headers: RespondAnswer["headers"]): string | null {
	if (!Number.isInteger(status) || status < 200 || status > 599) return "status must be from 200 to 599";
	for (const [name, value] of Object.entries(headers)) {
		if (!isRespondHeader(name)) return `a header is not allowed; allowed headers: ${RESPOND_HEADERS_TEXT}`;
		if (!/^[\x20-\x7e]*$/.test(value)) return `header ${name} must be printable ASCII on one line`;
	}
	return null;
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
