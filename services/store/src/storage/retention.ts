import { type Sql, statement } from "@tripline/platform/sql";
import { LOG } from "./listing.ts";

const ROWS_PER_DELETE = 500;
/** The time of a record is the start of its run, which may have lasted for a month. */
const HAS_ENDED_EARLIER = `(updated_at < cast(cutoff.value ->> 'before' as integer) or not (${LOG}))`;

export interface Cutoff {
	readonly entry_type: string;
	/** Unix seconds; entries created earlier have expired. */
	readonly before: number;
}

export function retentionStorage(sql: Sql) {
	return {
		/** Deletes a bounded number of expired entries and returns how many. Entries with a pending run are kept until it ends. */
		async deleteExpired(cutoffs: readonly Cutoff[]): Promise<number> {
			const [outcome] = await sql.write([
				statement(
					`with recursive owners (name) as (
						select min(owner_id) from entries
						union all
						select (select min(owner_id) from entries where owner_id > owners.name)
						from owners where owners.name is not null
					)
					delete from entries where seq in (
						select seq from owners cross join json_each(?1) as cutoff cross join entries
						where owner_id = owners.name and entry_type = cutoff.value ->> 'entry_type'
							and created_at < cast(cutoff.value ->> 'before' as integer) and next_run_at is null
							and ${HAS_ENDED_EARLIER}
						limit ${ROWS_PER_DELETE}
					)`,
					JSON.stringify(cutoffs),
				),
			]);
			return outcome?.changes ?? 0;
		},
	};
}
