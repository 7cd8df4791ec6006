import { fromBase64, toBase64, toHex } from "@tripline/contract/bytes";
import { createKeyBytes, importVaultKey, type VaultKey } from "./vault.ts";

/** The source of the keys that wrap the tenants' data keys. */
export interface MasterKeys {
	/**
	 * The current key, followed during re-keying by its replacement. Called again when a key is unknown, because both may
	 * change while the service runs.
	 */
	load(): Promise<readonly MasterKey[]>;
}

export interface MasterKey extends VaultKey {
	/** An HMAC key that is derived from it, for signatures of the service. */
	readonly signingKey: CryptoKey;
}

/** 32 bytes in base64, the stored form of a master key on all platforms. */
const MASTER_KEY = /^[A-Za-z0-9+/]{43}=$/;

export const createMasterKeyText = (): string => toBase64(createKeyBytes());

/** Null if the text is not a master key. */
export async function importMasterKey(text: string): Promise<MasterKey | null> {
	const trimmed = text.trim();
	if (!MASTER_KEY.test(trimmed)) return null;
	const bytes = fromBase64(trimmed);
	if (bytes === null) return null;
	const [id, signingKey] = await Promise.all([deriveId(bytes), deriveSigningKey(bytes)]);
	return { ...(await importVaultKey(id, bytes)), signingKey };
}

async function deriveSigningKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
	const secret = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]);
	const derivation = {
		name: "HKDF",
		hash: "SHA-256",
		salt: new Uint8Array(),
		info: new TextEncoder().encode("tripline signatures"),
	};
	const key = { name: "HMAC", hash: "SHA-256", length: 256 };
	return crypto.subtle.deriveKey(derivation, secret, key, false, ["sign", "verify"]);
}

/** Derives the id from the key, so that a wrong key is recognized by its id. 256 random bits cannot be guessed from it. */
async function deriveId(bytes: Uint8Array): Promise<string> {
	const label = new TextEncoder().encode("tripline master key\n");
	const named = new Uint8Array(label.length + bytes.length);
	named.set(label);
	named.set(bytes, label.length);
	const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", named));
	named.fill(0);
	return toHex(hash.subarray(0, 8));
}
