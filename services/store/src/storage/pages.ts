import type { Entry } from "@tripline/contract/entries";
import type { Json } from "@tripline/contract/json";
import type { Place } from "@tripline/contract/paging";
import { type Sql, statement } from "@tripline/platform/sql";
import { buildListing, type EntryFilter, LISTED } from "./listing.ts";

export type EntryRow = Entry & {
	readonly seq: number;
	readonly next_run_at: number | null;
	readonly version: number | null;
	readonly disabled: number | null;
};

export interface Page<Item> {
	readonly items: readonly Item[];
	readonly next: Place | null;
}

export type MetadataMatch = (metadata: Readonly<Record<string, Json>>) => boolean;

interface ListedRow extends Omit<EntryRow, "content" | "metadata_json"> {
	readonly content: string | null;
	readonly metadata_json: string | null;
	readonly bytes: number;
}

interface ScannedRow extends Place {
	readonly metadata_json: string | null;
	readonly bytes: number;
}

/** A page ends before its texts exceed this size. */
const PAGE_BYTES = 4 * 1024 * 1024;
/** No index covers metadata, so a page looks at a bounded number of entries and bytes of metadata. */
const MAX_SCANNED_ENTRIES = 2_000;
const MAX_SCANNED_BYTES = 1024 * 1024;

export async function readPage(sql: Sql, filter: EntryFilter): Promise<Page<EntryRow>> {
	const rows = await sql.read<ListedRow>(buildListing(sql, filter));
	const page = rows.slice(0, Math.min(filter.limit, countFitting(rows, PAGE_BYTES)));
	const items = await readLargeTexts(sql, page, "content, metadata_json");
	return { items, next: page.length < rows.length ? toPlace(page.at(-1)) : null };
}

/** The matching entries among the next ones of the listing. */
export async function readMatchingPage(
	sql: Sql,
	filter: EntryFilter,
	isMatch: MetadataMatch,
): Promise<Page<EntryRow>> {
	const listed = await sql.read<ScannedRow>(
		buildListing(sql, { ...filter, limit: MAX_SCANNED_ENTRIES }, "scan"),
	);
	const scanned = listed.slice(0, Math.min(MAX_SCANNED_ENTRIES, countFitting(listed, MAX_SCANNED_BYTES)));
	const complete = await readLargeTexts(sql, scanned, "metadata_json");
	const matching = complete.filter((row) => isMatch(parseMetadata(row)));
	const rows = await readRows(sql, matching.slice(0, filter.limit));
	const page = rows.slice(0, countFitting(rows, PAGE_BYTES));
	const items = await readLargeTexts(sql, page, "content, metadata_json");
	if (page.length < rows.length) return { items, next: toPlace(page.at(-1)) };
	if (matching.length > filter.limit) return { items, next: toPlace(matching[filter.limit - 1]) };
	return { items, next: scanned.length < listed.length ? toPlace(scanned.at(-1)) : null };
}

/** Reads the rows of a page in its order. Entries deleted in between are left out. */
async function readRows(sql: Sql, places: readonly Place[]): Promise<readonly ListedRow[]> {
	if (places.length === 0) return [];
	const rows = await sql.read<ListedRow>(
		statement(
			`select ${LISTED} from entries where seq in (select cast(value as integer) from json_each(?1))`,
			JSON.stringify(places.map(({ seq }) => seq)),
		),
	);
	const bySeq = new Map(rows.map((row) => [row.seq, row]));
	return places.flatMap(({ seq }) => bySeq.get(seq) ?? []);
}

/** Reads the large texts that the listing left out, only for the given rows. */
async function readLargeTexts<
	R extends { seq: number; content?: string | null; metadata_json: string | null },
>(sql: Sql, rows: readonly R[], columns: string): Promise<readonly Complete<R>[]> {
	if (!rows.some(isPartial)) return rows as readonly Complete<R>[];
	const texts = await sql.read<Pick<EntryRow, "seq"> & Partial<EntryRow>>(
		statement(
			`select seq, ${columns} from entries where seq in (select cast(value as integer) from json_each(?1))`,
			JSON.stringify(rows.filter(isPartial).map((row) => row.seq)),
		),
	);
	const bySeq = new Map(texts.map((row) => [row.seq, row]));
	// Entries deleted in between are left out.
	return rows.flatMap((row) => {
		const found = isPartial(row) ? bySeq.get(row.seq) : {};
		return found === undefined ? [] : [{ ...row, ...found } as Complete<R>];
	});
}

type Complete<R> = {
	readonly [Name in keyof R]: Name extends "content" | "metadata_json" ? string : R[Name];
};

const isPartial = (row: {
	readonly content?: string | null;
	readonly metadata_json: string | null;
}): boolean => row.content === null || row.metadata_json === null;

/** How many rows fit by size; the first always does. */
function countFitting(rows: readonly { readonly bytes: number }[], limit: number): number {
	let bytes = 0;
	for (const [index, row] of rows.entries()) {
		bytes += row.bytes;
		if (bytes > limit && index > 0) return index;
	}
	return rows.length;
}

/** Metadata that is not a JSON object, which only damaged entries have, matches as if it were empty. */
function parseMetadata({
	metadata_json,
}: {
	readonly metadata_json: string;
}): Readonly<Record<string, Json>> {
	try {
		const value: unknown = JSON.parse(metadata_json);
		return typeof value === "object" && value !== null ? (value as Record<string, Json>) : {};
	} catch {
		return {};
	}
}

const toPlace = (row: Place | undefined): Place | null =>
	row === undefined ? null : { created_at: row.created_at, seq: row.seq };
