import type { JsonObject } from "../../api/types.ts";

type Metadata =
	| { readonly kind: "object"; readonly value: JsonObject }
	| { readonly kind: "not-json"; readonly why: string }
	| { readonly kind: "not-object" };

/** Parses metadata with the service's own check, so that errors are shown while typing. */
export function parseMetadata(text: string): Metadata {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		return { kind: "not-json", why: error instanceof Error ? error.message : String(error) };
	}
	if (typeof value !== "object" || value === null || Array.isArray(value)) return { kind: "not-object" };
	return { kind: "object", value: value as JsonObject };
}

export function formatMetadata(text: string): string {
	const metadata = parseMetadata(text);
	return metadata.kind === "object" ? JSON.stringify(metadata.value, null, 2) : text;
}

/** Whether two metadata texts are equal apart from formatting. */
export function isSameMetadata(one: string, other: string): boolean {
	const [a, b] = [parseMetadata(one), parseMetadata(other)];
	if (a.kind !== "object" || b.kind !== "object") return one === other;
	return JSON.stringify(a.value) === JSON.stringify(b.value);
}
