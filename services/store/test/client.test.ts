import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { EVENT_DEPTH_HEADER, EVENT_ROOT_HEADER, RUN_HEADER } from "@tripline/contract/headers";
import { uuidv7 } from "@tripline/contract/ids";
import { openMigrated } from "../../../packages/platform/test/open-migrated.ts";
import { createStore } from "../src/app.ts";
import { StoreRefused, StoreUnavailable, storeClient } from "../src/client.ts";
import { buildDailyLimits } from "../src/domain/execution-log.ts";
import { storeMigrations } from "../src/storage/migrations.ts";

const TOKEN = "internal-token-of-the-tests";
const NOW = Date.UTC(2026, 6, 1, 12);
const owner_id = "o";

/** A client of a store in this process, with the requests it sent. */
async function openClient(context: TestContext, token: string | undefined = TOKEN) {
	const sql = await openMigrated(storeMigrations);
	context.after(() => sql.close());
	const clock = { time: NOW, now: () => clock.time };
	const store = createStore({
		sql,
		clock,
		log: () => {},
		version: "test",
		settings: {
			internalToken: TOKEN,
			defaultOwner: undefined,
			ingestUrl: undefined,
			dailyLogLimits: buildDailyLimits(1000, true),
			retentionDays: 30,
			maxBodyBytes: 1_048_576,
		},
	});
	const requests: Request[] = [];
	const client = storeClient({
		baseUrl: "http://store.internal",
		token,
		fetch(request) {
			requests.push(request);
			return store.fetch(request);
		},
	});
	return { client, clock, requests };
}

/** A client whose store gives the same response to every request. */
const respondWith = (answer: () => Response | Promise<Response>) =>
	storeClient({ baseUrl: "http://store.internal", fetch: async () => answer() });

const note = (page_name: string, content = "text") => ({ owner_id, entry_type: "note", page_name, content });

