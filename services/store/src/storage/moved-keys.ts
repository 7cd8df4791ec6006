import { type Sql, type SqlValue, statement } from "@tripline/platform/sql";
import { buildEntityKey, buildTripletKey, foldName } from "../domain/triplets.ts";

type Values = Readonly<Record<string, SqlValue>>;

/** The columns of `triplets` that one database shortens. */
const LOOKUPS = ["subject", "predicate", "object", "uri"] as const;

/**
 * Converts rows from one database to another. Where one shortens keys that an index cannot hold, the other has the whole
 * text, which is in the metadata of the entry.
 */
export function convertKeys(from: Sql, to: Sql) {
	const { shortenKey } = to;
	const shortenFrom = from.shortenKey;
	return async <V extends Values>(table: string, rows: readonly V[]): Promise<readonly V[]> => {
		if (shortenKey !== undefined) return shorten(table, rows, shortenKey);
		return shortenFrom === undefined ? rows : restore(from, table, rows, shortenFrom);
	};
}

type Shorten = (text: string) => string;

const hasLookupKey = ({ entry_type, upsert_key }: Values): boolean =>
	upsert_key !== null && (entry_type === "triplet" || entry_type === "entity");

function shorten<V extends Values>(table: string, rows: readonly V[], shortenKey: Shorten): readonly V[] {
	if (table === "entries")
		return rows.map((row) =>
			hasLookupKey(row) ? { ...row, upsert_key: shortenKey(String(row.upsert_key)) } : row,
		);
	if (table === "triplets")
		return rows.map((row) => ({
			...row,
			...Object.fromEntries(LOOKUPS.map((column) => [column, shortenKey(String(row[column]))])),
		}));
	return rows;
}

async function restore<V extends Values>(
	sql: Sql,
	table: string,
	rows: readonly V[],
	shortenKey: Shorten,
): Promise<readonly V[]> {
	const choose = (stored: SqlValue, whole: string | undefined): SqlValue =>
		whole !== undefined && shortenKey(whole) === stored ? whole : stored;
	if (table === "entries")
		return rows.map((row) =>
			hasLookupKey(row) ? { ...row, upsert_key: choose(row.upsert_key ?? null, buildWholeKey(row)) } : row,
		);
	if (table !== "triplets") return rows;
	const shortened = rows.filter((row) => LOOKUPS.some((column) => IS_SHORTENED.test(String(row[column]))));
	if (shortened.length === 0) return rows;
	const entries = await sql.read<{ seq: number; metadata_json: string }>(
		statement(
			`select seq, metadata_json from entries
			where seq in (select cast(value as integer) from json_each(?1))`,
			JSON.stringify(shortened.map(({ seq }) => Number(seq))),
		),
	);
	const wholes = new Map(entries.map(({ seq, metadata_json }) => [String(seq), readWhole(metadata_json)]));
	return rows.map((row) => {
		const whole = wholes.get(String(row.seq));
		return whole === undefined
			? row
			: {
					...row,
					...Object.fromEntries(
						LOOKUPS.map((column) => [column, choose(row[column] ?? null, whole[column])]),
					),
				};
	});
}

/** A shortened key ends with a SHA-256. Others may too. */
const IS_SHORTENED = /#[0-9a-f]{64}$/;

function buildWholeKey({ entry_type, owner_id, metadata_json }: Values): string | undefined {
	const owner = String(owner_id);
	const stored = JSON.parse(String(metadata_json)) as Readonly<Record<string, unknown>>;
	if (entry_type === "entity")
		return typeof stored.name === "string" ? buildEntityKey(owner, foldName(stored.name)) : undefined;
	const { subject, predicate, object, uri } = readWhole(String(metadata_json));
	const hash = String(stored.content_hash);
	return buildTripletKey(owner, { uri, hash }, [subject, predicate, object]);
}

function readWhole(metadata: string): Readonly<Record<(typeof LOOKUPS)[number], string>> {
	const stored = JSON.parse(metadata) as Readonly<Record<string, unknown>>;
	return {
		subject: foldName(String(stored.subject)),
		predicate: foldName(String(stored.predicate)),
		object: foldName(String(stored.object)),
		uri: String(stored.source_uri),
	};
}
