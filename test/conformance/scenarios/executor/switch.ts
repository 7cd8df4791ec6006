import assert from "node:assert/strict";
import { RaisedEvents, WorkflowList } from "@tripline/contract/executor";
import { ChangedWorkflow } from "@tripline/contract/workflow-versions";
import type { Scenario, World } from "../../scenario.ts";
import { getNamedPath, save, says, trigger, waitForRecords } from "./saving.ts";
import { listVersions } from "./versions.ts";

const INTERNAL = { STORE_INTERNAL_TOKEN: "internal-token-of-the-tests", MULTI_TENANT: "false" };

const setEnabled = (world: World, name: string, enabled: boolean) =>
	world.executor.expect(200, ChangedWorkflow, "PUT", `/workflows/${name}/enabled`, { body: { enabled } });

const describe = async (world: World, name: string) => {
	const { workflows } = await world.executor.expect(200, WorkflowList, "GET", "/webhooks/named", {
		query: { name },
	});
	return workflows[0];
};

export const switches: readonly Scenario[] = [
	{
		name: "the triggers of a disabled workflow answer 409 until it is enabled, and saving keeps it disabled",
		cites: [],
		async run(world) {
			const options = { query: true, input_schema: { type: "object", properties: {} } };
			const form = { trigger: { type: "webhook", form: {} }, options };
			await save(world, says("greet", "hello", form));
			await save(world, says("read", "hello", { trigger: { type: "webhook", methods: ["GET"] } }));
			await setEnabled(world, "read", false);
			const changed = await setEnabled(world, "greet", false);
			assert.deepEqual([changed.enabled, changed.version_number], [false, 1]);
			const calls = [
				world.executor.call("POST", getNamedPath("greet", "trigger")),
				world.executor.call("POST", getNamedPath("greet", "query")),
				world.anyone.call("POST", `/webhooks/named/${world.owner}/greet/trigger`),
				world.anyone.call("GET", `/webhooks/named/${world.owner}/read/trigger`),
				world.anyone.call("GET", `/q/${world.owner}/greet`),
			];
			for (const { status, body } of await Promise.all(calls))
				assert.deepEqual([status, body], [409, { error: "workflow is disabled" }]);
			assert.equal((await world.anyone.call("GET", `/f/${world.owner}/greet`)).status, 409);
			await save(world, says("greet", "good day", form));
			assert.equal((await trigger(world, "greet")).status, 409);
			assert.equal((await describe(world, "greet"))?.enabled, false);
			await setEnabled(world, "greet", true);
			assert.equal((await trigger(world, "greet")).status, 200);
			assert.equal((await world.anyone.call("GET", `/f/${world.owner}/greet`)).status, 200);
			assert.equal((await listVersions(world, "greet")).length, 2);
			await world.executor.refuse(404, "PUT", "/workflows/absent/enabled", { body: { enabled: true } });
		},
	},
	{
		name: "the console, assistants and other workflows still run a disabled workflow",
		cites: [],
		environment: INTERNAL,
		async run(world) {
			await save(world, says("greet", "hello"));
			await save(world, {
				...says("caller", ""),
				config: { only: { component: "workflow", name: "greet", input: {} } },
			});
			await setEnabled(world, "greet", false);
			for (const said of ["mcp", "console"]) {
				const headers = { authorization: "Bearer internal-token-of-the-tests", "x-run-trigger": said };
				assert.equal((await trigger(world, "greet", { headers })).status, 200);
				const { authorization: _, ...outside } = headers;
				assert.equal((await trigger(world, "greet", { headers: outside })).status, 409);
			}
			assert.equal((await trigger(world, "caller")).status, 200);
		},
	},
	{
		name: "disabling ends accepted runs that have not started, each with a record, and no other",
		cites: [],
		async run(world) {
			await save(world, {
				...says("queued", "x", { options: { concurrency: 1 } }),
				triplets: ["input >> then >> wait"],
				config: { wait: { component: "wait", ms: 500 } },
			});
			const headers = { prefer: "respond-async" };
			for (let nth = 0; nth < 3; nth++) await trigger(world, "queued", { headers });
			await setEnabled(world, "queued", false);
			const records = await waitForRecords(world, "queued", 3);
			assert.deepEqual(records.map(({ verdict, error }) => [verdict, error]).sort(), [
				["failed", "cancelled: the workflow was disabled"],
				["failed", "cancelled: the workflow was disabled"],
				["success", ""],
			]);
		},
	},
	{
		name: "events and schedules pass a disabled workflow over, and what was missed is not made up for",
		cites: [],
		async run(world) {
			const start = Date.UTC(2026, 10, 16, 12, 0, 30);
			await world.target.setNow(start);
			await save(world, says("hears", "x", { trigger: { type: "event", event: "order.paid" } }));
			await save(world, says("ticks", "x", { trigger: { type: "schedule", cron: "* * * * *" } }));
			await setEnabled(world, "hears", false);
			await setEnabled(world, "ticks", false);
			assert.equal((await describe(world, "ticks"))?.next_run_at, null);
			const event = { body: { type: "order.paid", data: {} } };
			const raised = await world.executor.expect(202, RaisedEvents, "POST", "/events", event);
			assert.equal(raised.matched, 0);
			await world.target.setNow(start + 300_000);
			await world.target.tick();
			await setEnabled(world, "hears", true);
			await setEnabled(world, "ticks", true);
			assert.equal((await world.executor.expect(202, RaisedEvents, "POST", "/events", event)).matched, 1);
			assert.equal((await describe(world, "ticks"))?.next_run_at, "2026-11-16T12:06:00.000Z");
			await world.target.tick();
			await world.target.setNow(start + 360_000);
			await world.target.tick();
			const records = await waitForRecords(world, "ticks", 1);
			assert.equal(records.length, 1);
			await world.executor.call("DELETE", getNamedPath("ticks"));
		},
	},
];
