import assert from "node:assert/strict";
import { AcceptedRun } from "@tripline/contract/executor";
import { ServiceStatus } from "@tripline/contract/status";
import type { Scenario, World } from "../../scenario.ts";
import { eventually } from "./eventually.ts";
import { createWorkflow, otherTenant, save, trigger } from "./saving.ts";

const readStatus = (world: World, more: object = {}) =>
	world.executor.expect(200, ServiceStatus.strict(), "GET", "/status", more);

export const status: readonly Scenario[] = [
	{
		name: "the status counts a tenant's runs and schedules, and nothing of others",
		cites: [],
		async run(world) {
			const before = await readStatus(world);
			assert.deepEqual([before.schedules.count, before.runs.parked.count, before.attention], [0, 0, []]);
			await save(world, createWorkflow("waits", { component: "wait_for", event: "never.*" }));
			await save(world, createWorkflow("fails", { component: "fail", message: "no" }));
			const schedule = { trigger: { type: "schedule", cron: "@yearly" } };
			await save(world, createWorkflow("yearly", { component: "template", text: "x" }, schedule));
			const accepted = await trigger(world, "waits", { body: {}, headers: { prefer: "respond-async" } });
			AcceptedRun.parse(accepted.body);
			await trigger(world, "fails", { body: {} });
			await eventually(async () => {
				const { runs, schedules } = await readStatus(world);
				assert.deepEqual([runs.parked, runs.failed, schedules.count], [{ count: 1, more: false }, 1, 1]);
				assert.match(schedules.next_run_at ?? "", /-01-01T00:00:00/);
			});
			const other = await readStatus(world, { headers: otherTenant(world) });
			assert.deepEqual([other.runs.parked.count, other.runs.failed, other.schedules.count], [0, 0, 0]);
		},
	},
];
