import assert from "node:assert/strict";
import { EntryPage, UpsertedEntry } from "@tripline/contract/entries";
import type { Scenario, World } from "../../scenario.ts";

const NOON = Date.UTC(2026, 6, 1, 12);

const workflow = (world: World, page_name: string, metadata: object) => ({
	entry_type: "workflow",
	owner_id: world.owner,
	page_name,
	content: "what it does",
	metadata_json: JSON.stringify({ graph: {}, config: {}, ...metadata }),
});

const put = (world: World, page_name: string, metadata: object, status = 201) =>
	world.expect(status, UpsertedEntry, "PUT", "/entries", { body: workflow(world, page_name, metadata) });

async function due(world: World, now: number) {
	const query = { owner_id: world.owner, cron: "due", now: now / 1000 };
	const page = await world.expect(200, EntryPage, "GET", "/entries", { query });
	return page.entries.map((entry) => [entry.page_name, entry.next_run_at]);
}

const minutes = (count: number) => count * 60_000;

export const schedules: readonly Scenario[] = [
	{
		name: "cron=due lists the workflows whose next time has come, with that time",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await put(world, "often", { cron_expr: "*/5 * * * *" });
			await put(world, "rarely", { cron_expr: "@yearly" });
			await put(world, "never", { cron_expr: null });
			assert.deepEqual(await due(world, NOON + minutes(5) - 1000), []);
			assert.deepEqual(await due(world, NOON + minutes(5)), [["often", (NOON + minutes(5)) / 1000]]);
			assert.deepEqual(await due(world, NOON + minutes(90)), [["often", (NOON + minutes(5)) / 1000]]);
		},
	},
	{
		name: "cron=due without now uses the service's clock",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await put(world, "hourly", { cron_expr: "@hourly" });
			await world.target.setNow(NOON + minutes(61));
			const query = { owner_id: world.owner, cron: "due" };
			const page = await world.expect(200, EntryPage, "GET", "/entries", { query });
			assert.equal(page.entries.length, 1);
		},
	},
	{
		name: "the schedule uses the workflow's time zone",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const config = { trigger: { type: "schedule", timezone: "Asia/Taipei" } };
			await put(world, "morning", { cron_expr: "30 20 * * *", config });
			assert.deepEqual(await due(world, NOON + minutes(30)), [["morning", (NOON + minutes(30)) / 1000]]);
		},
	},
	{
		name: "saving a workflow again keeps a time that is already due; a new schedule replaces it",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await put(world, "job", { cron_expr: "*/5 * * * *" });
			await world.target.setNow(NOON + minutes(7));
			await put(world, "job", { cron_expr: "*/5 * * * *", graph: { edited: true } }, 200);
			assert.deepEqual(await due(world, NOON + minutes(7)), [["job", (NOON + minutes(5)) / 1000]]);
			await put(world, "job", { cron_expr: "0 * * * *" }, 200);
			assert.deepEqual(await due(world, NOON + minutes(59)), []);
			await put(world, "job", { cron_expr: null }, 200);
			assert.deepEqual(await due(world, NOON + minutes(600)), []);
		},
	},
	{
		name: "an invalid cron expression or time zone is rejected, and nothing is written",
		cites: [],
		async run(world) {
			for (const cron_expr of ["* * *", "61 * * * *", "0 0 0 * * *", "whenever", 5, {}]) {
				const body = workflow(world, "bad", { cron_expr });
				const { issues } = await world.refuse(422, "PUT", "/entries", { body });
				assert.equal(issues?.[0]?.path, "metadata_json.cron_expr");
			}
			const config = { trigger: { timezone: "Mars/Olympus" } };
			const body = workflow(world, "bad", { cron_expr: "@daily", config });
			const { issues } = await world.refuse(422, "PUT", "/entries", { body });
			assert.equal(issues?.[0]?.path, "metadata_json.config.trigger.timezone");
			const page = await world.expect(200, EntryPage, "GET", "/entries", {
				query: { owner_id: world.owner },
			});
			assert.deepEqual(page.entries, []);
		},
	},
];
