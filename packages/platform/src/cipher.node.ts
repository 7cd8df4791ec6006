import { createCipheriv, createDecipheriv, createSecretKey, randomFillSync } from "node:crypto";
import { type CreateCipher, NONCE_BYTES, TAG_BYTES } from "./cipher.ts";
import { CannotOpen } from "./vault.ts";

const ALGORITHM = "aes-256-gcm";

/** Without the thread pool, whose overhead is many times the work for a text of some kilobytes. */
export const nodeCipher: CreateCipher = async (bytes) => {
	const key = createSecretKey(bytes);
	return {
		seal(text) {
			const nonce = randomFillSync(Buffer.allocUnsafe(NONCE_BYTES));
			const cipher = createCipheriv(ALGORITHM, key, nonce);
			const ciphertext = cipher.update(text, "utf8");
			cipher.final();
			return Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]);
		},

		open(sealed) {
			if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new CannotOpen();
			const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), {
				authTagLength: TAG_BYTES,
			});
			decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
			const plaintext = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
			try {
				decipher.final();
			} catch {
				throw new CannotOpen();
			}
			return plaintext.toString();
		},
	};
};
