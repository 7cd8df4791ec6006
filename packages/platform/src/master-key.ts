import { fromBase64, toBase64, toHex } from "@tripline/contract/bytes";
import { importVaultKey, newKeyBytes, type VaultKey } from "./vault.ts";

/** Where the keys that wrap the tenants' data keys come from. */
export interface MasterKeys {
	/**
	 * The key in use, then the one that will replace it while re-keying. Asked again when a key is unknown, because both
	 * may change while the service runs.
	 */
	load(): Promise<readonly VaultKey[]>;
}

/** 32 bytes in base64, which is how a master key is kept everywhere. */
const MASTER_KEY = /^[A-Za-z0-9+/]{43}=$/;

export const newMasterKeyText = (): string => toBase64(newKeyBytes());

/** Null for a text that is not a master key. */
export async function masterKeyOf(text: string): Promise<VaultKey | null> {
	const trimmed = text.trim();
	if (!MASTER_KEY.test(trimmed)) return null;
	const bytes = fromBase64(trimmed);
	return bytes === null ? null : importVaultKey(await idOf(bytes), bytes);
}

/** The key names itself, so that a wrong one is told from the right one by its name. 256 random bits are not guessed. */
async function idOf(bytes: Uint8Array): Promise<string> {
	const label = new TextEncoder().encode("tripline master key\n");
	const named = new Uint8Array(label.length + bytes.length);
	named.set(label);
	named.set(bytes, label.length);
	const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", named));
	named.fill(0);
	return toHex(hash.subarray(0, 8));
}
