import { sha256Hex } from "@tripline/contract/ids";

/** Deterministic for its source and a name in it, in the form of a version 8 UUID. */
export async function deriveId(source: string, name: string): Promise<string> {
	const hex = await sha256Hex(`${source}\n${name}`);
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
