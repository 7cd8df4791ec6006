import { type Sql, statement } from "@tripline/platform/sql";
import { updateUnchanged } from "./embed-work.ts";

export interface UnsentVector {
	readonly entry: number;
	readonly revision: number;
	readonly owner_id: string;
	readonly entry_type: string;
	readonly external_id: string;
	readonly vector: Uint8Array;
}

/** Tracks which vectors the external index has and which changes are still to be sent. */
export function sentVectors(sql: Sql) {
	return {
		/** Vectors that the external index does not have yet. */
		listUnsent: (limit: number): Promise<UnsentVector[]> =>
			sql.read<UnsentVector>(
				statement(
					`select entry, revision, owner_id, entry_type, external_id, vector from embeddings
					where vector is not null and visible_at is null order by entry limit +?1`,
					limit,
				),
			),

		async markSent(vectors: readonly UnsentVector[], visibleAt: number): Promise<void> {
			const rows = vectors.map(({ entry, revision }) => ({ entry, revision }));
			await updateUnchanged(sql, rows, "visible_at = ?2", "visible_at is null", visibleAt);
		},

		/** Ids to remove from the external index. */
		async listRemovals(limit: number): Promise<string[]> {
			const rows = await sql.read<{ external_id: string }>(
				statement("select external_id from vector_removals limit +?1", limit),
			);
			return rows.map((row) => row.external_id);
		},

		async deleteRemovals(ids: readonly string[]): Promise<void> {
			await sql.write([
				statement(
					"delete from vector_removals where external_id in (select value from json_each(?1))",
					JSON.stringify(ids),
				),
			]);
		},
	};
}
