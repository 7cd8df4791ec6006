import type { Log } from "@tripline/platform/log";
import type { Reply } from "@tripline/web/route";
import type { PageAnswer } from "../pages/page.ts";
import { problemPage } from "../pages/problem.ts";
import { problemOf, type Told, toldOf } from "./problems.ts";

const UNKEPT = { "cache-control": "no-store", pragma: "no-cache" };

/** A JSON response that must not be cached. */
export const answerOf = (status: number, body: unknown): Reply => ({ status, body, headers: UNKEPT });

/** Runs the handler and turns a failure into an error response as RFC 6749 defines it. */
export async function forProgram(log: Log, work: () => Promise<Reply>): Promise<Reply> {
	try {
		return await work();
	} catch (error) {
		const told = toldOf(problemOf(error, log));
		const { headers, ...rest } = answerOf(told.status, {
			error: told.error,
			error_description: descriptionOf(told),
		});
		return { ...rest, headers: { ...headers, ...waiting(told) } };
	}
}

/** Runs the handler and turns a failure into an HTML page. */
export async function forPerson(log: Log, work: () => Promise<Reply | Response>): Promise<Reply | Response> {
	try {
		return await work();
	} catch (error) {
		const told = toldOf(problemOf(error, log));
		return pageOf(told.status, problemPage(told), waiting(told));
	}
}

export const pageOf = (status: number, page: PageAnswer, headers: Record<string, string> = {}): Response =>
	new Response(page.html, { status, headers: { ...page.headers, ...headers } });

/** Redirects to the client with a code or an error. A query that the redirect URI already has stays unchanged. */
export function sentBack(uri: string, parameters: Readonly<Record<string, string | undefined>>): Reply {
	const added = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) {
		if (value !== undefined) added.append(name, value);
	}
	const joint = !uri.includes("?") ? "?" : /[?&]$/.test(uri) ? "" : "&";
	return { status: 302, body: undefined, headers: { location: `${uri}${joint}${added}`, ...UNKEPT } };
}

/** RFC 6749, section 5.2, allows neither quotation marks nor backslashes nor anything but ASCII. */
export const descriptionOf = ({ message }: Told): string =>
	message.replaceAll('"', "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/g, "?");

const waiting = ({ retryAfterSeconds }: Told): Record<string, string> =>
	retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
