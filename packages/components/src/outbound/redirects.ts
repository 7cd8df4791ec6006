import { TerminalError } from "@tripline/engine/component";
import type { HttpAnswer } from "@tripline/platform/http";
import type { Credential } from "../auth/credential.ts";
import { isHttp } from "./draft.ts";
import type { WrittenCall } from "./fill.ts";
import { bindingProblem } from "./hosts.ts";

/** One request of a chain. */
export interface Hop extends WrittenCall {
	/** What authorizes it; null: nothing does. */
	readonly credential: Credential | null;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** What a request without a body has no use for. */
const OF_THE_BODY = new Set(["content-encoding", "content-language", "content-location", "content-type"]);
/** All that is taken along to another origin. */
const HARMLESS = new Set(["accept", "accept-language", "content-language", "content-type", "user-agent"]);

/** The hop that the answer asks for, as the fetch standard has it but with less taken along; null: it asks for none. */
export function nextHop(hop: Hop, { status, headers }: HttpAnswer): Hop | null {
	if (!REDIRECTS.has(status) || headers.location === undefined) return null;
	const url = locationOf(hop.url, headers.location);
	const isGet = status === 303 ? hop.method !== "HEAD" : hop.method === "POST" && status < 303;
	const isElsewhere = url.origin !== hop.url.origin;
	if (isElsewhere && !isGet && hop.isBodyFilled) {
		throw new TerminalError(
			`${hop.url.host} redirects to ${url.origin}, and the body has a credential's value in it that may not go there`,
		);
	}
	const isKept = (name: string) =>
		!(isGet && OF_THE_BODY.has(name)) &&
		!(isElsewhere && (!HARMLESS.has(name) || hop.filledHeaders.has(name)));
	return {
		method: isGet ? "GET" : hop.method,
		url,
		headers: Object.fromEntries(Object.entries(hop.headers).filter(([name]) => isKept(name))),
		body: isGet ? null : hop.body,
		filledHeaders: hop.filledHeaders,
		isBodyFilled: hop.isBodyFilled && !isGet,
		credential: isElsewhere ? alongTo(url, hop) : hop.credential,
	};
}

function locationOf(from: URL, location: string): URL {
	const url = URL.parse(location, from);
	if (url === null) throw new TerminalError(`${from.host} redirects to an address that is not valid`);
	if (!isHttp(url))
		throw new TerminalError(`${from.host} redirects to ${url.protocol}, which is neither http nor https`);
	if (url.username !== "" || url.password !== "") {
		throw new TerminalError(`${from.host} redirects to an address with a user name or a password in it`);
	}
	url.hash = "";
	return url;
}

/** Once left behind it does not come back: a foreign host would choose what is asked for with it. */
function alongTo(url: URL, { credential, url: from }: Hop): Credential | null {
	if (credential === null || bindingProblem(credential, url) !== null) return null;
	return from.protocol === "https:" && url.protocol === "http:" ? null : credential;
}
