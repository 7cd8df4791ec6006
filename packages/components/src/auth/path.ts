import { encodePathSegment } from "../outbound/query.ts";
import { type Credential, fillFields } from "./credential.ts";
import type { Authorized } from "./request.ts";

/** Inserts the prefix between host and path. After a redirect it may already be there. */
export function applyPath(
	credential: Credential,
	inject: { readonly prefix: string },
	given: URL,
): Authorized {
	const url = new URL(given);
	url.pathname = fillFields(inject.prefix, credential, encodePathSegment).replace(/\/$/, "");
	const prefix = url.pathname;
	url.pathname = given.pathname.startsWith(`${prefix}/`) ? given.pathname : prefix + given.pathname;
	return { url };
}
