import type { Incoming } from "@tripline/web/http-message";
import type { ExecutorSettings } from "../settings.ts";

/** The public base URL: as configured, else the request's origin. */
export const getBaseUrl = (settings: ExecutorSettings, request: Incoming): string =>
	settings.baseUrl ?? new URL(request.url).origin;

/** The trigger URL that needs no tenant header. */
export const buildTriggerUrl = (base: string, namespace: string, name: string): string =>
	`${base}/webhooks/named/${namespace}/${encodeURIComponent(name)}/trigger`;
