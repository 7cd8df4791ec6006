import { STORE_KEPT_TYPES } from "@tripline/contract/entry-types";
import { type Sql, statement } from "@tripline/platform/sql";
import { OWNERS_TYPES } from "./listing.ts";

const MAX_COUNTED_ENTRIES = 10_000;

export function usageStorage(sql: Sql) {
	return {
		readSize: () => sql.size(),

		/** How many entries an owner has of each type, counted in the index up to a limit. */
		async countTypes(owner: string) {
			const rows = await sql.read<{ entry_type: string; count: number }>(
				statement(
					`select name as entry_type, (
						select count(*) from (
							select 1 from entries where owner_id = ?1 and entry_type = owned.name limit +?2
						) as counted
					) as count
					from (${OWNERS_TYPES}) as owned
					where name is not null and name not in (${KEPT}) order by name`,
					owner,
					MAX_COUNTED_ENTRIES + 1,
				),
			);
			return rows.map(({ entry_type, count }) => ({
				entry_type,
				count: Math.min(count, MAX_COUNTED_ENTRIES),
				more: count > MAX_COUNTED_ENTRIES,
			}));
		},
	};
}

export type UsageStorage = ReturnType<typeof usageStorage>;

const KEPT = STORE_KEPT_TYPES.map((type) => `'${type}'`).join(", ");
