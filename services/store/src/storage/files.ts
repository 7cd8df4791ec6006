import { ACCEPTED_RUN } from "@tripline/contract/accepted-runs";
import { type FileKey, type FileRecord, MIN_CHARGED_BYTES } from "@tripline/contract/file-records";
import { type Outcome, type Sql, statement } from "@tripline/platform/sql";
import { buildUpsertKey } from "./entries.ts";

interface Owned extends FileKey {
	readonly now: number;
}

interface Reservation extends Owned {
	readonly bytes: number;
	readonly max_total: number;
}

/** A file that is written longer than this without reserving more was left by a process that ended. */
const PENDING_MS = 60 * 60_000;
/** When a file whose bytes are being deleted is tried again. */
const DELETE_RETRY_MS = 60_000;
/** When an expired file is looked at again that an unfinished run holds. */
const HELD_RECHECK_MS = 10 * 60_000;
/** When a hold is looked at again. Runs end within minutes as a rule. */
const HOLD_RECHECK_MS = 24 * 60 * 60_000;
const HOLDS_PER_STEP = 500;

/** What is known about files. Every statement finds its rows by an index. */
export function fileStorage(sql: Sql) {
	return {
		/** How many bytes were reserved; 0 if none are left. Of parallel calls, none gets what another one got. */
		async reserve(file: Reservation & Pick<FileRecord, "name" | "type" | "execution_id">): Promise<number> {
			const [outcome] = await sql.write([
				statement(
					`insert into files (id, owner_id, name, type, size, state, execution_id, created_at, due_at)
					select ?1, ?2, ?3, ?4, granted, 'pending', ?5, ?6, ?6 + ${PENDING_MS}
					from (select min(?7, ?8 - ${total("?2")}) as granted) as reservation where granted >= ${MIN_CHARGED_BYTES}
					returning size`,
					file.id,
					file.owner_id,
					file.name,
					file.type,
					file.execution_id,
					file.now,
					file.bytes,
					file.max_total,
				),
			]);
			return (outcome?.rows[0]?.size as number | undefined) ?? 0;
		},

		/** How many bytes are reserved now, as many as before if none are left; null if the file is not being written. */
		async extend(file: Reservation): Promise<number | null> {
			const [, found] = await sql.write([
				statement(
					`update files set size = size + min(?3, ?4 - ${total("?2")}), due_at = ?5 + ${PENDING_MS}
					where id = ?1 and owner_id = ?2 and state = 'pending' and ?4 > ${total("?2")}`,
					file.id,
					file.owner_id,
					file.bytes,
					file.max_total,
					file.now,
				),
				statement(
					"select size from files where id = ?1 and owner_id = ?2 and state = 'pending'",
					file.id,
					file.owner_id,
				),
			]);
			return (found?.rows[0]?.size as number | undefined) ?? null;
		},

		/** Null if it is not being written, or no more is reserved than it needs. */
		async commit(file: Owned & { readonly size: number; readonly retention_ms: number }) {
			const [outcome] = await sql.write([
				statement(
					`update files set size = ?3, state = 'stored', created_at = ?4, due_at = ?4 + ?5
					where id = ?1 and owner_id = ?2 and state = 'pending' and size >= ?3 returning ${WIRE}`,
					file.id,
					file.owner_id,
					file.size,
					file.now,
					file.retention_ms,
				),
			]);
			return readFirst(outcome);
		},

		/** Null if there is none, or it has expired. */
		async get({ owner_id, id, now }: { owner_id: string | undefined; id: string; now: number }) {
			const [row] = await sql.read<FileRecord>(
				statement(
					`select ${WIRE} from files where id = ?1 and (?2 is null or owner_id = ?2) and ${alive("?3")}`,
					id,
					owner_id ?? null,
					now,
				),
			);
			return row ?? null;
		},

		/** Newest first. One more than `limit` tells that there is a next page. */
		listNewest(query: {
			owner_id: string;
			isUnkept: boolean;
			limit: number;
			before: number | undefined;
			now: number;
		}) {
			return sql.read<FileRecord & { readonly seq: number }>(
				statement(
					`select ${WIRE}, seq from files indexed by files_owner
					where owner_id = ?1 and state = 'stored' and seq < ?2 and ${alive("?3")}
						and (?4 = 0 or kept_as is null)
					order by seq desc limit +?5`,
					query.owner_id,
					query.before ?? Number.MAX_SAFE_INTEGER,
					query.now,
					query.isUnkept ? 1 : 0,
					query.limit,
				),
			);
		},

		/** By name. */
		listKept(query: { owner_id: string; prefix: string; limit: number; after: string | undefined }) {
			return sql.read<FileRecord>(
				statement(
					`select ${WIRE} from files indexed by files_kept
					where owner_id = ?1 and kept_as >= ?2 and kept_as < ?2 || char(1114111) and kept_as > ?3
					order by kept_as limit +?4`,
					query.owner_id,
					query.prefix,
					query.after ?? "",
					query.limit,
				),
			);
		},

		async getKept(owner_id: string, name: string): Promise<FileRecord | null> {
			const [row] = await sql.read<FileRecord>(
				statement(`select ${WIRE} from files where owner_id = ?1 and kept_as = ?2`, owner_id, name),
			);
			return row ?? null;
		},

		/** The first of these that is not kept; null if there is none. */
		async findUnkept(owner_id: string, ids: readonly string[], now: number): Promise<FileRecord | null> {
			const [row] = await sql.read<FileRecord>(
				statement(
					`select ${WIRE_OF_FILES} from json_each(?2) as asked cross join files on files.id = asked.value
					where owner_id = ?1 and kept_as is null and ${alive("?3")} order by asked.key limit 1`,
					owner_id,
					JSON.stringify(ids),
					now,
				),
			);
			return row ?? null;
		},

		/** The file that had the name before gets its retention back. Null if there is no such file. */
		async keep(file: Owned & { readonly name: string; readonly retention_ms: number }) {
			const [, outcome] = await sql.write([
				statement(
					`update files set kept_as = null, kept_at = null, due_at = ?4 + ?5
					where owner_id = ?2 and kept_as = ?3 and id <> ?1
						and exists (select 1 from files where id = ?1 and owner_id = ?2 and ${alive("?4")})`,
					file.id,
					file.owner_id,
					file.name,
					file.now,
					file.retention_ms,
				),
				statement(
					`update files set kept_as = ?3, kept_at = ?4, due_at = null
					where id = ?1 and owner_id = ?2 and ${alive("?4")} returning ${WIRE}`,
					file.id,
					file.owner_id,
					file.name,
					file.now,
				),
			]);
			return readFirst(outcome);
		},

		/** Returns how many holds are new. */
		async hold(holds: {
			readonly owner_id: string;
			readonly ids: readonly string[];
			readonly execution_ids: readonly string[];
			readonly now: number;
		}): Promise<number> {
			const keys = holds.execution_ids.map((page_name) =>
				buildUpsertKey({ owner_id: holds.owner_id, entry_type: ACCEPTED_RUN, page_name }),
			);
			const [outcome] = await sql.write([
				statement(
					`insert into file_holds (file_id, run_key, checked_at)
					select files.id, run.value, ?4 from json_each(?2) as asked
						cross join files on files.id = asked.value cross join json_each(?3) as run
					where owner_id = ?1 and state = 'stored'
					on conflict (file_id, run_key) do nothing`,
					holds.owner_id,
					JSON.stringify(holds.ids),
					JSON.stringify(keys),
					holds.now,
				),
			]);
			return outcome?.changes ?? 0;
		},

		/** From now on the files cannot be found. The sweep deletes their bytes if the caller does not. */
		async mark(
			owner_id: string,
			which: { readonly ids: readonly string[] } | { readonly kept_as: string },
			now: number,
		): Promise<FileKey[]> {
			const [chosen, value] =
				"ids" in which
					? ["id in (select value from json_each(?2))", JSON.stringify(which.ids)]
					: ["kept_as = ?2", which.kept_as];
			const [outcome] = await sql.write([
				statement(
					`update files set ${MARK}, due_at = ?3 + ${DELETE_RETRY_MS}
					where owner_id = ?1 and ${chosen} and state <> 'deleted' returning owner_id, id`,
					owner_id,
					value,
					now,
				),
			]);
			return readKeys(outcome);
		},

		/**
		 * Marks a bounded number of files that have expired, or that an ended process was writing, and returns marked files
		 * whose bytes are to be deleted. A file that an unfinished run holds is left alone and looked at again later.
		 */
		async sweep(limit: number, now: number): Promise<FileKey[]> {
			const due = `select seq from files indexed by files_due where due_at <= +?1 order by due_at limit +?2`;
			// Nearly always nothing is due, and a unit of work costs more than a look.
			if ((await sql.read(statement(due, now, 1))).length === 0) return [];
			const [, , outcome] = await sql.write([
				statement(
					`update files set ${MARK} where seq in (${due}) and state <> 'deleted' and not ${HELD}`,
					now,
					limit,
				),
				statement(
					`update files set due_at = ?1 + ${HELD_RECHECK_MS} where seq in (${due}) and state <> 'deleted'`,
					now,
					limit,
				),
				statement(
					`update files set due_at = ?1 + ${DELETE_RETRY_MS} where seq in (${due}) and state = 'deleted'
					returning owner_id, id`,
					now,
					limit,
				),
			]);
			return readKeys(outcome);
		},

		/** Lets the sweep find what an ended process was writing. */
		async expirePending(before: number): Promise<number> {
			const [outcome] = await sql.write([
				statement(
					`update files set due_at = 0 where seq in (
						select seq from files indexed by files_pending where state = 'pending' and created_at < +?1)
					returning seq`,
					before,
				),
			]);
			return outcome?.rows.length ?? 0;
		},

		/** Removes marked files whose bytes are deleted. */
		async remove(files: readonly FileKey[]): Promise<number> {
			const [outcome] = await sql.write([
				statement(
					`delete from files where state = 'deleted' and seq in (
						select seq from json_each(?1) as asked cross join files on files.id = asked.value ->> 'id'
						where owner_id = asked.value ->> 'owner_id') returning seq`,
					JSON.stringify(files),
				),
			]);
			return outcome?.rows.length ?? 0;
		},

		/** Deletes a bounded number of holds of runs that have ended. Returns how many it looked at. */
		async deleteEndedHolds(now: number): Promise<number> {
			const old = `select file_id, run_key from file_holds indexed by file_holds_checked
				where checked_at < +?1 order by checked_at limit ${HOLDS_PER_STEP}`;
			const before = now - HOLD_RECHECK_MS;
			const [deleted, kept] = await sql.write([
				statement(
					`delete from file_holds where (file_id, run_key) in (${old}) and not ${unfinished("run_key")}
					returning file_id`,
					before,
				),
				statement(
					`update file_holds set checked_at = ?2 where (file_id, run_key) in (${old}) returning file_id`,
					before,
					now,
				),
			]);
			return (deleted?.rows.length ?? 0) + (kept?.rows.length ?? 0);
		},
	};
}

