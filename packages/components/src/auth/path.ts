import { encodePathSegment } from "../outbound/query.ts";
import { type Credential, fillFields } from "./credential.ts";
import type { Authorized } from "./request.ts";

/** Inserts the prefix between host and path, or behind the start of the path. After a redirect it may already be there. */
export function applyPath(
	credential: Credential,
	inject: { readonly prefix: string; readonly after?: readonly string[] | undefined },
	given: URL,
): Authorized {
	const url = new URL(given);
	const start = inject.after?.find((path) => given.pathname.startsWith(`${path}/`)) ?? "";
	const rest = given.pathname.slice(start.length);
	url.pathname = fillFields(inject.prefix, credential, encodePathSegment).replace(/\/$/, "");
	const prefix = url.pathname;
	url.pathname = rest.startsWith(`${prefix}/`) ? given.pathname : start + prefix + rest;
	return { url };
}
