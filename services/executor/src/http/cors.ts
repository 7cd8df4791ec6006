import { Failed } from "@tripline/contract/failures";
import type { Incoming } from "@tripline/web/http-message";
import type { Reply } from "@tripline/web/route";
import { listAuthHeaders, type WebhookSettings } from "../domain/webhook-settings.ts";

const ALLOWED_HEADERS: readonly string[] = [
	...["authorization", "content-type", "idempotency-key", "prefer", "traceparent", "tracestate"],
];
/** In seconds; Chromium's own maximum is two hours. */
const MAX_PREFLIGHT_AGE = 600;

/** A page may call if its origin is listed; `*` lists every origin. */
export const allowsOrigin = (cors: readonly string[], origin: string): boolean =>
	cors.includes("*") || cors.includes(origin);

/** Adds the headers that let the page read the answer, also to a refusal. Other callers send no origin. */
export async function addCorsHeaders(
	cors: readonly string[],
	request: Incoming,
	answer: () => Promise<Reply>,
): Promise<Reply> {
	const origin = request.headers.get("origin");
	if (cors.length === 0 || origin === null) return answer();
	if (!allowsOrigin(cors, origin))
		throw new Failed({ kind: "forbidden", message: "pages of this origin may not call the workflow" });
	const headers = {
		"access-control-allow-origin": cors.includes("*") ? "*" : origin,
		"access-control-expose-headers": "idempotent-replayed, location, retry-after, x-request-id",
		vary: "origin",
	};
	try {
		const reply = await answer();
		const vary = [reply.headers?.vary, headers.vary].filter(Boolean).join(", ");
		return { ...reply, headers: { ...reply.headers, ...headers, vary } };
	} catch (error) {
		if (error instanceof Failed) error.headers = headers;
		throw error;
	}
}

/** The answer to a preflight request of a page whose origin is allowed. */
export const buildPreflight = ({ methods, auth }: WebhookSettings): Reply => ({
	status: 204,
	headers: {
		"access-control-allow-methods": methods.join(", "),
		"access-control-allow-headers": [...ALLOWED_HEADERS, ...listAuthHeaders(auth)].join(", "),
		"access-control-max-age": String(MAX_PREFLIGHT_AGE),
	},
});