export type FileStorage = ReturnType<typeof fileStorage>;

const COLUMNS = [
	"id",
	"owner_id",
	"name",
	"type",
	"size",
	"kept_as",
	"kept_at",
	"execution_id",
	"created_at",
];
const WIRE = [...COLUMNS, "due_at as expires_at"].join(", ");
const WIRE_OF_FILES = [...COLUMNS.map((column) => `files.${column}`), "due_at as expires_at"].join(", ");

const MARK = "state = 'deleted', kept_as = null, kept_at = null";

/** What an owner's files have together, with what is reserved. */
const total = (owner: string): string =>
	`coalesce((select value from counters where name = 'files' || char(10) || ${owner}), 0)`;

const unfinished = (key: string): string =>
	`exists (select 1 from entries where upsert_key = ${key} and next_run_at is not null)`;

const HELD = `exists (select 1 from file_holds where file_id = files.id and ${unfinished("run_key")})`;

/** An expired file is there until it is swept only if an unfinished run holds it. */
const alive = (now: string): string => `state = 'stored' and (due_at is null or due_at > +${now} or ${HELD})`;

const readFirst = (outcome: Outcome | undefined): FileRecord | null =>
	(outcome?.rows[0] as FileRecord | undefined) ?? null;

const readKeys = (outcome: Outcome | undefined): FileKey[] => (outcome?.rows ?? []) as unknown as FileKey[];
