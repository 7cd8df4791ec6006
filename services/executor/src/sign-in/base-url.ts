import { isInsecure } from "@tripline/components/outbound/hosts";
import { Failed } from "@tripline/contract/failures";

/**
 * Where browsers reach the service during a sign-in. Never from the header Host, which a caller chooses: the service sends
 * authorization codes there.
 */
export function requireSignInUrl(configured: string | undefined, own: string | undefined): string {
	const url = findSignInUrl(configured, own);
	if (url !== null) return url;
	const message =
		configured === undefined
			? "signing in needs the public address of this service: set BASE_URL"
			: "signing in needs https: set BASE_URL to an address that starts with https://";
	throw new Failed({ kind: "conflict", message });
}

export function findSignInUrl(configured: string | undefined, own: string | undefined): string | null {
	if (configured !== undefined)
		return isInsecure(new URL(configured)) ? null : configured.replace(/\/+$/, "");
	return own !== undefined && isLoopback(new URL(own).hostname) ? own : null;
}

const isLoopback = (hostname: string): boolean =>
	hostname === "localhost" || /^127(?:\.\d{1,3}){3}$|^\[::1\]$/.test(hostname);

/**
 * Registered with the service. Each recipe has its own, so that a service cannot answer for another one. Tenants who share
 * an address may have recipes of the same id: then their namespace is a part of it.
 */
export const buildRedirectUrl = (base: string, authRecipe: string, namespace: string | null): string =>
	`${base}/oauth/callback/${authRecipe}${namespace === null ? "" : `/${encodeURIComponent(namespace)}`}`;
