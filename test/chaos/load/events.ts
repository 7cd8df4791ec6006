import { callOutside } from "../outside.ts";
import { LASTING, type Load, saveWorkflow, takeKey } from "./load.ts";

/** Events with an id, which are sent again until they are acknowledged. Each starts one run. */
export const events: Load = {
	name: "event",
	maxPauseMs: 1_200,
	prepare: (callers) =>
		saveWorkflow(callers, "listener", {
			trigger: { type: "event", event: "chaos.happened" },
			options: LASTING,
			triplets: ["input >> then >> call"],
			config: {
				call: callOutside(callers.outside, callers.client.tenant, {
					purpose: "event",
					subject: "{{input.id}}",
					value: "{{input.data.mark}}",
				}),
			},
		}),
	async round({ client, history, until }) {
		const tenant = client.tenant.name;
		const id = takeKey("event");
		const sent = { tenant, id, isAcknowledged: false };
		history.events.push(sent);
		const reply = await client.callUntilOk(until, "event", "POST", "/events", {
			headers: { "content-type": "application/cloudevents+json" },
			body: {
				specversion: "1.0",
				id,
				source: "https://chaos.example",
				type: "chaos.happened",
				data: { mark: client.tenant.mark },
			},
		});
		if (reply === null) return;
		sent.isAcknowledged = true;
		// Empty if an attempt that got no answer had started it.
		const { executions } = JSON.parse(reply.text) as { executions: string[] };
		for (const execution of executions)
			history.accepted.push({ kind: "event", tenant, subject: id, execution, end: null });
	},
};