describe("the store's client", () => {
	test("writes, reads and deletes an entry", async (context) => {
		const { client } = await openClient(context);
		const page = "a/b?c=d&é 編%";
		const first = await client.entries.upsert(note(page));
		assert.equal(first.created, true);
		const second = await client.entries.upsert(note(page, "new"));
		assert.deepEqual([second.created, second.entry.id], [false, first.entry.id]);
		assert.deepEqual(await client.entries.get(owner_id, "note", page), second.entry);
		assert.deepEqual(await client.entries.getById(owner_id, first.entry.id), second.entry);
		assert.equal(await client.entries.delete(owner_id, first.entry.id), true);
		assert.equal(await client.entries.delete(owner_id, first.entry.id), false);
		assert.equal(await client.entries.get(owner_id, "note", page), null);
		assert.equal(await client.entries.getById(owner_id, first.entry.id), null);
	});

	test("creates an entry once", async (context) => {
		const { client } = await openClient(context);
		const answers = await Promise.all(
			Array.from({ length: 50 }, (_, nth) => client.entries.createOnce(note("once", String(nth)))),
		);
		const [winner] = answers.filter((answer) => answer.created);
		assert.equal(answers.filter((answer) => answer.created).length, 1);
		assert.ok(answers.every(({ entry }) => entry.content === winner?.entry.content));
	});

	test("reads every page of a list", async (context) => {
		const { client, requests } = await openClient(context);
		for (const name of ["a", "b", "c", "d", "e"]) await client.entries.upsert(note(name));
		requests.length = 0;
		const names: string[] = [];
		for await (const entry of client.entries.listAll({ owner_id, limit: 2 })) names.push(entry.page_name);
		assert.deepEqual(names, ["e", "d", "c", "b", "a"]);
		assert.equal(requests.length, 3);
		const page = await client.entries.list({ owner_id, limit: 2 });
		assert.deepEqual([page.entries.length, typeof page.next_cursor], [2, "string"]);
	});

	test("finds nothing under a name with a lone surrogate", async (context) => {
		const { client } = await openClient(context);
		assert.equal(await client.entries.get(owner_id, "note", "\ud800"), null);
		await assert.rejects(client.entries.upsert(note("\ud800")), { name: "StoreRefused", status: 400 });
	});

	test("appends execution records, lists them, and gets the latest and a single one", async (context) => {
		const { client } = await openClient(context);
		const id = uuidv7(NOW);
		const record = { id, owner_id, workflow: "w", verdict: "success", duration_ms: 3 } as const;
		const { id: _, ...other } = record;
		assert.deepEqual(await client.executionLog.append([record, other]), {
			recorded: 2,
			dropped: 0,
			mode: "normal",
		});
		assert.equal((await client.executionLog.list({ owner_id, limit: 1 })).executions.length, 1);
		assert.equal(
			(await client.executionLog.getLatest(owner_id, { workflow: ["w", "x"] })).w?.verdict,
			"success",
		);
		assert.deepEqual(Object.keys(await client.executionLog.getLatest(owner_id)), ["w"]);
		assert.equal((await client.executionLog.get(owner_id, id))?.duration_ms, 3);
		assert.equal(await client.executionLog.get("other", id), null);
	});

	test("summarizes runs, finds them by text, and gets the next runs and the storage usage", async (context) => {
		const { client } = await openClient(context);
		await client.executionLog.append([{ owner_id, workflow: "w", verdict: "failed", duration_ms: 3 }]);
		const hour = new Date(NOW).toISOString();
		assert.deepEqual(await client.executionLog.getSummary({ owner_id, since: NOW / 1000 - 60 }), {
			hours: [{ hour, success: 0, failed: 1 }],
			truncated: false,
			mode: "normal",
			day: "2026-07-01",
			limit: 1000,
			written: 1,
		});
		assert.equal((await client.executionLog.list({ owner_id, q: "W" })).executions.length, 1);
		assert.equal((await client.executionLog.list({ owner_id, q: "x" })).executions.length, 0);
		const metadata_json = JSON.stringify({ cron_expr: "@hourly" });
		await client.entries.upsert({ ...note("hourly"), entry_type: "workflow", metadata_json });
		assert.deepEqual(await client.schedules.listUpcoming(owner_id, 5), [
			{ workflow: "hourly", next_run_at: "2026-07-01T13:00:00.000Z" },
		]);
		assert.deepEqual(await client.schedules.listUpcoming("other", 5), []);
		const usage = await client.getUsage(owner_id);
		assert.deepEqual(usage.types, [{ entry_type: "workflow", count: 1, more: false }]);
		assert.ok((usage.size_bytes ?? 0) > 0);
	});

	test("replaces an entry by its id", async (context) => {
		const { client } = await openClient(context);
		const { entry } = await client.entries.append(note("p"));
		const replaced = await client.entries.replace(entry.id, { owner_id, content: "new" });
		assert.deepEqual(replaced, { ...entry, content: "new" });
		assert.equal(await client.entries.replace(entry.id, { owner_id: "other", content: "x" }), null);
		assert.equal(await client.entries.replace(uuidv7(NOW), { owner_id, content: "x" }), null);
	});

	test("lists due runs and claims one", async (context) => {
		const { client, clock } = await openClient(context);
		await client.entries.upsert({
			...note("hourly"),
			entry_type: "workflow",
			metadata_json: JSON.stringify({ cron_expr: "@hourly" }),
		});
		clock.time += 3_600_000;
		const { entries, scheduled } = await client.schedules.listDue({ entry_type: "workflow" });
		assert.deepEqual([entries.length, scheduled], [1, 1]);
		const id = entries[0]?.id ?? "";
		assert.deepEqual(await client.schedules.claim({ owner_id, id }), {
			claimed: true,
			occurrence: "2026-07-01T13:00:00.000Z",
			next_run_at: "2026-07-01T14:00:00.000Z",
		});
		assert.equal((await client.schedules.claim({ owner_id, id })).claimed, false);
		assert.deepEqual((await client.schedules.listDue({ now: clock.time / 1000 })).entries, []);
	});

	test("searches, ingests, walks the graph and verifies keys", async (context) => {
		const { client } = await openClient(context);
		await client.entries.upsert(note("Tea", "green leaves"));
		const found = await client.search({ owner_id, q: "leaves" });
		assert.deepEqual(
			found.map(({ page_name }) => page_name),
			["Tea"],
		);
		const ingested = await client.triplets.ingest({
			owner_id,
			subject: "tea/green",
			predicate: "is",
			object: "drink",
			source: { uri: "u", hash: "h" },
		});
		assert.equal(ingested.action, "created");
		const { neighbors } = await client.graph.listNeighbors("tea/green", { owner_id, limit: 5 });
		assert.deepEqual(
			neighbors.map(({ name }) => name),
			["drink"],
		);
		assert.deepEqual(await client.partnerKeys.verify("tlk_x"), { valid: false, namespace: null });
	});

	test("sends the run on whose behalf it calls", async (context) => {
		const { client, requests } = await openClient(context);
		const run = { executionId: uuidv7(NOW), eventDepth: 2, rootId: uuidv7(NOW - 5) };
		await client.entries.list({ owner_id }, { run });
		await client.entries.list({ owner_id });
		const headers = requests.map((request) => [
			request.headers.get(RUN_HEADER),
			request.headers.get(EVENT_DEPTH_HEADER),
			request.headers.get(EVENT_ROOT_HEADER),
		]);
		assert.deepEqual(headers, [
			[run.executionId, "2", run.rootId],
			[null, null, null],
		]);
	});

	test("reports a refusal with its status, message and issues", async (context) => {
		const { client } = await openClient(context);
		await assert.rejects(client.entries.upsert({ ...note("p"), metadata_json: "[]" }), (error) => {
			assert.ok(error instanceof StoreRefused);
			assert.deepEqual(
				[error.status, error.issues],
				[422, [{ path: "metadata_json", message: "must be a JSON object" }]],
			);
			return true;
		});
		const { client: stranger } = await openClient(context, "wrong");
		await assert.rejects(stranger.entries.list({}), { name: "StoreRefused", status: 401 });
	});

	test("does not wait for an aborted call", async (context) => {
		const { client, requests } = await openClient(context);
		const signal = AbortSignal.abort(new Error("given up"));
		await assert.rejects(client.entries.list({ owner_id }, { signal }), { message: "given up" });
		assert.equal(requests.length, 0);
		const controller = new AbortController();
		const hanging = storeClient({
			baseUrl: "http://store.internal",
			fetch: (_, init) =>
				new Promise((_, reject) => {
					init?.signal.addEventListener("abort", () => reject(new Error("aborted")));
				}),
		});
		const call = hanging.entries.list({ owner_id }, { signal: controller.signal });
		controller.abort(new Error("given up later"));
		await assert.rejects(call, { message: "given up later" });
	});
});

