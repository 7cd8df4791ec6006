import { INTERNAL_ENTRY_TYPES, LIFETIMES, PRIVATE_TYPES, STATE_TYPE } from "@tripline/contract/entry-types";
import type { RunsOf } from "@tripline/contract/execution-log";
import type { Order, Place } from "@tripline/contract/paging";
import type { Sql, SqlValue, Statement } from "@tripline/platform/sql";
import { LISTENS_TO_MAIL } from "../domain/columns.ts";

export interface EntryFilter {
	readonly entry_type?: string | undefined;
	readonly owner_id?: string | undefined;
	readonly page_name?: string | undefined;
	readonly since?: number | undefined;
	readonly until?: number | undefined;
	/** Only entries whose next run is at or before this time. */
	readonly dueAt?: number | undefined;
	/** With `dueAt`: no runs that wait for a time, an answer or an event. */
	readonly isUnparked?: boolean | undefined;
	/** Only workflows that events or mails start, or only those that mails start. */
	readonly listens?: "any" | "mail" | undefined;
	/** Only user knowledge, without triplets. */
	readonly knowledge?: boolean | undefined;
	/** Only failed or only successful execution records. */
	readonly verdict?: "success" | "failed" | undefined;
	/** With a page: only execution records of named workflows, or only those of token webhooks. */
	readonly runsOf?: RunsOf | undefined;
	/** Default: newest first. */
	readonly order?: Order | undefined;
	readonly after?: Place | undefined;
	readonly limit: number;
}

/** All columns of a page, or only those that decide which entries match. */
export type ListedColumns = "page" | "scan";

const LARGE_BYTES = 16 * 1024;

const excludeTypes = (types: readonly string[]): string =>
	types.map((type) => `entry_type <> '${type}'`).join(" and ");

/** Bulk types are in fewer indexes; each term must match the condition of a partial index. */
const LISTED_BULK_TYPES = ["execution_log", "triplet"];
const BULK_TYPES = [...LISTED_BULK_TYPES, ...Object.keys(LIFETIMES), STATE_TYPE];
const NOT_BULK = excludeTypes(BULK_TYPES);
/** The types in a listing without a type filter, besides the bulk types. */
const LISTED_TYPES = excludeTypes([
	...BULK_TYPES,
	...PRIVATE_TYPES.filter((type) => !BULK_TYPES.includes(type)),
]);
const KNOWLEDGE_TYPES = excludeTypes([...new Set([...BULK_TYPES, ...INTERNAL_ENTRY_TYPES])]);
const LOG_TYPE = "execution_log";
export const LOG = `entry_type = '${LOG_TYPE}'`;
const RUNS: Readonly<Record<RunsOf, string>> = { named: "webhook = 0", webhook: "webhook = 1" };

/** SQL texts by filter shape: shapes are few, and reusing the same string makes statement lookup faster. */
const listings = new Map<number, string>();

export function buildListing(
	{ dialect }: Pick<Sql, "dialect">,
	filter: EntryFilter,
	columns: ListedColumns = "page",
): Statement {
	const values: SqlValue[] = [];
	let shape = encodeTypesShape(filter) * 6 + encodeRunsShape(filter);
	const partLimit = dialect === "postgres" ? choosePartLimit(filter.limit + 1) : undefined;
	shape = shape * 4 + (partLimit === undefined ? 0 : 1 + PART_LIMITS.indexOf(partLimit));
	shape = shape * 4 + (columns === "scan" ? 2 : 0) + (filter.order === "oldest" ? 1 : 0);
	const add = (value: SqlValue | undefined): void => {
		shape *= 2;
		if (value === undefined) return;
		shape += 1;
		values.push(value);
	};
	add(filter.owner_id);
	add(filter.entry_type);
	add(filter.page_name);
	add(filter.since);
	add(filter.until);
	add(filter.dueAt);
	add(filter.after?.created_at);
	add(filter.after?.seq);
	values.push(filter.limit + 1);
	let text = listings.get(shape);
	if (text === undefined) {
		text = buildListingText(partLimit, filter, columns);
		listings.set(shape, text);
	}
	return { text, values };
}

/** The part of the filter (type, verdict, listens, knowledge, parked runs) that is written into the SQL text. */
function encodeTypesShape({ entry_type, verdict, listens, knowledge, isUnparked }: EntryFilter): number {
	if (listens === "mail") return 7;
	if (isUnparked) return 6;
	if (knowledge) return 5;
	if (listens) return 4;
	if (verdict !== undefined) return verdict === "failed" ? 3 : 2;
	return entry_type !== undefined && BULK_TYPES.includes(entry_type) ? 1 : 0;
}

const encodeRunsShape = ({ entry_type, runsOf }: EntryFilter): number =>
	(runsOf === undefined ? 0 : runsOf === "named" ? 2 : 4) + (entry_type === LOG_TYPE ? 1 : 0);

