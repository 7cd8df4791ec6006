import { type Incoming, parseTarget } from "@tripline/web/http-message";
import type { ExecutorSettings } from "../settings.ts";

/** The public base URL: as configured, else the request's origin. */
export const getBaseUrl = (settings: Pick<ExecutorSettings, "baseUrl">, request: Incoming): string =>
	settings.baseUrl ?? new URL(request.url).origin;

/** The URL as the caller knows it, which may differ behind a proxy. */
export function getCalledUrl(settings: Pick<ExecutorSettings, "baseUrl">, request: Incoming): string {
	const { path, search } = parseTarget(request.url);
	return getBaseUrl(settings, request) + path + (search === "" ? "" : `?${search}`);
}

/** The trigger URL that needs no tenant header. */
export const buildTriggerUrl = (base: string, namespace: string, name: string): string =>
	`${base}/webhooks/named/${namespace}/${encodeURIComponent(name)}/trigger`;

/** What a path of that form calls; null if it is another path. */
export function parseNamedTrigger(path: string): { namespace: string; name: string } | null {
	const [, namespace, name] = /^\/webhooks\/named\/([^/]+)\/([^/]+)\/trigger$/.exec(path) ?? [];
	if (namespace === undefined || name === undefined) return null;
	try {
		return { namespace: decodeURIComponent(namespace), name: decodeURIComponent(name) };
	} catch {
		return null;
	}
}

/** Whether pages that workflows made may do more here than being shown. In self-hosted mode they are the owner's. */
export const isPagesOrigin = ({ multiTenant, pagesOrigin }: ExecutorSettings, { url }: Incoming): boolean =>
	!multiTenant || (pagesOrigin !== undefined && new URL(url).host === new URL(pagesOrigin).host);
