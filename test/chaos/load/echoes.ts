import { type Load, saveWorkflow, takeKey } from "./load.ts";

/** Plain triggers, which are not sent again. Each answers with its own input. */
export const echoes: Load = {
	name: "echo",
	maxPauseMs: 300,
	callers: 2,
	prepare: (callers) =>
		saveWorkflow(callers, "echo", {
			triplets: ["input >> then >> echo"],
			config: { echo: { component: "set", values: "{{input}}" } },
		}),
	async round({ client, history }) {
		const body = { key: takeKey("echo"), mark: client.tenant.mark };
		const reply = await client.call("echo", "POST", "/webhooks/named/echo/trigger?trace=false", { body });
		if (reply?.status !== 200) return;
		const { data } = JSON.parse(reply.text) as { data: unknown };
		history.echoes.push({
			tenant: client.tenant.name,
			sent: JSON.stringify(body),
			got: JSON.stringify(data),
		});
	},
};
