import { isInsecure } from "@tripline/components/outbound/hosts";
import { Failed } from "@tripline/contract/failures";

/**
 * Where browsers reach the service during a sign-in. Never from the header Host, which a caller chooses: the service sends
 * authorization codes there.
 */
export function requireSignInUrl(configured: string | undefined, own: string | undefined): string {
	if (configured !== undefined) {
		if (isInsecure(new URL(configured)))
			throw conflict("signing in needs https: set BASE_URL to an address that starts with https://");
		return configured.replace(/\/+$/, "");
	}
	if (own !== undefined && isLoopback(new URL(own).hostname)) return own;
	throw conflict("signing in needs the public address of this service: set BASE_URL");
}

const isLoopback = (hostname: string): boolean =>
	hostname === "localhost" || /^127(?:\.\d{1,3}){3}$|^\[::1\]$/.test(hostname);

const conflict = (message: string) => new Failed({ kind: "conflict", message });