describe("a store that cannot respond is unavailable", () => {
	const cases: [string, () => Response | Promise<Response>][] = [
		["unreachable", () => Promise.reject(new TypeError("fetch failed"))],
		["503", () => Response.json({ error: "the database cannot answer now" }, { status: 503 })],
		["500", () => Response.json({ error: "internal error" }, { status: 500 })],
		["an error page of a proxy", () => new Response("<html>", { status: 502 })],
		["a response of another shape", () => Response.json({ rows: [] })],
		["a response that is not JSON", () => new Response("ok")],
		["a null response", () => Response.json(null)],
		["a redirect", () => new Response(null, { status: 302, headers: { location: "/" } })],
		["a response that breaks off", () => new Response(createBrokenStream())],
	];
	for (const [name, answer] of cases) {
		test(name, () => assert.rejects(respondWith(answer).entries.list({}), StoreUnavailable));
	}

	test("an endless response, which is not buffered", async () => {
		let sent = 0;
		const endless = new ReadableStream({
			pull(controller) {
				sent += 1;
				controller.enqueue(new Uint8Array(1024 * 1024));
			},
		});
		await assert.rejects(respondWith(() => new Response(endless)).entries.list({}), StoreUnavailable);
		assert.ok(sent < 70, `${sent} MiB were read`);
	});
});

const createBrokenStream = () =>
	new ReadableStream({
		start(controller) {
			controller.enqueue(new TextEncoder().encode('{"entries":'));
			controller.error(new Error("connection lost"));
		},
	});
