import { toBase64Url } from "@tripline/contract/bytes";
import * as z from "zod";
import { INVALID_PARAMS, RequestProblem } from "./problems.ts";

/** Large, because some clients read only the first page. */
const PAGE_SIZE = 100;

export const PageParams = z.object({ cursor: z.string().optional() });

export interface Page<Item> {
	readonly items: readonly Item[];
	readonly nextCursor?: string;
}

/** The page after the item that the cursor names, so that items added meanwhile do not shift it. */
export function pickPage<Item extends { readonly name: string }>(
	all: readonly Item[],
	cursor: string | undefined,
): Page<Item> {
	const start = cursor === undefined ? 0 : findStart(all, cursor);
	const items = all.slice(start, start + PAGE_SIZE);
	const last = items.at(-1);
	return last === undefined || start + PAGE_SIZE >= all.length
		? { items }
		: { items, nextCursor: toCursor(last.name) };
}

function findStart(all: readonly { readonly name: string }[], cursor: string): number {
	const at = all.findIndex(({ name }) => toCursor(name) === cursor);
	if (at !== -1) return at + 1;
	throw new RequestProblem(
		INVALID_PARAMS,
		"cursor is not valid for this list, or the list has changed: start again without a cursor",
	);
}

const encoder = new TextEncoder();
const toCursor = (name: string): string => toBase64Url(encoder.encode(name));
