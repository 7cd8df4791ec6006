import { sha256Hex } from "@tripline/contract/ids";
import type { Clock } from "@tripline/platform/clock";
import type { Kv } from "@tripline/platform/kv";
import type { Log } from "@tripline/platform/log";
import type { StoreClient } from "@tripline/store/client";
import { codeUses } from "./code-uses.ts";
import { createCodes, isCodeShaped, type StoredCode } from "./codes.ts";
import { monotonicClock } from "./monotonic-clock.ts";
import { badGrant } from "./problems.ts";
import { createToken, type TokenRecord, type Tokens } from "./tokens.ts";

/** An authorization code on its first use. */
interface FirstUse {
	readonly code: StoredCode;
	/** Issues the access token for the code. */
	give(record: TokenRecord): Promise<string>;
}

export const INVALID_CODE = "the code is unknown, expired or already used: start the login again";

/** Exchanges authorization codes for access tokens, each code once. */
export function createCodeExchange(deps: {
	readonly kv: Kv;
	readonly store: StoreClient;
	readonly tokens: Tokens;
	readonly clock: Clock;
	readonly log: Log;
}) {
	const { tokens, log } = deps;
	const codes = createCodes(deps);
	const uses = codeUses(deps.store);
	const monotonic = monotonicClock(deps.clock);

	return {
		/** The start time of a request, to be passed when it exchanges its code. */
		recordStart: (): number => monotonic.now(),

		/** Throws for all requests with the same code but the first. Codes that were never issued are not recorded. */
		async exchangeCode(code: string, startedAt: number): Promise<FirstUse> {
			if (!isCodeShaped(code)) throw badGrant(INVALID_CODE);
			const token = createToken();
			const [codeHash, tokenHash] = await Promise.all([sha256Hex(code), sha256Hex(token)]);
			const kept = await codes.read(codeHash);
			const first = kept === null ? await uses.get(codeHash) : await uses.claim(codeHash, tokenHash);
			// A request that began before the token was issued is a concurrent duplicate, not a replay by an attacker.
			if (first !== null && first.issued_at !== null && startedAt >= first.issued_at) {
				log("warn", "an authorization code was presented again: the token that it gave is revoked");
				await tokens.withdraw(first.token);
			}
			if (kept === null || first !== null) throw badGrant(INVALID_CODE);
			await codes.delete(codeHash);
			return { code: kept, give: (record) => issueToken(record, token, codeHash, tokenHash) };
		},
	};

	async function issueToken(
		record: TokenRecord,
		token: string,
		codeHash: string,
		tokenHash: string,
	): Promise<string> {
		await tokens.issue(record, token);
		try {
			// Recorded last: a replay before this finds nothing to revoke, and one after it finds the token.
			await uses.recordIssued(codeHash, tokenHash, monotonic.now());
		} catch (error) {
			await tokens.withdraw(tokenHash);
			throw error;
		}
		return token;
	}
}
