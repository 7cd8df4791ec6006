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

/** A code that was presented for the first time. */
interface Redeemed {
	readonly code: KeptCode;
	/** Issues the token that the code stands for. */
	give(record: TokenRecord): Promise<string>;
}

export const USED = "the code is unknown, expired or used already: start the login again";

/** Turns codes into tokens, each code once. */
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
		/** When a request began, to be told when it redeems. */
		began: (): number => rising.now(),

		/** Of all who present a code, only the first gets past here; codes that were never issued leave no mark. */
		async redeem(code: string, began: number): Promise<Redeemed> {
			if (!isCodeShaped(code)) throw badGrant(USED);
			const token = newToken();
			const [codeHash, tokenHash] = await Promise.all([sha256Hex(code), sha256Hex(token)]);
			const kept = await codes.read(codeHash);
			const first = kept === null ? await marks.get(codeHash) : await marks.claim(codeHash, tokenHash);
			// One that began before the token was given out is the twin of the request that got it, not a thief.
			if (first !== null && first.issued_at !== null && began >= first.issued_at) {
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
			// Last: who comes before this mark finds nothing to revoke, and who comes after it finds the token.
			await marks.issued(codeHash, tokenHash, rising.now());
		} catch (error) {
			await tokens.withdraw(tokenHash);
			throw error;
		}
		return token;
	}
}
