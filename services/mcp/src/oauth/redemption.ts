import { sha256Hex } from "@tripline/contract/ids";
import type { Clock } from "@tripline/platform/clock";
import type { Kv } from "@tripline/platform/kv";
import type { Log } from "@tripline/platform/log";
import type { StoreClient } from "@tripline/store/client";
import { codeMarks } from "./code-marks.ts";
import { createCodes, isCodeShaped, type KeptCode } from "./codes.ts";
import { badGrant } from "./problems.ts";
import { risingClock } from "./rising-clock.ts";
import { newToken, type TokenRecord, type Tokens } from "./tokens.ts";

/** An authorization code on its first use. */
interface Redeemed {
	readonly code: KeptCode;
	/** Issues the access token for the code. */
	give(record: TokenRecord): Promise<string>;
}

export const USED = "the code is unknown, expired or already used: start the login again";

/** Exchanges authorization codes for access tokens, each code once. */
export function redeemer(deps: {
	readonly kv: Kv;
	readonly store: StoreClient;
	readonly tokens: Tokens;
	readonly clock: Clock;
	readonly log: Log;
}) {
	const { tokens, log } = deps;
	const codes = createCodes(deps);
	const marks = codeMarks(deps.store);
	const rising = risingClock(deps.clock);

	return {
		/** The start time of a request, to be passed when it exchanges its code. */
		began: (): number => rising.now(),

		/** Throws for all requests with the same code but the first. Codes that were never issued are not recorded. */
		async redeem(code: string, startedAt: number): Promise<Redeemed> {
			if (!isCodeShaped(code)) throw badGrant(USED);
			const token = newToken();
			const [codeHash, tokenHash] = await Promise.all([sha256Hex(code), sha256Hex(token)]);
			const kept = await codes.read(codeHash);
			const first = kept === null ? await marks.get(codeHash) : await marks.claim(codeHash, tokenHash);
			// A request that began before the token was issued is a concurrent duplicate, not a replay by an attacker.
			if (first !== null && first.issued_at !== null && startedAt >= first.issued_at) {
				log("warn", "an authorization code was presented again: the token that it gave is revoked");
				await tokens.withdraw(first.token);
			}
			if (kept === null || first !== null) throw badGrant(USED);
			await codes.delete(codeHash);
			return { code: kept, give: (record) => give(record, token, codeHash, tokenHash) };
		},
	};

	async function give(
		record: TokenRecord,
		token: string,
		codeHash: string,
		tokenHash: string,
	): Promise<string> {
		await tokens.issue(record, token);
		try {
			// Recorded last: a replay before this finds nothing to revoke, and one after it finds the token.
			await marks.issued(codeHash, tokenHash, rising.now());
		} catch (error) {
			await tokens.withdraw(tokenHash);
			throw error;
		}
		return token;
	}
}
