import type { Knowledge } from "@tripline/components/effects";
import type { Turns } from "@tripline/platform/turns";
import type { CallOptions, StoreClient } from "@tripline/store/client";
import { createStoreCalls } from "./store-calls.ts";

/** A page of the store may be short if a filter found little; so many are read to fill one. */
const MAX_FILTERED_PAGES = 10;
/** A node's output is at most 1 MiB, so a longer page need not be filled. */
const MAX_FILLED_LENGTH = 1_048_576;

/** Access to one namespace's knowledge on behalf of a run. */
export function createKnowledge(
	store: StoreClient,
	turns: Turns,
	owner_id: string,
	run: CallOptions["run"],
): Knowledge {
	const ask = createStoreCalls(turns, owner_id, run);
	return {
		search: (query, signal) =>
			ask(signal, async (on) => ({ suggestions: await store.search({ ...query, owner_id }, on) })),
		get: ({ entry_type, page_name }, signal) =>
			ask(signal, (on) => store.entries.get(owner_id, entry_type, page_name, on)),
		getById: (id, signal) => ask(signal, (on) => store.entries.getById(owner_id, id, on)),
		async list({ metadata, cursor, limit, ...query }, signal) {
			const { entry_type } = query;
			const filter = {
				...query,
				owner_id,
				...(entry_type === undefined && { knowledge: "true" as const }),
				...(metadata && { metadata: JSON.stringify(metadata) }),
			};
			const page = await fillPage(
				{ limit, cursor, isFiltered: metadata !== undefined },
				async (left, after) => {
					const { entries, next_cursor } = await ask(signal, (on) =>
						store.entries.list({ ...filter, limit: left, cursor: after }, on),
					);
					return { items: entries, next_cursor };
				},
			);
			return { entries: page.items, next_cursor: page.next_cursor };
		},
		delete: (id, signal) => ask(signal, (on) => store.entries.delete(owner_id, id, on)),
		upsert: (entry, signal) =>
			ask(signal, async (on) => {
				const written = await store.entries.upsert({ ...entry, owner_id }, on);
				return { success: true, ...written };
			}),
		ingest: (candidate, signal) => ask(signal, (on) => store.triplets.ingest({ ...candidate, owner_id }, on)),
		neighbors: ({ name, depth, limit, includeDeprecated, direction, predicate }, signal) => {
			const query: Parameters<StoreClient["graph"]["listNeighbors"]>[1] = {
				owner_id,
				depth: String(depth),
				limit: String(limit),
				includeDeprecated: includeDeprecated ? "true" : "false",
				direction,
				...(predicate !== undefined && { predicate }),
			};
			return ask(signal, (on) => store.graph.listNeighbors(name, query, on));
		},
		explainFact: (fact, signal) => ask(signal, (on) => store.graph.explainFact({ ...fact, owner_id }, on)),
		async ensureTemplate(name, slots, signal) {
			await ask(signal, (on) => store.records.ensureTemplate({ owner_id, name, slots: [...slots] }, on));
		},
		createRecord: (template, values, signal) =>
			ask(signal, (on) => store.records.create({ owner_id, template, values }, on)),
		changeRecord: (id, values, signal) =>
			ask(signal, (on) => store.records.patch(id, { owner_id, values }, on)),
		async listRecords({ template, values, order, limit, cursor }, signal) {
			const filter = { owner_id, template, order, ...(values && { values: JSON.stringify(values) }) };
			const page = await fillPage(
				{ limit, cursor, isFiltered: values !== undefined },
				async (left, after) => {
					const { records, next_cursor } = await ask(signal, (on) =>
						store.records.list({ ...filter, limit: left, cursor: after }, on),
					);
					return { items: records, next_cursor };
				},
			);
			return { records: page.items, next_cursor: page.next_cursor };
		},
	};
}

interface Page<Item> {
	readonly items: Item[];
	readonly next_cursor: string | null;
}

/** Reads until the page is full. A list without a filter is short only if its entries are large. */
async function fillPage<Item>(
	{ limit, cursor, isFiltered }: PageQuery,
	read: (left: number, cursor: string | undefined) => Promise<Page<Item>>,
): Promise<Page<Item>> {
	const items: Item[] = [];
	let next_cursor = cursor ?? null;
	let length = 0;
	for (let pages = 0; pages < (isFiltered ? MAX_FILTERED_PAGES : 1); pages++) {
		const page = await read(limit - items.length, next_cursor ?? undefined);
		items.push(...page.items);
		next_cursor = page.next_cursor;
		if (next_cursor === null || items.length === limit) break;
		length += JSON.stringify(page.items).length;
		if (length > MAX_FILLED_LENGTH) break;
	}
	return { items, next_cursor };
}

interface PageQuery {
	readonly limit: number;
	readonly cursor?: string | null | undefined;
	readonly isFiltered: boolean;
}
