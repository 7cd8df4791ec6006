import { toHex } from "@tripline/contract/bytes";
import type { Manifest } from "@tripline/contract/registry";

/** Canonical JSON as in RFC 8785: sorted names, no spaces. Undefined properties are omitted. */
export function toCanonicalJson(value: unknown): string {
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(",")}]`;
	const entries = Object.entries(value)
		.filter(([, inner]) => inner !== undefined)
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([key, inner]) => `${JSON.stringify(key)}:${toCanonicalJson(inner)}`);
	return `{${entries.join(",")}}`;
}

/** SHA-256 of a manifest as its schema outputs it, with defaults filled in. */
export async function hashManifest(manifest: Manifest): Promise<string> {
	const text = new TextEncoder().encode(toCanonicalJson(manifest));
	return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", text)));
}
