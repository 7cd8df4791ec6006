import { toBase64Url } from "@tripline/contract/bytes";
import * as z from "zod";
import { INVALID_PARAMS, RequestProblem } from "./problems.ts";

/** Some clients read the first page only. */
const PAGE = 100;

export const PageParams = z.object({ cursor: z.string().optional() });

export interface Page<Item> {
	readonly items: readonly Item[];
	readonly nextCursor?: string;
}

/** The page after the item that the cursor names, so that what is added meanwhile shifts nothing. */
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
		"cursor: it is none of this list, or the list has changed since; list again from the start, without a cursor",
	);
}

const encoder = new TextEncoder();
const cursorOf = (name: string): string => toBase64Url(encoder.encode(name));
