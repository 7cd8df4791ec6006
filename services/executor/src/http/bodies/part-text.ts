import { decodeText, decodeUtf8Part } from "./decode.ts";
import type { PartHead } from "./part-head.ts";

/** The text of a part that is no file. */
export function decodePartText({ name, type }: PartHead, bytes: Uint8Array): string {
	const what = `the field ${quoteName(name)}`;
	return type?.parameters.has("charset") === true
		? decodeText(bytes, type, what)
		: decodeUtf8Part(bytes, what);
}

const MAX_QUOTED_LENGTH = 64;

export const quoteName = (name: string): string =>
	JSON.stringify(name.length > MAX_QUOTED_LENGTH ? `${name.slice(0, MAX_QUOTED_LENGTH)}…` : name);
