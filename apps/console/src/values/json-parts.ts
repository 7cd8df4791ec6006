import type { RunResult } from "../api/types.ts";

export type Json = RunResult["data"];
const MAX_PREVIEW_LENGTH = 60;

/** The children of a value, by name or index; null for scalars. Empty containers are shown as text. */
export function listChildren(value: Json): readonly (readonly [string, Json])[] | null {
	if (typeof value !== "object" || value === null) return null;
	return Array.isArray(value) ? value.map((each, index) => [String(index), each]) : Object.entries(value);
}

/** Opens the first two levels, unless they are large. */
export function isOpenAtFirst(value: Json, depth: number): boolean {
	const count = listChildren(value)?.length ?? 0;
	return depth === 0 || (depth < 3 && count <= 10);
}

/** The start of a value on one line. */
export function buildPreview(value: Json): string {
	const parts = listChildren(value)?.slice(0, 8) ?? [];
	const inner = parts.map(([key, each]) => {
		const shown =
			typeof each === "object" && each !== null
				? Array.isArray(each)
					? "[…]"
					: "{…}"
				: JSON.stringify(each);
		return Array.isArray(value) ? shown : `${key}: ${shown}`;
	});
	const text = inner.join(", ");
	return text.length > MAX_PREVIEW_LENGTH ? `${text.slice(0, MAX_PREVIEW_LENGTH)}…` : text;
}
