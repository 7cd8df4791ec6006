import type { ExecutionRecord, Executions } from "../../api/types.ts";

/** The part of the list loaded so far. */
export interface Listed {
	readonly items: readonly ExecutionRecord[];
	/** Cursor of the next page; null at the end, undefined before the first request. */
	readonly cursor: string | null | undefined;
	readonly pages: number;
}

export const NOTHING: Listed = { items: [], cursor: undefined, pages: 0 };

/** Appends the next page. New records shift older ones to the next page, so duplicates are removed. */
export function addPage(listed: Listed, { executions, next_cursor }: Executions): Listed {
	const known = new Set(listed.items.map(({ id }) => id));
	return {
		items: [...listed.items, ...executions.filter(({ id }) => !known.has(id))],
		cursor: next_cursor,
		pages: listed.pages + 1,
	};
}

/** New records of the first page that are not in the list. */
export interface News {
	readonly page: Executions;
	readonly count: number;
	/** The whole page is new, so there may be more records between it and the list. */
	readonly hasGap: boolean;
}

export function findNews(listed: Listed, page: Executions): News {
	const known = new Set(listed.items.map(({ id }) => id));
	const count = page.executions.filter(({ id }) => !known.has(id)).length;
	const hasGap = count > 0 && count === page.executions.length && page.next_cursor !== null;
	return { page, count, hasGap };
}

export function addNews(listed: Listed, { page, hasGap }: News): Listed {
	if (hasGap) return { items: page.executions, cursor: page.next_cursor, pages: 1 };
	const known = new Set(listed.items.map(({ id }) => id));
	return { ...listed, items: [...page.executions.filter(({ id }) => !known.has(id)), ...listed.items] };
}
