import { type Sql, statement } from "@tripline/platform/sql";
import type { EntryStorage } from "./entries.ts";
import { STORE_OWNER } from "./execution-log.ts";

const TYPE = "partner_key";

interface PartnerKeyRow {
	readonly id: string;
	readonly namespace: string;
	readonly created_at: number;
}

/** A key is an entry owned by the store, whose page is the key's hash. */
export function partnerKeyStorage(sql: Sql, entries: EntryStorage) {
	const select = "select id, metadata_json ->> 'namespace' as namespace, created_at from entries";
	const kept = `owner_id = '${STORE_OWNER}' and entry_type = '${TYPE}'`;
	return {
		async add(key: { id: string; hash: string; namespace: string; now: number }): Promise<PartnerKeyRow> {
			const entry = await entries.append({
				id: key.id,
				entry_type: TYPE,
				owner_id: STORE_OWNER,
				page_name: key.hash,
				content: "",
				metadata_json: JSON.stringify({ namespace: key.namespace }),
				now: key.now,
			});
			return { id: entry.id, namespace: key.namespace, created_at: entry.created_at };
		},

		async findByHash(hash: string): Promise<PartnerKeyRow | null> {
			const rows = await sql.read<PartnerKeyRow>(
				statement(`${select} where ${kept} and page_name = ?1`, hash),
			);
			return rows[0] ?? null;
		},

		list: (namespace: string) =>
			sql.read<PartnerKeyRow>(
				statement(
					`${select} where ${kept} and metadata_json ->> 'namespace' = ?1 order by created_at desc, seq desc`,
					namespace,
				),
			),

		async delete(id: string): Promise<boolean> {
			const [outcome] = await sql.write([statement(`delete from entries where ${kept} and id = ?1`, id)]);
			return (outcome?.changes ?? 0) > 0;
		},
	};
}

export type PartnerKeyStorage = ReturnType<typeof partnerKeyStorage>;
