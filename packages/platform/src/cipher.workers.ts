import { type CreateCipher, NONCE_BYTES, TAG_BYTES } from "./cipher.ts";
import { CannotOpen } from "./vault.ts";

const ALGORITHM = "AES-GCM";
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export const workersCipher: CreateCipher = async (bytes) => {
	const key = await crypto.subtle.importKey("raw", bytes, ALGORITHM, false, ["encrypt", "decrypt"]);
	return {
		async seal(text) {
			const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
			const ciphertext = await crypto.subtle.encrypt(describe(nonce), key, encoder.encode(text));
			const sealed = new Uint8Array(NONCE_BYTES + ciphertext.byteLength);
			sealed.set(nonce);
			sealed.set(new Uint8Array(ciphertext), NONCE_BYTES);
			return sealed;
		},

		async open(sealed) {
			const bytes = Uint8Array.from(sealed);
			try {
				const plaintext = await crypto.subtle.decrypt(
					describe(bytes.subarray(0, NONCE_BYTES)),
					key,
					bytes.subarray(NONCE_BYTES),
				);
				return decoder.decode(plaintext);
			} catch {
				throw new CannotOpen();
			}
		},
	};
};

const describe = (iv: Uint8Array<ArrayBuffer>) => ({ name: ALGORITHM, iv, tagLength: TAG_BYTES * 8 });
