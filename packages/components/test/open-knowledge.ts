import { createConversations } from "@tripline/executor/runs/conversations";
import { createKnowledge } from "@tripline/executor/runs/knowledge";
import { createState } from "@tripline/executor/runs/state";
import { systemClock } from "@tripline/platform/clock";
import { platformTurns } from "@tripline/platform/turns";
import { createStore } from "@tripline/store/app";
import { storeClient } from "@tripline/store/client";
import { storeEnvironment, storeSettings } from "@tripline/store/settings";
import { storeMigrations } from "@tripline/store/storage/migrations";
import { openMigrated } from "../../platform/test/open-migrated.ts";

/** The knowledge and the named values of one owner, in a real in-memory store. */
export async function openKnowledge(owner_id: string) {
	const sql = await openMigrated(storeMigrations);
	const store = createStore({
		sql,
		clock: systemClock,
		log: () => {},
		version: "0.0.0-test",
		settings: storeSettings(storeEnvironment.parse({ MULTI_TENANT: "false" })),
	});
	const client = storeClient({ fetch: (request) => store.fetch(request), baseUrl: "http://store" });
	return {
		client,
		knowledge: createKnowledge(client, platformTurns, owner_id, undefined),
		state: createState(client, platformTurns, owner_id, undefined),
		/** Those of the workflow `test`. */
		converse: (executionId: string) =>
			createConversations(client, platformTurns, owner_id, { executionId, workflow: "test" }, undefined),
		close: () => sql.close(),
	};
}
