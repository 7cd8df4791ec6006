import type { VerifiedPartnerKey } from "@tripline/contract/partner-keys";
import type { Clock } from "@tripline/platform/clock";
import type * as z from "zod";

const CACHE_MS = 5_000;
const MAX_CACHED_KEYS = 10_000;

/** The part of the store's client that is used here. */
interface KeyVerifier {
	readonly partnerKeys: { verify(key: string): Promise<z.output<typeof VerifiedPartnerKey>> };
}

/** Resolves a partner key to its namespace, or null. Results are cached for five seconds per key. */
export function partnerNamespaces(deps: { readonly store: KeyVerifier; readonly clock: Clock }) {
	const verified = new Map<string, { readonly namespace: string | null; readonly until: number }>();

	return async (key: string): Promise<string | null> => {
		const now = deps.clock.now();
		const known = verified.get(key);
		if (known !== undefined && known.until > now) return known.namespace;
		const answer = await deps.store.partnerKeys.verify(key);
		const namespace = answer.valid ? answer.namespace : null;
		if (verified.size >= MAX_CACHED_KEYS) verified.clear();
		verified.set(key, { namespace, until: now + CACHE_MS });
		return namespace;
	};
}
