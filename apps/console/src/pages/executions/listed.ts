import type { ExecutionRecord, Executions } from "../../api/types.ts";

/** As much of the list as was asked for. */
export interface Listed {
	readonly items: readonly ExecutionRecord[];
	/** Where it goes on; null: it is complete; undefined: nothing was asked for yet. */
	readonly cursor: string | null | undefined;
	readonly pages: number;
}

export const NOTHING: Listed = { items: [], cursor: undefined, pages: 0 };

/** With the next page. A record that came in meanwhile moves others to the next page: none is listed twice. */
export function withPage(listed: Listed, { executions, next_cursor }: Executions): Listed {
	const known = new Set(listed.items.map(({ id }) => id));
	return {
		items: [...listed.items, ...executions.filter(({ id }) => !known.has(id))],
		cursor: next_cursor,
		pages: listed.pages + 1,
	};
}

/** What the first page has that the list does not have. */
export interface News {
	readonly page: Executions;
	readonly count: number;
	/** The whole page is new: between it and the list there may be more. */
	readonly hasGap: boolean;
}

export function newsIn(listed: Listed, page: Executions): News {
	const known = new Set(listed.items.map(({ id }) => id));
	const count = page.executions.filter(({ id }) => !known.has(id)).length;
	const hasGap = count > 0 && count === page.executions.length && page.next_cursor !== null;
	return { page, count, hasGap };
}

export function withNews(listed: Listed, { page, hasGap }: News): Listed {
	if (hasGap) return { items: page.executions, cursor: page.next_cursor, pages: 1 };
	const known = new Set(listed.items.map(({ id }) => id));
	return { ...listed, items: [...page.executions.filter(({ id }) => !known.has(id)), ...listed.items] };
}
