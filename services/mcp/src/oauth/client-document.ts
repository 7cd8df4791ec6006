import type { HttpAnswer } from "@tripline/platform/http";
import { cleanClientName, isStringArray, type Registration } from "./client-id.ts";
import { parseObject } from "./json-object.ts";
import { findRedirectProblem, isOnList } from "./redirect-uri.ts";

const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i;

/**
 * The URL of a client's metadata document, if the client id is one and may be fetched: only from listed hosts, by the
 * same rules as for redirect URIs. Any other id is an opaque string.
 */
export function parseDocumentUrl(clientId: string, hosts: readonly string[]): URL | null {
	if (!clientId.startsWith("https://") || findRedirectProblem(clientId, hosts) !== null) return null;
	const url = new URL(clientId);
	const isPlain = url.href === clientId && url.pathname !== "/" && url.port === "";
	return isPlain && isOnList(url.hostname, hosts) ? url : null;
}

/** The registration in the document, or the reason why it cannot be used. */
export function parseRegistration(answer: HttpAnswer, clientId: string): Registration | string {
	if (answer.status !== 200) return `the response has status ${answer.status} instead of 200`;
	if (!JSON_TYPE.test(answer.headers["content-type"] ?? "")) return "its content type is not JSON";
	const document = parseObject(answer.body);
	if (document === null) return "it is not a JSON object";
	if (document.client_id !== clientId) return "its client_id is not the URL of the document";
	if (document.client_secret !== undefined)
		return "it contains a client_secret, which a public document must not";
	const { redirect_uris } = document;
	if (!isStringArray(redirect_uris)) return "its redirect_uris are not a list of strings";
	return { name: cleanClientName(document.client_name), redirectUris: redirect_uris };
}
