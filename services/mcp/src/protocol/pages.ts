import { toBase64Url } from "@tripline/contract/bytes";
import * as z from "zod";
import { INVALID_PARAMS, RequestProblem } from "./problems.ts";

/** Large, because some clients read only the first page. */
const PAGE = 100;

export const PageParams = z.object({ cursor: z.string().optional() });

export interface Page<Item> {
	readonly items: readonly Item[];
	readonly nextCursor?: string;
}

/** The page after the item that the cursor names, so that items added meanwhile do not shift it. */
export function pageOf<Item extends { readonly name: string }>(
	all: readonly Item[],
	cursor: string | undefined,
): Page<Item> {
	const start = cursor === undefined ? 0 : startAfter(all, cursor);
	const items = all.slice(start, start + PAGE);
	const last = items.at(-1);
	return last === undefined || start + PAGE >= all.length
		? { items }
		: { items, nextCursor: cursorOf(last.name) };
}

function startAfter(all: readonly { readonly name: string }[], cursor: string): number {
	const at = all.findIndex(({ name }) => cursorOf(name) === cursor);
	if (at !== -1) return at + 1;
	throw new RequestProblem(
		INVALID_PARAMS,
		"cursor is not valid for this list, or the list has changed: start again without a cursor",
	);
}

const encoder = new TextEncoder();
const cursorOf = (name: string): string => toBase64Url(encoder.encode(name));
