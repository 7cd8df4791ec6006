import { createAuthenticate } from "@tripline/mcp/bearer";
import { createTokens } from "@tripline/mcp/oauth/tokens";
import { mcpEnvironment, mcpSettings } from "@tripline/mcp/settings";
import { kvMigrations, sqliteKv } from "@tripline/platform/kv.sqlite";
import type { StoreClient } from "@tripline/store/client";
import { toIncomingHeaders } from "@tripline/web/http-message";
import { openFile } from "../../apps/node/src/databases.ts";
import { measureCost } from "../measure.ts";
import type { Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";

const ORIGIN = "http://127.0.0.1:8484";
const TOKENS = 1_000;
const ROUNDS = 9;
const CACHE_MS = 5_000;

/** The cost of authenticating a caller: from storage, and again within five seconds from the cache. */
export async function bearer(onProgress: (what: string) => void): Promise<Row[]> {
	onProgress("bearer check");
	using folder = scratchFolder();
	const sql = await openFile(folder.path, "kv.db", kvMigrations);
	let now = Date.now();
	const clock = { now: () => now };
	let reads = 0;
	const kv = sqliteKv({ sql, clock, namespace: "oauth" });
	const tokens = createTokens({
		kv: {
			...kv,
			get(key) {
				reads++;
				return kv.get(key);
			},
		},
		clock,
	});
	const issued = Array.from({ length: TOKENS }, (_, index) => `tlo_${String(index).padStart(43, "0")}`);
	for (const token of issued) {
		await tokens.issue(
			{
				namespace: "bench",
				resource: `${ORIGIN}/mcp`,
				client_id: "bench",
				client_name: null,
				issued_at: now,
				expires_at: now + 86_400_000,
			},
			token,
		);
	}
	const authenticate = createAuthenticate({
		tokens,
		store: {} as StoreClient,
		settings: mcpSettings(mcpEnvironment.parse({ MULTI_TENANT: "false" })),
		clock,
	});
	const check = (token: string) =>
		authenticate({
			method: "POST",
			url: `${ORIGIN}/mcp`,
			headers: toIncomingHeaders({ authorization: `Bearer ${token}` }),
			bytes: async () => new Uint8Array(),
			async *stream() {},
		});
	const all = async () => {
		for (const token of issued) await check(token);
	};
	const fresh = await measureCost({
		rounds: ROUNDS,
		side: () => {
			now += CACHE_MS + 1;
			return { calls: TOKENS, run: all };
		},
	});
	now += CACHE_MS + 1;
	reads = 0;
	await all();
	const first = reads / TOKENS;
	reads = 0;
	const again = await measureCost({ rounds: ROUNDS, side: () => ({ calls: TOKENS, run: all }) });
	const rows: Row[] = [
		{ what: "asked of storage", unit: "µs", ours: fresh },
		{ what: "asked again within 5 s", unit: "µs", ours: again },
		{ what: "storage reads of the first", unit: "statements", ours: first, bar: { on: "ours", most: 1 } },
		{ what: "storage reads of the next", unit: "statements", ours: reads, bar: { on: "ours", most: 0 } },
	];
	sql.close();
	return rows;
}
