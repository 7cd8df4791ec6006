import { randomToken, sha256Hex } from "@tripline/contract/ids";
import type { Clock } from "@tripline/platform/clock";
import type { Kv } from "@tripline/platform/kv";

/** The grant behind an authorization code, stored under the code's hash. */
interface CodeRecord {
	readonly namespace: string;
	readonly resource: string;
	readonly client_id: string;
	readonly client_name: string | null;
	readonly redirect_uri: string;
	readonly code_challenge: string;
}

export interface StoredCode extends CodeRecord {
	/** Unix milliseconds. Checked here as well, because the storage's own expiry may lag. */
	readonly expires_at: number;
}

export type Codes = ReturnType<typeof createCodes>;

const LIFETIME_SECONDS = 600;
const CODE = /^[A-Za-z0-9_-]{43}$/;

export const isCodeShaped = (text: string): boolean => CODE.test(text);

/** Authorization codes that have not been used yet. */
export function createCodes({ kv, clock }: { readonly kv: Kv; readonly clock: Clock }) {
	return {
		/** Returns the new code. */
		async issue(record: CodeRecord): Promise<string> {
			const code = randomToken(32);
			const kept: StoredCode = { ...record, expires_at: clock.now() + LIFETIME_SECONDS * 1000 };
			await kv.put(buildKey(await sha256Hex(code)), JSON.stringify(kept), { ttlSeconds: LIFETIME_SECONDS });
			return code;
		},

		/** Reads the code's record, expired or not. Reading does not claim the code. */
		async read(hash: string): Promise<StoredCode | null> {
			const text = await kv.get(buildKey(hash));
			return text === null ? null : (JSON.parse(text) as StoredCode);
		},

		delete: (hash: string): Promise<void> => kv.delete(buildKey(hash)),
	};
}

const buildKey = (hash: string): string => `code:${hash}`;
