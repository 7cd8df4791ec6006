import { STATE_TYPE } from "@tripline/contract/entry-types";
import { MAX_STATE_NAMES } from "@tripline/contract/state";
import { type Outcome, type Row, type Sql, type Statement, statement } from "@tripline/platform/sql";
import { buildUpsertKey } from "./entries.ts";

interface Named {
	readonly owner_id: string;
	readonly name: string;
	/** Unix milliseconds. */
	readonly now: number;
}

interface Written extends Named {
	/** Of the entry, if it is new. */
	readonly id: string;
	/** Unix milliseconds; null if the value does not expire. */
	readonly expires_at: number | null;
}

/** What a write did; `current` is the value before it, as JSON text. */
interface Outcomes {
	readonly current: string | null;
	/** The written row; undefined if the condition of the write did not hold. */
	readonly row: Row | undefined;
}

const ROWS_PER_DELETE = 500;

/**
 * Named values of a namespace. Every change is one statement that reads and writes, so concurrent callers lose nothing.
 * An expired value counts as absent, whether or not it is deleted yet.
 */
export function stateStorage(sql: Sql) {
	return {
		async get(named: Named): Promise<string | null> {
			const [row] = await sql.read<Row>(selectCurrent(named));
			return toJson(row);
		},

		/** `full`: the name would be new, and the owner has as many names as allowed. */
		async set(
			value: Written & { readonly value_json: string; readonly if_absent: boolean },
		): Promise<{ previous: string | null; stored: boolean } | "full"> {
			const replaced = value.if_absent ? `where ${IS_EXPIRED}` : "";
			const { current, row } = await insertWithRoom(
				value,
				toColumns(value.value_json),
				`metadata_json = excluded.metadata_json, number = excluded.number, expires_at = excluded.expires_at,
					updated_at = excluded.updated_at ${replaced}`,
			);
			if (row === undefined && current === null) return "full";
			return { previous: current, stored: row !== undefined };
		},

		/** The new number; otherwise the value that cannot be incremented, or null if there is no room for a new name. */
		async increment(
			counter: Written & { readonly by: number },
		): Promise<{ value: number } | { refused: string | null }> {
			const { current, row } = await insertWithRoom(
				counter,
				{ metadata_json: "{}", number: counter.by },
				`number = iif(${IS_EXPIRED}, excluded.number, entries.number + excluded.number),
					expires_at = iif(${IS_EXPIRED}, excluded.expires_at, entries.expires_at),
					metadata_json = excluded.metadata_json, updated_at = excluded.updated_at
				where ${IS_EXPIRED} or abs(entries.number + excluded.number) <= ${Number.MAX_SAFE_INTEGER}`,
			);
			return row === undefined ? { refused: current } : { value: row.number as number };
		},

		/** The value before; null if there was none. */
		async delete(named: Named): Promise<string | null> {
			const [before] = await sql.write([
				selectCurrent(named),
				statement("delete from entries where upsert_key = ?1", buildKey(named)),
			]);
			return toJson(before?.rows[0]);
		},

		/** Deletes a bounded number of expired values and returns how many. */
		deleteExpired,
	};

	/** Writes a value under a name that exists or still fits. Expired names are deleted before a new one is refused. */
	async function insertWithRoom(value: Written, columns: Columns, update: string): Promise<Outcomes> {
		const unit = [selectCurrent(value), insert(value, columns, update)];
		const outcomes = toOutcomes(await sql.write(unit));
		if (outcomes.row !== undefined || outcomes.current !== null) return outcomes;
		return (await deleteExpired(value.now, value.owner_id)) > 0
			? toOutcomes(await sql.write(unit))
			: outcomes;
	}

	async function deleteExpired(now: number, owner?: string): Promise<number> {
		const [outcome] = await sql.write([
			statement(
				`delete from entries where seq in (
					select seq from entries indexed by entries_expiry
					where expires_at <= +?1 and (?2 is null or owner_id = ?2) limit ${ROWS_PER_DELETE}
				) returning seq`,
				now,
				owner ?? null,
			),
		]);
		return outcome?.rows.length ?? 0;
	}
}

export type StateStorage = ReturnType<typeof stateStorage>;

interface Columns {
	readonly metadata_json: string;
	readonly number: number | null;
}

const IS_EXPIRED = "(entries.expires_at is not null and entries.expires_at <= +?8)";

function insert(value: Written, columns: Columns, update: string): Statement {
	return statement(
		`insert into entries (id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at,
			upsert_key, number, expires_at)
		select ?2, '${STATE_TYPE}', ?3, ?4, '', ?5, ?9, ?9, ?1, ?6, ?7
		where exists (select 1 from entries where upsert_key = ?1)
			or coalesce((select value from counters where name = 'state' || char(10) || ?3), 0) < ${MAX_STATE_NAMES}
		on conflict (upsert_key) where upsert_key is not null do update set ${update}
		returning number`,
		buildKey(value),
		value.id,
		value.owner_id,
		value.name,
		columns.metadata_json,
		columns.number,
		value.expires_at,
		value.now,
		Math.floor(value.now / 1000),
	);
}

const selectCurrent = (named: Named): Statement =>
	statement(
		`select number, metadata_json from entries
		where upsert_key = ?1 and (expires_at is null or expires_at > +?2)`,
		buildKey(named),
		named.now,
	);

const buildKey = ({ owner_id, name }: Named): string =>
	buildUpsertKey({ owner_id, entry_type: STATE_TYPE, page_name: name });

const toOutcomes = ([before, written]: readonly Outcome[]): Outcomes => ({
	current: toJson(before?.rows[0]),
	row: written?.rows[0],
});

/** Metadata is an object, so the value is its member. */
const [PREFIX, SUFFIX] = ['{"value":', "}"];

function toColumns(json: string): Columns {
	const value: unknown = JSON.parse(json);
	return typeof value === "number"
		? { metadata_json: "{}", number: value }
		: { metadata_json: PREFIX + json + SUFFIX, number: null };
}

function toJson(row: Row | undefined): string | null {
	if (row === undefined) return null;
	if (row.number !== null) return JSON.stringify(row.number);
	return (row.metadata_json as string).slice(PREFIX.length, -SUFFIX.length);
}
