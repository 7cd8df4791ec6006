import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import type { Kv } from "@tripline/platform/kv";
import { doublingManifest, toManifest } from "./manifests.ts";
import { openRegistry } from "./open-registry.ts";

const market = ["alpha-list", "bravo-text"].map((id) =>
	toManifest(doublingManifest({ id, publisher: "tripline" })),
);
const DAY = 24 * 60 * 60 * 1000;

/** A registry whose statistics writes are recorded and can be made to fail. */
async function openCounted(context: TestContext, options: Parameters<typeof openRegistry>[1] = {}) {
	const state = { writes: [] as string[], fails: (_: string) => false };
	const kv = (whole: Kv, name: string): Kv => ({
		...whole,
		async put(key, value, more) {
			if (name === "stats") {
				if (state.fails(key)) throw new Error("no write is possible now");
				state.writes.push(key);
			}
			return whole.put(key, value, more);
		},
	});
	const registry = await openRegistry(context, { market, kv, ...options });
	return {
		...registry,
		state,
		install: (id: string, version = "1.0.0") =>
			registry.call("POST", `/components/${id}/installs`, { body: { version } }),
	};
}

describe("statistics", () => {
	test("are written in batches: a thousand installs take two writes", async (context) => {
		const { install, registry, state, stats } = await openCounted(context);
		for (let nth = 0; nth < 1000; nth++) await install(nth % 4 === 0 ? "alpha-list" : "bravo-text");
		assert.deepEqual(state.writes, []);
		await registry.flush();
		assert.deepEqual(state.writes.sort(), ["day:2026-11-15", "totals"]);
		assert.deepEqual(JSON.parse((await stats.get("totals")) ?? ""), [
			["alpha-list", 250],
			["bravo-text", 750],
		]);
		await registry.flush();
		assert.equal(state.writes.length, 2);
	});

	test("are written automatically after a while, and on close", async (context) => {
		const settings = { accessToken: undefined, adminToken: undefined, statisticsMs: 20 };
		const { background, install, registry, state } = await openCounted(context, { settings });
		await install("alpha-list");
		const until = Date.now() + 5_000;
		while (state.writes.length < 2 && Date.now() < until)
			await new Promise((resolve) => setTimeout(resolve, 5));
		await background.flush();
		assert.equal(state.writes.length, 2);
		await install("alpha-list");
		await registry.close();
		assert.equal(state.writes.length, 4);
	});

	test("include counts whose write is in progress, and a slow read does not hide later writes", async (context) => {
		const holds = new Map<string, PromiseWithResolvers<void>>();
		const holdNext = (what: string) => {
			const hold = Promise.withResolvers<void>();
			holds.set(what, hold);
			return hold;
		};
		const kv = (whole: Kv, name: string): Kv => ({
			...whole,
			async get(key) {
				const text = await whole.get(key);
				const hold = name === "stats" ? holds.get(`get ${key}`) : undefined;
				holds.delete(`get ${key}`);
				await hold?.promise;
				return text;
			},
			async put(key, value, more) {
				await (name === "stats" ? holds.get(`put ${key}`)?.promise : undefined);
				return whole.put(key, value, more);
			},
		});
		const { background, call } = await openRegistry(context, { market, kv, isolatesRequests: true });
		const installs = async () => (await call("GET", "/stats")).body;
		const slowRead = holdNext("get totals");
		const early = installs();
		const slowWrite = holdNext("put totals");
		await call("POST", "/components/alpha-list/installs", { body: { version: "1.0.0" } });
		const during = await installs();
		assert.deepEqual([during.totals.installs, during.days.length], [1, 1]);
		slowWrite.resolve();
		await background.flush();
		slowRead.resolve();
		assert.equal((await early).totals.installs, 1);
		assert.equal((await installs()).totals.installs, 1);
	});

	test("that cannot be written are kept and written once later", async (context) => {
		const { call, install, registry, state, stats } = await openCounted(context);
		await install("alpha-list");
		state.fails = (key) => key.startsWith("day:");
		await assert.rejects(registry.flush(), /could not be written/);
		await install("alpha-list");
		state.fails = () => true;
		await assert.rejects(registry.flush());
		assert.equal((await call("GET", "/stats")).body.totals.installs, 2);
		state.fails = () => false;
		await registry.flush();
		assert.deepEqual(JSON.parse((await stats.get("totals")) ?? ""), [["alpha-list", 2]]);
		assert.deepEqual(JSON.parse((await stats.get("day:2026-11-15")) ?? ""), [["alpha-list", 2]]);
	});

	test("are kept per day for 90 days, and in total permanently", async (context) => {
		const { call, clock, install, registry } = await openCounted(context);
		for (const days of [0, 1, 50, 38]) {
			clock.time += days * DAY;
			await install("alpha-list");
			await registry.flush();
		}
		const dates = async () =>
			(await call("GET", "/stats")).body.days.map((day: { date: string }) => day.date);
		assert.deepEqual(await dates(), ["2027-02-12", "2027-01-05", "2026-11-16", "2026-11-15"]);
		clock.time += DAY;
		assert.deepEqual(await dates(), ["2027-02-12", "2027-01-05", "2026-11-16"]);
		clock.time += 90 * DAY;
		const { totals, days } = (await call("GET", "/stats")).body;
		assert.deepEqual([totals.installs, days], [4, []]);
	});

	test("do not count unknown components or versions", async (context) => {
		const { call, install } = await openCounted(context);
		for (const [id, version, status] of [
			["alpha-list", "9.9.9", 404],
			["unknown", "1.0.0", 404],
			["alpha-list", "x", 422],
			["alpha-list", "", 422],
		] as const)
			assert.equal((await install(id, version)).status, status, `${id} ${version}`);
		for (const body of [{}, null, [], { version: ["1.0.0"] }, { version: "1.0.0", count: 1000 }])
			assert.equal((await call("POST", "/components/alpha-list/installs", { body })).status, 422);
		assert.equal((await call("GET", "/stats")).body.totals.installs, 0);
	});

	test("of two instances that write in sequence add up", async (context) => {
		const { call, clock, install, registry, restart: restarted } = await openCounted(context);
		const other = restarted();
		await install("alpha-list");
		await call("POST", "/components/alpha-list/installs", { body: { version: "1.0.0" } }, other);
		await registry.flush();
		await other.close();
		clock.time += 30_000;
		assert.equal((await call("GET", "/stats")).body.totals.installs, 2);
	});

	test("are written by a request when due, if no timer outlives a request", async (context) => {
		const settings = { accessToken: undefined, adminToken: undefined, statisticsMs: 300_000 };
		const { background, clock, install, state } = await openCounted(context, {
			settings,
			isolatesRequests: true,
		});
		for (let nth = 0; nth < 50; nth++) await install("alpha-list");
		await background.flush();
		assert.equal(state.writes.length, 2);
		clock.time += 300_000;
		await install("alpha-list");
		await background.flush();
		assert.equal(state.writes.length, 4);
	});
});
