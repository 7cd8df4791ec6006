import type { Incoming } from "@tripline/web/exchange";
import type { ExecutorSettings } from "../settings.ts";

/** Where this service answers: as configured, else as the request found it. */
export const baseUrlOf = (settings: ExecutorSettings, request: Incoming): string =>
	settings.baseUrl ?? new URL(request.url).origin;

/** The trigger that needs no header. */
export const namedTriggerUrl = (base: string, namespace: string, name: string): string =>
	`${base}/webhooks/named/${namespace}/${encodeURIComponent(name)}/trigger`;
