import type { Json } from "@tripline/contract/json";
import { type Sql, statement } from "@tripline/platform/sql";

type Values = Readonly<Record<string, Json>>;

interface RecordRow {
	readonly id: string;
	readonly owner_id: string;
	readonly template_id: string;
	readonly metadata_json: string;
	readonly created_at: number;
	readonly updated_at: number;
}

const COLUMNS = "id, owner_id, template_id, metadata_json, created_at, updated_at";

/** A record is an entry of type `value`; its page is its template's id. */
export const RECORD_TYPE = "value";

export function recordStorage(sql: Sql) {
	return {
		async get(id: string): Promise<RecordRow | null> {
			const rows = await sql.read<RecordRow>(
				statement(`select ${COLUMNS} from entries where id = ?1 and entry_type = '${RECORD_TYPE}'`, id),
			);
			return rows[0] ?? null;
		},

		/** Null if the values are no longer `before`, because another call changed them in between. */
		async replaceValues(id: string, before: string, after: Values, now: number): Promise<RecordRow | null> {
			const [outcome] = await sql.write([
				statement(
					`update entries set metadata_json = ?3, updated_at = ?4
					where id = ?1 and metadata_json = ?2 returning ${COLUMNS}`,
					id,
					before,
					JSON.stringify(after),
					now,
				),
			]);
			return (outcome?.rows[0] as RecordRow | undefined) ?? null;
		},
	};
}

export type RecordStorage = ReturnType<typeof recordStorage>;
