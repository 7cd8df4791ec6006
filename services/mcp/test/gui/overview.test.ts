import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { GuiOverview } from "@tripline/contract/gui";
import { greeting, NOON, startWorld } from "./world.ts";

const world = await startWorld();
const HOUR_MS = 3_600_000;
const toIso = (time: number) => new Date(time).toISOString();

describe("the console's overview", () => {
	test("of an empty namespace lists all hours without runs", async () => {
		const overview = await world.expect(200, GuiOverview, "GET", "/gui/overview?hours=2", { as: "empty" });
		assert.deepEqual(overview, {
			now: toIso(NOON),
			hours: [
				{ hour: toIso(NOON - HOUR_MS), success: 0, failed: 0 },
				{ hour: toIso(NOON), success: 0, failed: 0 },
			],
			truncated: false,
			failures: [],
			upcoming: [],
			execution_log: { mode: "normal", day: "2027-03-01", limit: 20_000, written: 0 },
			size_bytes: overview.size_bytes,
			counts: {
				workflows: { count: 0, more: false },
				entries: { count: 0, more: false },
				triplets: { count: 0, more: false },
			},
			entry_types: [],
		});
		assert.ok((overview.size_bytes ?? 0) > 0);
	});

	test("returns the runs by hour, the latest failures, the next runs and the counts", async () => {
		world.clock.time = NOON + 30 * 60_000;
		const { store } = world;
		await store.executionLog.append(
			Array.from({ length: 12 }, (_, nth) => ({
				owner_id: "acme",
				workflow: "w",
				verdict: "failed" as const,
				duration_ms: nth,
				time: toIso(NOON - nth * HOUR_MS),
			})),
		);
		await store.executionLog.append([
			{ owner_id: "acme", workflow: "w", verdict: "success", duration_ms: 1 },
			{ owner_id: "other", workflow: "w", verdict: "failed", duration_ms: 1 },
		]);
		const body = greeting("hourly", { trigger: { type: "schedule", cron: "@hourly" } });
		await world.call("PUT", "/gui/workflows/hourly", { body });
		await world.call("POST", "/gui/entries", { body: { entry_type: "note", page_name: "p", content: "" } });
		const source = { uri: "u", hash: "h" };
		await store.triplets.ingest({ owner_id: "acme", subject: "a", predicate: "b", object: "c", source });
		const overview = await world.expect(200, GuiOverview, "GET", "/gui/overview");
		assert.equal(overview.hours.length, 24);
		assert.deepEqual(overview.hours.at(-1), { hour: toIso(NOON), success: 1, failed: 1 });
		assert.deepEqual(overview.hours.at(-2), { hour: toIso(NOON - HOUR_MS), success: 0, failed: 1 });
		assert.equal(overview.hours[0]?.failed, 0);
		assert.equal(overview.failures.length, 10);
		assert.equal(overview.failures[0]?.duration_ms, 0);
		assert.deepEqual(overview.upcoming, [{ workflow: "hourly", next_run_at: toIso(NOON + HOUR_MS) }]);
		assert.equal(overview.execution_log.written, 14);
		assert.deepEqual(overview.counts, {
			workflows: { count: 1, more: false },
			entries: { count: 1, more: false },
			triplets: { count: 1, more: false },
		});
		assert.deepEqual(overview.entry_types, [{ entry_type: "note", count: 1, more: false }]);
		const week = await world.expect(200, GuiOverview, "GET", "/gui/overview?hours=168");
		assert.equal(week.hours.length, 168);
	});

	test("refuses zero hours and more than a week", async () => {
		for (const hours of ["0", "169", "x", "1.5", "-1"]) {
			await world.refuse(422, "GET", `/gui/overview?hours=${hours}`);
		}
	});

	test("shows a tenant nothing of the others", async () => {
		const shared = await startWorld({ mode: "true" });
		const overview = await shared.expect(200, GuiOverview, "GET", "/gui/overview");
		assert.deepEqual([overview.size_bytes, overview.execution_log.written], [null, null]);
	});
});
