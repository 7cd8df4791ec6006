import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { migrate } from "@tripline/platform/migrations";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { createStore } from "@tripline/store/app";
import { storeClient } from "@tripline/store/client";
import { storeEnvironment, storeSettings } from "@tripline/store/settings";
import { storeMigrations } from "@tripline/store/storage/migrations";
import { manualClock } from "../../../packages/platform/test/contracts/contract.ts";
import { mailboxLease } from "../src/mail/lease.ts";
import { workflowStorage } from "../src/storage/workflows.ts";

const PLACE = { namespace: "o", credential: "box", mailbox: "INBOX" };

async function openStore(context: TestContext) {
	const sql = openSqlite(":memory:");
	context.after(() => sql.close());
	await migrate(sql, storeMigrations);
	const clock = manualClock();
	const settings = storeSettings(storeEnvironment.parse({}));
	const { answer } = createStore({ sql, clock, log: () => {}, version: "test", settings });
	return { clock, store: storeClient({ answer, baseUrl: "http://store" }) };
}

test("one of several processes reads a mailbox, and another one after it has ended or died", async (context) => {
	const { clock, store } = await openStore(context);
	const createLease = (holder: string, place = PLACE) => mailboxLease({ store, holder, retryMs: 1 }, place);
	const [first, second, third] = [createLease("p1"), createLease("p2"), createLease("p3")];
	assert.equal(await first.take(), true);
	assert.equal(await second.take(), false);
	const other = createLease("p2", { ...PLACE, mailbox: "Other" });
	assert.equal(await other.take(), true);
	await other.release();
	await first.release();
	assert.equal(await second.take(), true);
	assert.equal(await third.take(), false);
	// As if its process had died: nothing extends it.
	clock.advance(61_000);
	assert.equal(await third.take(), true);
	await second.release();
	await third.release();
});

test("a single process needs no lease", async () => {
	const lease = mailboxLease({ store: {} as never, holder: undefined, retryMs: 1 }, PLACE);
	assert.equal(await lease.take(), true);
	await lease.release();
});

test("the store lists the workflows that mails start, of all namespaces, and no others", async (context) => {
	const { store } = await openStore(context);
	const workflows = workflowStorage(store);
	const by = { author: "a", client: "c" } as never;
	const triggers = {
		mail: { type: "event", email: { credential: "box" } },
		event: { type: "event", event: "order.*" },
		schedule: { type: "schedule", cron: "@daily" },
	};
	for (const namespace of ["one", "two"])
		for (const [name, trigger] of Object.entries(triggers)) {
			const metadata = JSON.stringify({ graph: {}, config: { trigger } });
			await workflows.save(namespace, { name, description: "", metadata }, by);
		}
	const found = (await workflows.listMailed()).map(({ owner_id, page_name }) => `${owner_id} ${page_name}`);
	assert.deepEqual(found.sort(), ["one mail", "two mail"]);
	const listening = (await workflows.listListeners("one")).map(({ page_name }) => page_name);
	assert.deepEqual(listening.sort(), ["event", "mail"]);
});
