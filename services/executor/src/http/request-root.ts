import { listProofHeaders } from "@tripline/contract/calling/signings";
import type { JsonObject } from "@tripline/contract/workflows";
import { type Incoming, parseTarget } from "@tripline/web/http-message";
import { parseQuery } from "@tripline/web/validate";
import { listAuthHeaders } from "../domain/webhook-settings.ts";
import type { Runnable } from "../runs/runnable.ts";

/** Headers that carry credentials; a workflow must not store or forward them. */
const SECRET_HEADERS: readonly string[] = [
	"authorization",
	"proxy-authorization",
	"cookie",
	"x-service-api-key",
];

/** The template root `request`: how the run was called, without the caller's credentials. */
export function buildRequestRoot(
	{ method, url, headers }: Incoming,
	{ signature, webhook }: Pick<Runnable, "signature" | "webhook">,
): JsonObject {
	const secret = new Set([
		...SECRET_HEADERS,
		...(signature === null ? [] : listProofHeaders(signature)),
		...listAuthHeaders(webhook?.auth ?? null),
	]);
	const visible = [...headers].filter(([name]) => !secret.has(name.toLowerCase()));
	return {
		method,
		query: parseQuery(parseTarget(url).search) as JsonObject,
		headers: Object.fromEntries(visible.map(([name, value]) => [name.toLowerCase(), value])),
		content_type: headers.get("content-type"),
	};
}
