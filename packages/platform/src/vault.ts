import { fromBase64, toBase64Url } from "@tripline/contract/bytes";

/** A 256-bit AES key and the name by which envelopes refer to it. */
export interface VaultKey {
	readonly id: string;
	readonly key: CryptoKey;
}

/** The key, the context or the envelope is wrong. The error does not reveal which one. */
export class CannotOpen extends Error {
	override readonly name = "CannotOpen";

	constructor() {
		super("an envelope of the vault cannot be opened");
	}
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = "v1";
const ENVELOPE = /^v1\.([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]+)$/;

export const createKeyBytes = (): Uint8Array<ArrayBuffer> =>
	crypto.getRandomValues(new Uint8Array(KEY_BYTES));

/** Wipes the bytes: afterwards the key can be used but not read. */
export async function importVaultKey(id: string, bytes: Uint8Array<ArrayBuffer>): Promise<VaultKey> {
	if (bytes.length !== KEY_BYTES) throw new CannotOpen();
	const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
	bytes.fill(0);
	return { id, key };
}

/**
 * Encrypts with AES-256-GCM to `v1.<key id>.<base64url of nonce and ciphertext>`. Only the same key and context open it,
 * so a ciphertext that was moved elsewhere cannot be opened there.
 */
export async function seal(
	{ id, key }: VaultKey,
	context: readonly string[],
	plaintext: Uint8Array<ArrayBuffer>,
): Promise<string> {
	const sealed = new Uint8Array(NONCE_BYTES + plaintext.length + TAG_BYTES);
	const nonce = crypto.getRandomValues(sealed.subarray(0, NONCE_BYTES));
	const ciphertext = await crypto.subtle.encrypt(buildAlgorithm(id, context, nonce), key, plaintext);
	sealed.set(new Uint8Array(ciphertext), NONCE_BYTES);
	return `${FORMAT}.${id}.${toBase64Url(sealed)}`;
}

export async function unseal(
	{ id, key }: VaultKey,
	context: readonly string[],
	envelope: string,
): Promise<Uint8Array<ArrayBuffer>> {
	const [, keyId, text = ""] = ENVELOPE.exec(envelope) ?? [];
	if (keyId !== id) throw new CannotOpen();
	try {
		const sealed = fromBase64(text);
		if (sealed === null) throw new CannotOpen();
		const nonce = sealed.subarray(0, NONCE_BYTES);
		const ciphertext = sealed.subarray(NONCE_BYTES);
		return new Uint8Array(await crypto.subtle.decrypt(buildAlgorithm(id, context, nonce), key, ciphertext));
	} catch {
		throw new CannotOpen();
	}
}

/** The id of the key that an envelope needs; null if it is not an envelope. */
export const readKeyId = (envelope: string): string | null => ENVELOPE.exec(envelope)?.[1] ?? null;

/** Encoded as JSON so that no two contexts produce the same data. */
function buildAlgorithm(keyId: string, context: readonly string[], iv: Uint8Array<ArrayBuffer>) {
	const additionalData = new TextEncoder().encode(JSON.stringify([FORMAT, keyId, ...context]));
	return { name: "AES-GCM", iv, additionalData, tagLength: TAG_BYTES * 8 };
}
