/** Encrypts texts with AES-256-GCM, under a key that is used for nothing else. */
export interface Cipher {
	seal(text: string): Uint8Array | Promise<Uint8Array>;
	/** Throws `CannotOpen` if the bytes were sealed with another key or have changed. */
	open(sealed: Uint8Array): string | Promise<string>;
}

/** The key has 32 bytes. */
export type CreateCipher = (key: Uint8Array<ArrayBuffer>) => Promise<Cipher>;

export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;
