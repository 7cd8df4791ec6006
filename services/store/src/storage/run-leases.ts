import { ACCEPTED_RUN } from "@tripline/contract/accepted-runs";
import { NO_PROCESS, RUN_LEASE } from "@tripline/contract/run-leases";
import { type Sql, type SqlValue, type Statement, statement } from "@tripline/platform/sql";
import { buildUpsertKey } from "./entries.ts";

export interface NewLease {
	readonly entryId: string;
	readonly owner_id: string;
	readonly workflow: string;
	/** Execution id. */
	readonly id: string;
	readonly max?: number | undefined;
	readonly seconds: number;
	readonly holder: string;
	readonly now: number;
}

/** Leases of concurrent runs: one entry for each run in progress of a workflow that limits them. */
export function runLeaseStorage(sql: Sql) {
	return {
		async take(lease: NewLease): Promise<{ taken: boolean; created: boolean }> {
			const [, inserted] = await sql.write([deleteEndedLeases(lease), insertLease(lease)]);
			const id = inserted?.rows[0]?.id;
			return { taken: id !== undefined, created: id === lease.entryId };
		},

		/** Also returns the accepted run that waits longest for the workflow. */
		async release(lease: Pick<NewLease, "owner_id" | "workflow" | "id">) {
			const [deleted, waiting] = await sql.write([
				statement("delete from entries where upsert_key = ?1", buildKey(lease)),
				statement(
					`select id, page_name from entries indexed by entries_waiting
					where owner_id = ?1 and waits_for = ?2 order by seq limit 1`,
					lease.owner_id,
					lease.workflow,
				),
			]);
			const next = (waiting?.rows[0] ?? null) as { id: string; page_name: string } | null;
			return { released: (deleted?.changes ?? 0) > 0, next };
		},

		/** Deletes the leases of all other processes, except those of accepted runs that have not ended. */
		async clear(holder: string): Promise<number> {
			const [outcome] = await sql.write([freeLeases("lease.content not in (?1, ?2)", holder, NO_PROCESS)]);
			return outcome?.changes ?? 0;
		},
	};
}

export type RunLeaseStorage = ReturnType<typeof runLeaseStorage>;

/**
 * Deletes leases of which the condition holds, except those of accepted runs that have not ended: whoever takes such a
 * run over extends its lease, and no run that waits behind it starts before. Goes from owner to owner, because no index
 * is by type alone.
 */
export const freeLeases = (condition: string, ...values: SqlValue[]): Statement =>
	statement(
		`with recursive owners (name) as (
			select min(owner_id) from entries
			union all
			select (select min(owner_id) from entries where owner_id > owners.name)
			from owners where owners.name is not null
		)
		delete from entries where seq in (
			select seq from owners cross join entries as lease
			where owner_id = owners.name and entry_type = '${RUN_LEASE}' and ${condition}
				and not exists (select 1 from entries as run where run.next_run_at is not null and run.upsert_key =
					lease.owner_id || char(10) || '${ACCEPTED_RUN}' || char(10)
						|| substr(lease.page_name, instr(lease.page_name, char(10)) + 1))
		)`,
		...values,
	);

/** Leases whose run's process died. */
export function deleteEndedLeases(lease: NewLease): Statement {
	return statement(
		`delete from entries where upsert_key > ?1 and upsert_key < ?2 and cast(metadata_json ->> '$.until' as integer) <= ?3`,
		...buildKeyRange(lease),
		lease.now,
	);
}

/** Inserts the lease or extends it, if `condition` holds and no more than `max` runs then have one. */
export function insertLease(lease: NewLease, condition = "true", ...values: SqlValue[]): Statement {
	return statement(
		`insert into entries
			(id, entry_type, owner_id, page_name, content, metadata_json, created_at, updated_at, upsert_key)
		select ?1, '${RUN_LEASE}', ?2, ?3, ?4, json_object('until', ?5 + ?6), ?5, ?5, ?7
		where (?8 is null or ?8 > (
			select count(*) from entries where upsert_key > ?9 and upsert_key < ?10 and upsert_key <> ?7
		)) and ${condition}
		on conflict (upsert_key) where upsert_key is not null
			do update set metadata_json = excluded.metadata_json, content = excluded.content
		returning id`,
		lease.entryId,
		lease.owner_id,
		buildPage(lease),
		lease.holder,
		lease.now,
		lease.seconds,
		buildKey(lease),
		lease.max ?? null,
		...buildKeyRange(lease),
		...values,
	);
}

type Named = Pick<NewLease, "owner_id" | "workflow" | "id">;

/** Neither a workflow's name nor an id contains a line feed. */
const buildPage = ({ workflow, id }: Named): string => `${workflow}\n${id}`;

const buildKey = (lease: Named): string =>
	buildUpsertKey({ owner_id: lease.owner_id, entry_type: RUN_LEASE, page_name: buildPage(lease) });

/** All keys of the workflow's leases are between these two: the second ends with the character after the line feed. */
function buildKeyRange({ owner_id, workflow }: Named): [string, string] {
	const prefix = buildUpsertKey({ owner_id, entry_type: RUN_LEASE, page_name: workflow });
	return [`${prefix}\n`, `${prefix}\u000b`];
}