/** Every branch is read in index order, and only as far as the page needs. */
function buildListingText(
	partLimit: number | undefined,
	filter: EntryFilter,
	columns: ListedColumns,
): string {
	const [direction, isAfter] = filter.order === "oldest" ? ["asc", ">"] : ["desc", "<"];
	let bound = 0;
	const next = () => `?${++bound}`;
	const terms: string[] = [];
	// In the order of the bound values. The owner comes first, because OWNERS_TYPES refers to it as ?1.
	if (filter.owner_id !== undefined) terms.push(`owner_id = ${next()}`);
	if (filter.entry_type !== undefined) terms.push(`entry_type = +${next()}`);
	if (filter.page_name !== undefined) terms.push(`page_name = ${next()}`);
	if (filter.since !== undefined) terms.push(`created_at >= ${next()}`);
	if (filter.until !== undefined) terms.push(`created_at <= ${next()}`);
	if (filter.dueAt !== undefined) terms.push(`next_run_at <= ${next()}`);
	if (filter.after !== undefined) terms.push(`(created_at, seq) ${isAfter} (${next()}, ${next()})`);
	const limit = `+${next()}`;
	const order = `order by created_at ${direction}, seq ${direction}`;
	const merge = (selects: readonly string[]) =>
		`${(partLimit === undefined ? selects : limitParts(selects, order, partLimit)).join(" union all ")}
		${order} limit ${limit}`;
	const texts = listBranches(filter).map(({ index, term, parts = [] }) => {
		const select = (...more: (string | undefined)[]) => {
			const where = [...terms, ...more].filter((each) => each !== undefined).join(" and ");
			return `select ${COLUMNS[columns]} from entries ${index === undefined ? "" : `indexed by ${index}`}
				${where === "" ? "" : `where ${where}`}`;
		};
		return parts.length === 0 ? [select(term)] : parts.map((part) => select(term, part));
	});
	if (texts.length === 1) return merge(texts.flat());
	// Parts are nested in one select, because D1 allows at most five in a compound select.
	return merge(
		texts.map((parts) => (parts.length === 1 ? parts.join() : `select * from (${merge(parts)}) as merged`)),
	);
}

/**
 * SQLite merges parts in the order of their index. PostgreSQL reads a part to its end unless that is ordered and limited
 * itself; and it plans a statement again for each call if the limit is bound, because it takes it for a tenth of the rows.
 */
export const limitParts = (selects: readonly string[], order: string, limit: number): readonly string[] =>
	selects.map((select) => `select * from (${select} ${order} limit ${limit}) as part`);

/** The last is more than any listing reads. */
const PART_LIMITS = [21, 101, 10_000];
const choosePartLimit = (limit: number) => PART_LIMITS.find((each) => each >= limit);

/** Large texts are null, so that a thousand of them are never in memory together. */
export const LISTED = `seq, id, entry_type, owner_id, page_name, created_at, updated_at, next_run_at, version, disabled,
	iif(octet_length(content) > ${LARGE_BYTES}, null, content) as content,
	iif(octet_length(metadata_json) > ${LARGE_BYTES}, null, metadata_json) as metadata_json,
	octet_length(content) + octet_length(metadata_json) as bytes`;

const COLUMNS: Readonly<Record<ListedColumns, string>> = {
	page: LISTED,
	scan: `seq, created_at, iif(octet_length(metadata_json) > ${LARGE_BYTES}, null, metadata_json) as metadata_json,
	octet_length(metadata_json) as bytes`,
};

const LISTENING = {
	any: "listens is not null",
	mail: `listens is not null and listens = '${LISTENS_TO_MAIL}'`,
} as const;

interface Branch {
	/** Set where the planner would choose an index with more equality columns but far more rows. */
	readonly index?: string;
	/** Literal, not bound: a partial index is used only if the query repeats its condition. */
	readonly term?: string | undefined;
	/** Terms that are each read separately in index order. */
	readonly parts?: readonly string[];
}

function listBranches(filter: EntryFilter): Branch[] {
	const ofListening = filter.listens ? { term: LISTENING[filter.listens] } : {};
	if (filter.knowledge) return [buildTypesBranch(filter, KNOWLEDGE_TYPES)];
	if (filter.dueAt !== undefined)
		return [{ index: "entries_due", ...(filter.isUnparked ? { term: "parked_for is null" } : ofListening) }];
	if (filter.listens) return [{ index: "entries_listens", ...ofListening }];
	if (filter.entry_type === undefined) {
		const ofBulkTypes = LISTED_BULK_TYPES.map((type) =>
			buildTypeBranch(filter, type, `entry_type = '${type}'`),
		);
		return [buildTypesBranch(filter, LISTED_TYPES), ...ofBulkTypes];
	}
	return [buildTypeBranch(filter, filter.entry_type)];
}

function buildTypeBranch(
	{ owner_id, page_name, verdict, runsOf }: EntryFilter,
	type: string,
	term?: string,
): Branch {
	if (verdict === "failed" && runsOf === undefined)
		return { index: "entries_failures", term: `${LOG} and ${VERDICT} = 'failed'` };
	const ofVerdict = verdict === undefined ? term : `${VERDICT} = '${verdict}'`;
	if (owner_id !== undefined && page_name !== undefined)
		return { term: ofVerdict, parts: type === LOG_TYPE ? listRunTerms(runsOf) : [OF_NO_RUN] };
	return { term: owner_id === undefined && !BULK_TYPES.includes(type) ? NOT_BULK : ofVerdict };
}

/** The page index separates named runs, webhook runs and entries that are not runs. */
export const listRunTerms = (runsOf: RunsOf | undefined): readonly string[] =>
	runsOf === undefined ? Object.values(RUNS) : [RUNS[runsOf]];
const OF_NO_RUN = "webhook is null";

function buildTypesBranch(filter: EntryFilter, types: string): Branch {
	if (filter.owner_id === undefined || filter.page_name === undefined) return { term: types };
	return { index: "entries_page", term: `${types} and entry_type in (${OWNERS_TYPES})` };
}

export const VERDICT = "json_extract(metadata_json, '$.verdict')";

/** Skips from type to type in the index: an owner has many entries but few types. */
export const OWNERS_TYPES = `
	with recursive types (name) as (
		select min(entry_type) from entries where owner_id = ?1
		union all
		select (select min(entry_type) from entries where owner_id = ?1 and entry_type > types.name)
		from types where types.name is not null
	)
	select name from types`;
