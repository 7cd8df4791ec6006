import type { Json } from "@tripline/contract/json";
import { describeMissing, readValueAt } from "@tripline/engine/expressions/value-path";
import { describeType } from "@tripline/engine/issues";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { OutboundCall } from "../outbound/call.ts";
import { subtractSize } from "../size.ts";
import { findNextLink } from "./link-header.ts";
import type { Paginate } from "./paginate.ts";
import { setValueAt } from "./place.ts";

/** The limit of a node's output. */
const MAX_CHARACTERS = 1_048_576;

export interface Page {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly data: Json;
	/** The final URL, after redirects. */
	readonly url: string;
}

type Pages = Pick<Page, "status" | "headers"> & { data: Json[]; pages: number; more: boolean };

/** Reads the pages in order. Status and headers are those of the last page. */
export async function readPages(
	paginate: Paginate,
	call: OutboundCall,
	read: (call: OutboundCall) => Promise<Page>,
	hint = "read fewer with limit or max_pages",
): Promise<Pages> {
	const { max_pages, limit = Number.POSITIVE_INFINITY } = paginate;
	const turn = createPager(paginate, call);
	const items: Json[] = [];
	let room = MAX_CHARACTERS;
	let next: OutboundCall | null = turn.first;
	for (let pages = 1; ; pages++) {
		const page: Page = await read(next);
		const found = readItems(page, paginate, pages);
		for (const item of found) items.push(item);
		room = subtractSize(found, room);
		if (room < 0)
			throw new TerminalError(`the items are larger than 1 MiB together at page ${pages}; ${hint}`);
		next = turn.nextCall(page, found, pages);
		if (next !== null && items.length < limit && pages < max_pages) continue;
		const { status, headers } = page;
		const more = next !== null || items.length > limit;
		return { status, headers, data: items.slice(0, limit), pages, more };
	}
}

function readItems({ data }: Page, { items: path, optional_items }: Paginate, page: number): Json[] {
	const items = path === undefined ? data : readValueAt(data, path);
	if (Array.isArray(items)) return items;
	if (optional_items && (items === undefined || items === null)) return [];
	const where = path === undefined ? `page ${page}` : `${path} of page ${page}`;
	const found = items === undefined ? "missing" : describeType(items);
	throw new TerminalError(`${where} must be a list, but is ${found}; set items to the path of the list`);
}

interface Pager {
	readonly first: OutboundCall;
	/** The call for the next page, or null after the last. */
	nextCall(page: Page, items: readonly Json[], number: number): OutboundCall | null;
}

function createPager(paginate: Paginate, call: OutboundCall): Pager {
	switch (paginate.by) {
		case "link":
			return createLinkPager(paginate, call);
		case "cursor":
			return createCursorPager(paginate, call);
		case "page":
			return createNumberPager(paginate, call);
	}
}

function createLinkPager({ url }: Paginate & { by: "link" }, call: OutboundCall): Pager {
	// The next page's URL has its own query.
	const { query: _, headers, ...rest } = call;
	const origin = URL.parse(call.url)?.origin;
	const seen = new Set<string>();
	let isAway = false;
	return {
		first: call,
		nextCall(page, _items, number) {
			seen.add(page.url);
			const link = url === undefined ? findNextLink(page.headers.link) : readLink(page, url, number);
			if (link === null) return null;
			const next = URL.parse(link, page.url);
			if (next === null || !/^https?:$/.test(next.protocol)) {
				throw new TerminalError(`page ${number} links to a next page that is not an http or https URL`);
			}
			next.hash = "";
			if (seen.has(next.href)) throw createEndlessError(number, "next page was already read");
			seen.add(next.href);
			// Headers are meant for the original host: another host must not choose which requests they are sent with.
			isAway ||= next.origin !== origin || URL.parse(page.url)?.origin !== origin;
			return { ...rest, url: next.href, ...(isAway || headers === undefined ? {} : { headers }) };
		},
	};
}

function readLink({ data }: Page, path: string, number: number): string | null {
	const link = readValueAt(data, path);
	if (link === undefined || link === null || link === "") return null;
	if (typeof link === "string") return link;
	throw new TerminalError(`${path} of page ${number} must be text, but is ${describeType(link)}`);
}

function createCursorPager(paginate: Paginate & { by: "cursor" }, call: OutboundCall): Pager {
	const { more } = paginate;
	const seen = new Set<Json>();
	return {
		first: call,
		nextCall({ data }, items, number) {
			if (more !== undefined && readValueAt(data, more) !== true) return null;
			const cursor = findCursor(paginate, data, items, number);
			if (cursor === null) return null;
			if (seen.has(cursor)) throw createEndlessError(number, "cursor was already used");
			seen.add(cursor);
			return addValue(call, paginate, cursor);
		},
	};
}

function findCursor(
	{ cursor: path, last, optional }: Paginate & { by: "cursor" },
	data: Json,
	items: readonly Json[],
	page: number,
): string | number | null {
	if (last !== undefined) {
		const item = items.at(-1);
		if (item === undefined) return null;
		const cursor = readValueAt(item, last);
		if (cursor !== undefined) return toCursor(cursor, `${last} of page ${page}'s last item`);
		throw new TerminalError(
			`page ${page}'s last item has no ${describeMissing(item, last)}. Correct the path in paginate.last`,
		);
	}
	const cursor = readValueAt(data, path ?? "");
	if (cursor === undefined && page === 1 && !optional)
		throw new TerminalError(
			`the first page has no ${describeMissing(data, path ?? "")}. Correct the path in paginate.cursor; if this API leaves the cursor out of its last page, set paginate.optional: true`,
		);
	return toCursor(cursor, `${path} of page ${page}`);
}

function toCursor(cursor: Json | undefined, where: string): string | number | null {
	if (cursor === undefined || cursor === null || cursor === "" || cursor === false) return null;
	if (typeof cursor === "string" || typeof cursor === "number") return cursor;
	throw new TerminalError(`${where} must be text or a number, but is ${describeType(cursor)}`);
}

/** Puts the value into the query or into the JSON body. */
function addValue(
	call: OutboundCall,
	{ param, body }: { readonly param?: string | undefined; readonly body?: string | undefined },
	value: string | number,
): OutboundCall {
	if (param !== undefined) return { ...call, query: { ...call.query, [param]: value } };
	if (body === undefined) return call;
	const sent = call.body?.kind === "json" ? call.body.value : {};
	return { ...call, body: { kind: "json", value: setValueAt(sent, body, value) } };
}

function createNumberPager(paginate: Paginate & { by: "page" }, call: OutboundCall): Pager {
	const { param, body, start = 1, step = 1, size_param, size_body, size } = paginate;
	const sized = size === undefined ? call : addValue(call, { param: size_param, body: size_body }, size);
	const at = (number: number) => addValue(sized, paginate, number);
	let before: string | null = null;
	return {
		first: at(start),
		nextCall(_page, items, number) {
			if (items.length === 0 || (size !== undefined && items.length < size)) return null;
			const content = JSON.stringify(items);
			if (content === before)
				throw createEndlessError(
					number,
					`items are the same as those of the previous page: ${param ?? body} has no effect`,
				);
			before = content;
			return at(start + step * number);
		},
	};
}

const createEndlessError = (page: number, why: string): TerminalError =>
	new TerminalError(`pagination does not end: page ${page}'s ${why}`);
