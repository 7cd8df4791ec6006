import { malformed, unsupported } from "./failures.ts";
import type { MediaType } from "./media-type.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });
/** A byte order mark inside a form belongs to the value. */
const utf8WithMark = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** `what` names the text in the message. */
export function decodeUtf8(bytes: Uint8Array, what: string): string {
	const text = tryDecodeUtf8(bytes);
	if (text === null) throw malformed(`${what} is not valid UTF-8`);
	return text;
}

/** The same for bytes that may be something else; null if they are not UTF-8. */
export function tryDecodeUtf8(bytes: Uint8Array): string | null {
	try {
		return utf8.decode(bytes);
	} catch {
		return null;
	}
}

/** The same for a part of a body. */
export function decodeUtf8Part(bytes: Uint8Array, what: string): string {
	try {
		return utf8WithMark.decode(bytes);
	} catch {
		throw malformed(`${what} is not valid UTF-8`);
	}
}

/** Other character sets are refused, where a type may have any. */
export function requireUtf8(type: MediaType | null): void {
	const charset = findCharset(type);
	if (charset === "utf-8") return;
	throw unsupported(`${type?.essence} must be encoded as utf-8`);
}

/** Decodes text of a type that may name utf-8, us-ascii or iso-8859-1. */
export function decodeText(bytes: Uint8Array, type: MediaType | null, what: string): string {
	switch (findCharset(type)) {
		case "utf-8":
			return decodeUtf8(bytes, what);
		case "iso-8859-1":
			return decodeLatin1(bytes);
		default:
			throw unsupported(`the charset of ${what} is not supported: send utf-8, us-ascii or iso-8859-1`);
	}
}

/** ASCII text is also UTF-8. */
const CHARSETS = new Map([
	["utf-8", "utf-8"],
	["utf8", "utf-8"],
	["us-ascii", "utf-8"],
	["ascii", "utf-8"],
	["iso-8859-1", "iso-8859-1"],
	["latin1", "iso-8859-1"],
] as const);

const findCharset = (type: MediaType | null): "utf-8" | "iso-8859-1" | undefined => {
	const charset = type?.parameters.get("charset");
	return charset === undefined
		? "utf-8"
		: (CHARSETS as ReadonlyMap<string, "utf-8" | "iso-8859-1">).get(charset.toLowerCase());
};

/** Bounds the number of arguments of one call. */
const CHUNK_BYTES = 8_192;

/** Not a `TextDecoder`: under that name it decodes windows-1252, and not every platform has it. */
function decodeLatin1(bytes: Uint8Array): string {
	let text = "";
	for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
		text += String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES));
	return text;
}
