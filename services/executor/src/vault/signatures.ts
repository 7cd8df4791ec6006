import { fromBase64, toBase64Url } from "@tripline/contract/bytes";
import type { MasterKeys } from "@tripline/platform/master-key";

const encoder = new TextEncoder();

/** Signatures of the service itself, under keys that are derived from the master keys and never stored. */
export function signatures(masterKeys: MasterKeys) {
	return {
		/** A signature of one purpose is none of another. */
		async sign(purpose: string, text: string): Promise<string> {
			const [current] = await masterKeys.load();
			if (current === undefined) throw new Error("there is no master key");
			const mac = await crypto.subtle.sign("HMAC", current.signingKey, encode(purpose, text));
			return toBase64Url(new Uint8Array(mac));
		},

		/** In constant time. True also for the key that replaces the current one, or was replaced a moment ago. */
		async verify(purpose: string, text: string, signature: string): Promise<boolean> {
			const mac = signature.length > MAX_LENGTH ? null : fromBase64(signature);
			if (mac === null) return false;
			const verdicts = (await masterKeys.load()).map(({ signingKey }) =>
				crypto.subtle.verify("HMAC", signingKey, mac, encode(purpose, text)),
			);
			return (await Promise.all(verdicts)).includes(true);
		},
	};
}

const MAX_LENGTH = 64;

/** As JSON, so that no two pairs give the same text. */
const encode = (purpose: string, text: string): Uint8Array<ArrayBuffer> =>
	encoder.encode(JSON.stringify([purpose, text]));
