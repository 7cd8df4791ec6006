import { Failed } from "@tripline/contract/failures";
import { sameSecret } from "@tripline/contract/secrets";
import type { Incoming } from "@tripline/web/exchange";
import type { Caller } from "../domain/callers.ts";
import { isPartnerKey, partnerKeyHash } from "../domain/partner-keys.ts";
import type { PartnerKeyStorage } from "../storage/partner-keys.ts";

/**
 * The internal token or a partner key as bearer. Without a configured token the store listens on loopback only, and a
 * caller without a key is one of the service's own parts.
 */
export function authenticator(deps: { internalToken: string | undefined; partnerKeys: PartnerKeyStorage }) {
	return (request: Incoming): Promise<Caller> | Caller => {
		const header = request.headers.get("authorization");
		const bearer = header === null ? undefined : /^Bearer +(\S+)$/i.exec(header)?.[1];
		if (bearer !== undefined && isPartnerKey(bearer)) return partner(bearer);
		if (deps.internalToken === undefined) return INTERNAL;
		if (bearer !== undefined && sameSecret(bearer, deps.internalToken)) return INTERNAL;
		throw unauthorized();
	};

	async function partner(key: string): Promise<Caller> {
		const known = await deps.partnerKeys.byHash(await partnerKeyHash(key));
		if (known === null) throw unauthorized();
		return { kind: "partner", namespace: known.namespace };
	}
}

const INTERNAL: Caller = { kind: "internal" };

const unauthorized = (): Failed =>
	new Failed({ kind: "unauthorized", message: "a valid internal token or partner key is needed" });
