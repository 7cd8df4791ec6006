import { TerminalError } from "@tripline/engine/terminal-error";
import type { HttpHead } from "@tripline/platform/http";
import type { Credential } from "../auth/credential.ts";
import { isHttp } from "./draft.ts";
import type { WrittenCall } from "./fill.ts";
import { findBindingProblem } from "./hosts.ts";

/** One request of a redirect chain. */
export interface Hop extends WrittenCall {
	/** The credential that authorizes it, or null. */
	readonly credential: Credential | null;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Headers that are dropped together with the body. */
const BODY_HEADERS = new Set(["content-encoding", "content-language", "content-location", "content-type"]);
/** The only headers that are sent to another origin. */
const SAFE_HEADERS = new Set(["accept", "accept-language", "content-language", "content-type", "user-agent"]);

export const isRedirect = ({ status, headers }: HttpHead): boolean =>
	REDIRECTS.has(status) && headers.location !== undefined;

/** The next hop of a redirect, or null. Follows the fetch standard, but forwards fewer headers. */
export function buildNextHop(hop: Hop, head: HttpHead): Hop | null {
	const { status, headers } = head;
	if (!isRedirect(head)) return null;
	const url = parseLocation(hop.url, headers.location ?? "");
	const isGet = status === 303 ? hop.method !== "HEAD" : hop.method === "POST" && status < 303;
	const isElsewhere = url.origin !== hop.url.origin;
	if (isElsewhere && !isGet && hop.isBodyFilled) {
		throw new TerminalError(
			`${hop.url.host} redirects to ${url.origin}, where the credential's value in the body must not be sent`,
		);
	}
	const isKept = (name: string) =>
		!(isGet && BODY_HEADERS.has(name)) &&
		!(isElsewhere && (!SAFE_HEADERS.has(name) || hop.filledHeaders.has(name)));
	return {
		method: isGet ? "GET" : hop.method,
		url,
		headers: Object.fromEntries(Object.entries(hop.headers).filter(([name]) => isKept(name))),
		body: isGet ? null : hop.body,
		filledHeaders: hop.filledHeaders,
		isBodyFilled: hop.isBodyFilled && !isGet,
		credential: isElsewhere ? pickCredential(url, hop) : hop.credential,
	};
}

function parseLocation(from: URL, location: string): URL {
	const url = URL.parse(location, from);
	if (url === null) throw new TerminalError(`${from.host} redirects to an invalid URL`);
	if (!isHttp(url))
		throw new TerminalError(`${from.host} redirects to ${url.protocol}, which is neither http nor https`);
	if (url.username !== "" || url.password !== "") {
		throw new TerminalError(`${from.host} redirects to a URL that contains a user name or a password`);
	}
	url.hash = "";
	return url;
}

/** Once dropped, the credential is not added again: otherwise a foreign host could choose what it authorizes. */
function pickCredential(url: URL, { credential, url: from }: Hop): Credential | null {
	if (credential === null || findBindingProblem(credential, url) !== null) return null;
	return from.protocol === "https:" && url.protocol === "http:" ? null : credential;
}
