import { fromBase64, fromHex } from "@tripline/contract/bytes";
import type { SentTime } from "./proof.ts";

const SECONDS = /^\d{1,12}$/;
const MILLISECONDS = /^\d{13}$/;

/** Null if the text is not this number of bytes in hex. The case of the digits does not matter. */
export const parseHex = (text: string, bytes: number): Uint8Array<ArrayBuffer> | null =>
	text.length === bytes * 2 && /^[0-9a-f]*$/i.test(text) ? fromHex(text) : null;

/** Null if the text is not this number of bytes in base64 with padding. */
export function parseBase64(text: string, bytes: number): Uint8Array<ArrayBuffer> | null {
	if (text.length !== Math.ceil(bytes / 3) * 4 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
	return toLength(fromBase64(text), bytes);
}

/** Also base64url, and without padding. */
export const parseAnyBase64 = (text: string, bytes: number): Uint8Array<ArrayBuffer> | null =>
	text.length > Math.ceil(bytes / 3) * 4 ? null : toLength(fromBase64(text), bytes);

const toLength = (decoded: Uint8Array<ArrayBuffer> | null, bytes: number): Uint8Array<ArrayBuffer> | null =>
	decoded?.length === bytes ? decoded : null;

export const parseSeconds = (text: string): SentTime | null =>
	SECONDS.test(text) ? { at: Number(text) * 1000 } : null;

/** Thirteen digits are milliseconds: as seconds they would be 30,000 years from now. */
export const parseTime = (text: string): SentTime | null =>
	MILLISECONDS.test(text) ? { at: Number(text) } : parseSeconds(text);

export const notSeconds = (header: string): string => `header ${header} must be a time in Unix seconds`;
export const notTime = (header: string): string =>
	`header ${header} must be a time in Unix seconds or milliseconds`;
