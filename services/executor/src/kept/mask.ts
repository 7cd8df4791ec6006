import type { Json } from "@tripline/contract/json";
import type { Secrets } from "./capture.ts";

/** Replaces secrets in a value by the names of their credentials. */
export type Mask = (value: Json) => Json;

/** Null if there is nothing to mask. */
export async function createMask(secrets: Secrets): Promise<Mask | null> {
	if (secrets.size === 0) return null;
	// Loaded only where credentials are used, so that the service starts faster.
	const { redactor, redactRanges } = await import("@tripline/components/outbound/redact");
	const redactors = [...secrets].map(([name, values]) => ({
		by: `{{credential.${name}}}`,
		find: redactor([...values]).find,
	}));
	return mask;

	/** Bounded by the depth and size of outputs. */
	function mask(value: Json): Json {
		if (typeof value === "string") return maskText(value);
		if (typeof value === "number") {
			const text = String(value);
			const masked = maskText(text);
			return masked === text ? value : masked;
		}
		if (typeof value !== "object" || value === null) return value;
		if (Array.isArray(value)) return value.map(mask);
		return Object.fromEntries(Object.entries(value).map(([key, inner]) => [maskText(key), mask(inner)]));
	}

	function maskText(text: string): string {
		let masked = text;
		for (const { find, by } of redactors) masked = redactRanges(find(masked), masked, by);
		return masked;
	}
}
