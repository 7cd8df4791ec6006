import { callOutside } from "../outside.ts";
import { LASTING, type Load, saveWorkflow } from "./load.ts";

/** Nobody calls: the service starts a run each minute. */
export const schedules: Load = {
	name: "schedule",
	maxPauseMs: 10_000,
	prepare: (callers) =>
		saveWorkflow(callers, "clockwork", {
			trigger: { type: "schedule", cron: "* * * * *" },
			options: LASTING,
			triplets: ["input >> then >> call"],
			config: {
				call: callOutside(callers.outside, callers.client.tenant, {
					purpose: "occurrence",
					subject: "clockwork",
					value: '{{input.scheduled_at | default("none")}}',
				}),
			},
		}),
	async round({ client }) {
		await client.call("schedule", "GET", "/workflows/clockwork/executions");
	},
};
