import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import type { StoreEvent } from "@tripline/contract/events";
import { EVENT_DEPTH_HEADER, EVENT_ROOT_HEADER } from "@tripline/contract/headers";
import { nodeBackground } from "@tripline/platform/background.node";
import { systemClock } from "@tripline/platform/clock";
import { openMigrated } from "../../../packages/platform/test/open-migrated.ts";
import { createStore } from "../src/app.ts";
import { buildDailyLimits } from "../src/domain/execution-log.ts";
import { storeMigrations } from "../src/storage/migrations.ts";

const LISTENER = {
	entry_type: "workflow",
	owner_id: "o",
	page_name: "on write",
	content: "",
	metadata_json: JSON.stringify({ config: { trigger: { type: "event", event: "entry.*" } } }),
};
const NOTE = { entry_type: "note", owner_id: "o", page_name: "p", content: "c" };
const TRIPLET = { owner_id: "o", subject: "a", predicate: "b", object: "c", source: { uri: "u", hash: "h" } };

async function openStore(context: TestContext, notify?: (events: readonly StoreEvent[]) => Promise<void>) {
	const sql = await openMigrated(storeMigrations);
	context.after(() => sql.close());
	const failures: unknown[] = [];
	const background = nodeBackground((_, error) => failures.push(error));
	const told: StoreEvent[] = [];
	const calls: number[] = [];
	const store = createStore({
		sql,
		clock: systemClock,
		log: () => {},
		version: "test",
		settings: {
			internalToken: undefined,
			defaultOwner: undefined,
			ingestUrl: undefined,
			dailyLogLimits: buildDailyLimits(1000, true),
			retentionDays: 30,
			maxBodyBytes: 1_048_576,
		},
		background,
		notify:
			notify ??
			(async (events) => {
				calls.push(events.length);
				told.push(...events);
			}),
	});
	return {
		calls,
		failures,
		async send(method: string, path: string, body: object, headers: Record<string, string> = {}) {
			const response = await store.fetch(
				new Request(`http://store${path}`, { method, body: JSON.stringify(body), headers }),
			);
			assert.ok(response.ok, await response.clone().text());
			return (await response.json()) as { entry: { id: string } };
		},
		/** The events received since the last call. */
		async heard() {
			await background.flush();
			return told.splice(0);
		},
	};
}

describe("the store announces writes", () => {
	test("of created, replaced and appended entries", async (context) => {
		const { send, heard: takeEvents } = await openStore(context);
		await send("PUT", "/entries", LISTENER);
		const { entry } = await send("PUT", "/entries", NOTE);
		const data = { id: entry.id, entry_type: "note", page_name: "p", created: true };
		const event = { owner_id: "o", type: "entry.upserted", depth: 0, root: null };
		assert.deepEqual(await takeEvents(), [{ ...event, data }]);
		await send("PUT", "/entries", NOTE);
		assert.deepEqual(await takeEvents(), [{ ...event, data: { ...data, created: false } }]);
		const appended = await send("POST", "/entries", NOTE);
		assert.deepEqual(await takeEvents(), [{ ...event, data: { ...data, id: appended.entry.id } }]);
	});

	test("of new triplets only", async (context) => {
		const { send, heard: takeEvents } = await openStore(context);
		await send("PUT", "/entries", LISTENER);
		await send("POST", "/triplets/ingest", TRIPLET);
		const data = { action: "created", subject: "a", predicate: "b", object: "c", source_uri: "u" };
		const event = { owner_id: "o", type: "triplet.ingested", depth: 0, root: null };
		assert.deepEqual(await takeEvents(), [{ ...event, data }]);
		await send("POST", "/triplets/ingest", TRIPLET);
		assert.deepEqual(await takeEvents(), []);
		const statements = ["c", "d", "e"].map((object) => ({ subject: "a", predicate: "b", object }));
		await send("POST", "/triplets/ingest/batch", {
			owner_id: "o",
			source: TRIPLET.source,
			candidates: statements,
		});
		assert.deepEqual(
			await takeEvents(),
			["d", "e"].map((object) => ({ ...event, data: { ...data, object } })),
		);
	});

	test("in one call per request", async (context) => {
		const { send, heard: takeEvents, calls } = await openStore(context);
		await send("PUT", "/entries", LISTENER);
		const candidates = Array.from({ length: 500 }, (_, nth) => ({
			subject: "a",
			predicate: "b",
			object: `${nth}`,
		}));
		await send("POST", "/triplets/ingest/batch", { owner_id: "o", source: TRIPLET.source, candidates });
		assert.equal((await takeEvents()).length, 500);
		assert.deepEqual(calls, [500]);
	});

	test("only while a workflow listens", async (context) => {
		const { send, heard: takeEvents } = await openStore(context);
		const listens = async () => {
			await send("PUT", "/entries", NOTE);
			return (await takeEvents()).length === 1;
		};
		assert.equal(await listens(), false);
		await send("PUT", "/entries", { ...LISTENER, owner_id: "other" });
		assert.equal(await listens(), false);
		await send("PUT", "/entries", LISTENER);
		assert.equal(await listens(), true);
		await send("PUT", "/entries", { ...LISTENER, metadata_json: "{}" });
		assert.equal(await listens(), false);
	});

	test("never of internal entries or of entries left unchanged by if_absent", async (context) => {
		const { send, heard: takeEvents } = await openStore(context);
		await send("PUT", "/entries", LISTENER);
		for (const entry_type of ["workflow", "idempotency", "credential", "value"]) {
			await send("PUT", "/entries", { ...NOTE, entry_type });
		}
		await send("POST", "/execution-log", {
			owner_id: "o",
			workflow: "w",
			verdict: "success",
			duration_ms: 1,
		});
		assert.deepEqual(await takeEvents(), []);
		await send("PUT", "/entries", { ...NOTE, if_absent: true });
		assert.equal((await takeEvents()).length, 1);
		await send("PUT", "/entries", { ...NOTE, if_absent: true });
		assert.deepEqual(await takeEvents(), []);
	});

	test("with the depth from the request, from 0 to 16", async (context) => {
		const { send, heard: takeEvents } = await openStore(context);
		await send("PUT", "/entries", LISTENER);
		const depths: [string, number][] = [
			["0", 0],
			["3", 3],
			["17", 16],
			["999999999999999", 16],
			["-1", 0],
			["1.5", 0],
			["x", 0],
			["1e3", 0],
		];
		for (const [value, depth] of depths) {
			await send("PUT", "/entries", NOTE, { [EVENT_DEPTH_HEADER]: value });
			assert.deepEqual(
				(await takeEvents()).map((event) => event.depth),
				[depth],
				value,
			);
		}
	});

	test("with the root from the request", async (context) => {
		const { send, heard: takeEvents } = await openStore(context);
		await send("PUT", "/entries", LISTENER);
		const root = "0199aaaa-bbbb-7ccc-8ddd-000000000001";
		await send("PUT", "/entries", NOTE, { [EVENT_ROOT_HEADER]: root });
		assert.deepEqual(
			(await takeEvents()).map((event) => event.root),
			[root],
		);
	});

	test("without delaying or failing the write, even if the listener fails", async (context) => {
		const { promise, reject } = Promise.withResolvers<void>();
		const { send, heard: takeEvents, failures } = await openStore(context, () => promise);
		await send("PUT", "/entries", LISTENER);
		await send("PUT", "/entries", NOTE);
		reject(new Error("nobody there"));
		await takeEvents();
		assert.deepEqual(failures.map(String), ["Error: nobody there"]);
	});
});
