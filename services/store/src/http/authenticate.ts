import { Failed } from "@tripline/contract/failures";
import { isSameSecret } from "@tripline/contract/secrets";
import type { Incoming } from "@tripline/web/http-message";
import type { Caller } from "../domain/callers.ts";
import { hashPartnerKey, hasPartnerKeys, isPartnerKey } from "../domain/partner-keys.ts";
import type { StoreSettings } from "../settings.ts";
import type { PartnerKeyStorage } from "../storage/partner-keys.ts";

/**
 * Accepts the internal token or a partner key as bearer. Without a configured token the store listens on loopback only,
 * and a caller without a key is internal; a caller with an invalid key must not be treated as internal.
 */
export function authenticator(deps: { settings: StoreSettings; partnerKeys: PartnerKeyStorage }) {
	const { internalToken } = deps.settings;
	const hasKeys = hasPartnerKeys(deps.settings);
	return (request: Incoming): Promise<Caller> | Caller => {
		const header = request.headers.get("authorization");
		const bearer = header === null ? undefined : /^Bearer +(\S+)$/i.exec(header)?.[1];
		if (bearer !== undefined && isPartnerKey(bearer)) return authenticatePartner(bearer);
		if (internalToken === undefined) return INTERNAL;
		if (bearer !== undefined && isSameSecret(bearer, internalToken)) return INTERNAL;
		throw unauthorized();
	};

	async function authenticatePartner(key: string): Promise<Caller> {
		const known = hasKeys ? await deps.partnerKeys.findByHash(await hashPartnerKey(key)) : null;
		if (known === null) throw unauthorized();
		return { kind: "partner", namespace: known.namespace };
	}

	function unauthorized(): Failed {
		const message = `a valid internal token ${hasKeys ? "or partner key " : ""}is needed`;
		return new Failed({ kind: "unauthorized", message });
	}
}

const INTERNAL: Caller = { kind: "internal" };
