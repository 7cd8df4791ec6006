import { randomBytes } from "node:crypto";
import { after } from "node:test";
import { statement } from "@tripline/platform/sql";
import { openPostgres } from "@tripline/platform/sql.postgres";
import { type PostgresServer, startPostgres } from "../postgres.ts";
import { type KeyValues, type NodeDatabases, type Platform, startOnNode } from "./platforms.ts";

/** All services in one process, each with schemas of its own in a server that the scenarios share. */
export const postgres: Platform = {
	name: "Node + PostgreSQL",
	async start(environment) {
		server ??= startPostgres();
		const { url } = await server;
		const prefix = `service_${++services}`;
		return startOnNode(environment, () => openSchemas(url, prefix));
	},
};

const SHARED = {
	MASTER_KEY: randomBytes(32).toString("base64"),
	MCP_OWNER_SECRET: "the owner's long secret",
};

let server: Promise<PostgresServer> | undefined;
let services = 0;
after(async () => (await server)?.stop());

function openSchemas(url: string, prefix: string): NodeDatabases {
	const seen = openPostgres(url, { schema: `${prefix}_kv` });
	return {
		settings: { DATABASE_URL: url, DATABASE_SCHEMA: prefix, ...SHARED },
		openKeyValues: (namespace): KeyValues => ({
			async get(key) {
				const [row] = await (await seen).read<{ value: string }>(
					statement("select value from kv where namespace = ?1 and key = ?2", namespace, key),
				);
				return row?.value ?? null;
			},
			async put(key, value) {
				await (await seen).write([
					statement(
						`insert into kv (namespace, key, value) values (?1, ?2, ?3)
						on conflict (namespace, key) do update set value = excluded.value, expires_at = null`,
						namespace,
						key,
						value,
					),
				]);
			},
			async keys() {
				const rows = await (await seen).read<{ key: string }>(
					statement("select key from kv where namespace = ?1 order by key", namespace),
				);
				return rows.map(({ key }) => key);
			},
		}),
		close: async () => (await seen).close(),
	};
}
