import { fromBase64, toBase64Url } from "@tripline/contract/bytes";
import { ToolProblem } from "../tools/tool.ts";

/** Where the list of resources continues: after a workflow, or at a cursor of the entries. Null: from the first. */
export type Place = { readonly workflow: string | null } | { readonly entries: string | null };

export const encodePlace = (place: Place): string =>
	toBase64Url(new TextEncoder().encode(JSON.stringify(place)));

export function decodePlace(cursor: string): Place {
	const place = parseCursor(cursor);
	if (!isPlace(place)) throw createBadCursor();
	return place;
}

export const createBadCursor = (): ToolProblem =>
	new ToolProblem("the cursor is not valid for this list: omit it to start from the beginning");

function parseCursor(cursor: string): unknown {
	const bytes = cursor.length > 2_000 ? null : fromBase64(cursor);
	try {
		return bytes === null ? null : JSON.parse(new TextDecoder().decode(bytes));
	} catch {
		return null;
	}
}

function isPlace(value: unknown): value is Place {
	if (typeof value !== "object" || value === null) return false;
	const { workflow, entries } = value as { workflow?: unknown; entries?: unknown };
	return isTextOrNull(workflow) || isTextOrNull(entries);
}

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === "string";
