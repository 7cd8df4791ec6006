import type { RunResult } from "../../../api/types.ts";

export type Json = RunResult["data"];
const MOST_PREVIEWED = 60;

/** The children of a value, by name or index; null for scalars. Empty containers are shown as text. */
export function childrenOf(value: Json): readonly (readonly [string, Json])[] | null {
	if (typeof value !== "object" || value === null) return null;
	return Array.isArray(value) ? value.map((each, index) => [String(index), each]) : Object.entries(value);
}

/** Opens the first two levels, unless they are large. */
export function isOpenAtFirst(value: Json, depth: number): boolean {
	const count = childrenOf(value)?.length ?? 0;
	return depth === 0 || (depth < 3 && count <= 10);
}

/** The start of a value on one line. */
export function preview(value: Json): string {
	const parts = childrenOf(value)?.slice(0, 8) ?? [];
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
	return text.length > MOST_PREVIEWED ? `${text.slice(0, MOST_PREVIEWED)}…` : text;
}
