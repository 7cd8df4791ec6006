import type { IncomingHeaders } from "@tripline/web/http-message";

/**
 * Whether a page of another origin sent the request. Forms refuse it: browsers would send a form's password along, and a
 * page could submit forms in the name of its visitors. Callers other than browsers send neither header.
 */
export function isSentByForeignPage(headers: IncomingHeaders, origin: string): boolean {
	const site = headers.get("sec-fetch-site");
	if (site !== null) return site !== "same-origin" && site !== "none";
	const sender = headers.get("origin");
	return sender !== null && sender !== origin;
}
