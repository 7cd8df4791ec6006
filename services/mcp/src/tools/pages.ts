import { fromBase64, toBase64Url } from "@tripline/contract/bytes";
import * as z from "zod";
import { takeFitting } from "./budget.ts";
import { ToolProblem } from "./tool.ts";

interface Page<Item> {
	readonly items: Item[];
	readonly next_cursor: string | null;
}

const Place = z.tuple([z.int().min(0), z.string()]);

/**
 * A page of a list that is in memory. The cursor names the last item, so that the next page starts after it even if
 * items were added or removed meanwhile; if that item is gone, the next page starts at its old index.
 */
export function pickPage<Item>(
	list: readonly Item[],
	getKey: (item: Item) => string,
	{ limit, cursor, room }: { limit: number; cursor?: string | undefined; room: number },
): Page<Item> {
	const start = cursor === undefined ? 0 : findStart(list.map(getKey), cursor);
	const wanted = list.slice(start, start + limit);
	// An item that is longer than a page is still returned.
	const items = wanted.slice(0, Math.max(1, takeFitting(wanted, room).length));
	const end = start + items.length;
	const last = items.at(-1);
	if (last === undefined || end >= list.length) return { items, next_cursor: null };
	return { items, next_cursor: encodePlace([end - 1, getKey(last)]) };
}

function findStart(keys: readonly string[], cursor: string): number {
	const [at, key] = decodePlace(cursor);
	const found = keys.indexOf(key);
	return found === -1 ? at : found + 1;
}

const encodePlace = (place: z.output<typeof Place>): string =>
	toBase64Url(new TextEncoder().encode(JSON.stringify(place)));

function decodePlace(cursor: string): z.output<typeof Place> {
	try {
		const bytes = fromBase64(cursor);
		return Place.parse(JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array())));
	} catch {
		throw new ToolProblem(
			"cursor is not valid for this list. Pass next_cursor unchanged, or omit cursor to start again.",
		);
	}
}
