import type { Log } from "@tripline/platform/log";
import type { Reply } from "@tripline/web/route";
import type { PageAnswer } from "../pages/page.ts";
import { problemPage } from "../pages/problem.ts";
import { problemOf, type Told, toldOf } from "./problems.ts";

const UNKEPT = { "cache-control": "no-store", pragma: "no-cache" };

/** An answer to a program. */
export const answerOf = (status: number, body: unknown): Reply => ({ status, body, headers: UNKEPT });

/** What the work answers, or what is wrong with it as RFC 6749 says it. */
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

/** What the work answers, or a page that says what is wrong. */
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

/** Back to the client with a code or an error. What stands in the query already stays as it is written. */
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
