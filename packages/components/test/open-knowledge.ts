import { systemClock } from "@tripline/platform/clock";
import { migrate } from "@tripline/platform/migrations";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { createStore } from "@tripline/store/app";
import { storeClient } from "@tripline/store/client";
import { storeEnvironment, storeSettings } from "@tripline/store/settings";
import { storeMigrations } from "@tripline/store/storage/migrations";
import type { Knowledge } from "../src/effects.ts";

/** The knowledge of one owner, in a real in-memory store. */
export async function openKnowledge(owner_id: string) {
	const sql = openSqlite(":memory:");
	await migrate(sql, storeMigrations);
	const store = createStore({
		sql,
		clock: systemClock,
		log: () => {},
		version: "0.0.0-test",
		settings: storeSettings(storeEnvironment.parse({ MULTI_TENANT: "false" })),
	});
	const client = storeClient({ fetch: (request) => store.fetch(request), baseUrl: "http://store" });
	const knowledge: Knowledge = {
		search: async (query, signal) => ({
			suggestions: await client.search({ owner_id, ...query }, { signal }),
		}),
		get: ({ entry_type, page_name }, signal) =>
			client.entries.get(owner_id, entry_type, page_name, { signal }),
		upsert: async (entry, signal) => ({
			success: true,
			...(await client.entries.upsert({ owner_id, ...entry }, { signal })),
		}),
		ingest: (candidate, signal) => client.triplets.ingest({ owner_id, ...candidate }, { signal }),
		neighbors: ({ name, includeDeprecated, ...query }, signal) =>
			client.graph.listNeighbors(
				name,
				{ owner_id, ...query, includeDeprecated: includeDeprecated ? "true" : "false" },
				{ signal },
			),
	};
	return { knowledge, close: () => sql.close() };
}
