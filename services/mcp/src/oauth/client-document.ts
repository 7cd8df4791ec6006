import type { HttpAnswer } from "@tripline/platform/http";
import { clientName, isTexts, type Registration } from "./client-id.ts";
import { objectIn } from "./json-object.ts";
import { isOnList, redirectProblem } from "./redirect-uri.ts";

const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i;

/**
 * The address of a client's metadata document, where the id is one and may be fetched. Only listed hosts are asked, and
 * by the rules for redirects: other ids are names like any other.
 */
export function documentAddress(clientId: string, hosts: readonly string[]): URL | null {
	if (!clientId.startsWith("https://") || redirectProblem(clientId, hosts) !== null) return null;
	const url = new URL(clientId);
	const isPlain = url.href === clientId && url.pathname !== "/" && url.port === "";
	return isPlain && isOnList(url.hostname, hosts) ? url : null;
}

/** What the document says, or what is wrong with it. */
export function registrationFrom(answer: HttpAnswer, clientId: string): Registration | string {
	if (answer.status !== 200) return `it was answered with status ${answer.status} instead of 200`;
	if (!JSON_TYPE.test(answer.headers["content-type"] ?? "")) return "it is not JSON by its content type";
	const document = objectIn(answer.body);
	if (document === null) return "it is not a JSON object";
	if (document.client_id !== clientId) return "its client_id is not its own address";
	if (document.client_secret !== undefined) return "it has a client_secret, which is then no secret";
	const { redirect_uris } = document;
	if (!isTexts(redirect_uris)) return "its redirect_uris are not a list of addresses";
	return { name: clientName(document.client_name), redirectUris: redirect_uris };
}
