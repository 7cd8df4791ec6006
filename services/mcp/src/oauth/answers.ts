import type { Log } from "@tripline/platform/log";
import type { Reply } from "@tripline/web/route";
import type { RenderedPage } from "../pages/page.ts";
import { problemPage } from "../pages/problem.ts";
import { describeProblem, type ProblemDescription, toProblem } from "./problems.ts";

const NO_STORE = { "cache-control": "no-store", pragma: "no-cache" };

/** A JSON response that must not be cached. */
export const buildReply = (status: number, body: unknown): Reply => ({ status, body, headers: NO_STORE });

/** Runs the handler and turns a failure into an error response as RFC 6749 defines it. */
export async function respondWithJson(log: Log, work: () => Promise<Reply>): Promise<Reply> {
	try {
		return await work();
	} catch (error) {
		const told = describeProblem(toProblem(error, log));
		const { headers, ...rest } = buildReply(told.status, {
			error: told.error,
			error_description: toErrorDescription(told),
		});
		return { ...rest, headers: { ...headers, ...buildRetryAfter(told) } };
	}
}

/** Runs the handler and turns a failure into an HTML page. */
export async function respondWithPage(
	log: Log,
	work: () => Promise<Reply | Response>,
): Promise<Reply | Response> {
	try {
		return await work();
	} catch (error) {
		const told = describeProblem(toProblem(error, log));
		return toPageResponse(told.status, problemPage(told), buildRetryAfter(told));
	}
}

export const toPageResponse = (
	status: number,
	page: RenderedPage,
	headers: Record<string, string> = {},
): Response => new Response(page.html, { status, headers: { ...page.headers, ...headers } });

/** Redirects to the client with a code or an error. A query that the redirect URI already has stays unchanged. */
export function redirectBack(uri: string, parameters: Readonly<Record<string, string | undefined>>): Reply {
	const added = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) {
		if (value !== undefined) added.append(name, value);
	}
	const joint = !uri.includes("?") ? "?" : /[?&]$/.test(uri) ? "" : "&";
	return { status: 302, body: undefined, headers: { location: `${uri}${joint}${added}`, ...NO_STORE } };
}

/** RFC 6749, section 5.2, allows neither quotation marks nor backslashes nor anything but ASCII. */
export const toErrorDescription = ({ message }: ProblemDescription): string =>
	message.replaceAll('"', "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/g, "?");

const buildRetryAfter = ({ retryAfterSeconds }: ProblemDescription): Record<string, string> =>
	retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
