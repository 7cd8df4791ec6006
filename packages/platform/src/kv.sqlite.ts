import type { Clock } from "./clock.ts";
import { assertKey, assertTtl, type Kv, MAX_LIST } from "./kv.ts";
import type { Migration } from "./migrations.ts";
import { type Sql, statement } from "./sql.ts";

export const kvMigrations: readonly Migration[] = [
	{
		version: 1,
		name: "kv",
		statements: [
			`create table kv (
	namespace text not null,
	key text not null,
	value text not null,
	expires_at integer,
	primary key (namespace, key)
) strict, without rowid`,
			"create index kv_expiry on kv (expires_at) where expires_at is not null",
		],
	},
];

/** No key sorts after its prefix followed by this. */
const LAST = "\u{10ffff}";

const ALIVE = "(expires_at is null or expires_at > ?2)";

/** `namespace` corresponds to one KV binding on Workers. Expiry is in milliseconds. */
export function sqliteKv(deps: { sql: Sql; clock: Clock; namespace: string }): Kv {
	const { sql, clock, namespace } = deps;
	return {
		async get(key) {
			assertKey(key);
			const rows = await sql.read<{ value: string }>(
				statement(
					`select value from kv where namespace = ?1 and key = ?3 and ${ALIVE}`,
					namespace,
					clock.now(),
					key,
				),
			);
			return rows[0]?.value ?? null;
		},
		async put(key, value, options) {
			assertKey(key);
			assertTtl(options?.ttlSeconds);
			const expiresAt = options?.ttlSeconds === undefined ? null : clock.now() + options.ttlSeconds * 1000;
			await sql.write([
				statement(
					`insert into kv (namespace, key, value, expires_at) values (?1, ?2, ?3, ?4)
					on conflict (namespace, key) do update set value = excluded.value, expires_at = excluded.expires_at`,
					namespace,
					key,
					value,
					expiresAt,
				),
			]);
		},
		async delete(key) {
			assertKey(key);
			await sql.write([statement("delete from kv where namespace = ?1 and key = ?2", namespace, key)]);
		},
		async list({ prefix, limit = MAX_LIST, cursor }) {
			const rows = await sql.read<{ key: string }>(
				statement(
					`select key from kv where namespace = ?1 and ${ALIVE} and key >= ?3 and key <= ?4 and key > ?5
					order by key limit +?6`,
					namespace,
					clock.now(),
					prefix,
					prefix + LAST,
					cursor ?? "",
					limit + 1,
				),
			);
			const keys = rows.slice(0, limit).map((row) => row.key);
			return { keys, cursor: rows.length > limit ? (keys.at(-1) ?? null) : null };
		},
	};
}

/** Deletes expired keys of every namespace; reads already ignore them. */
export async function sweepExpired(sql: Sql, clock: Clock): Promise<void> {
	await sql.write([statement("delete from kv where expires_at <= ?1", clock.now())]);
}
