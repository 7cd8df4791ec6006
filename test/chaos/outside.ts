import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { type History, type OutsideCall, takeOrder } from "./history.ts";
import type { Random } from "./random.ts";
import { findForeignMarks, type Tenant } from "./tenants.ts";

export interface Outside {
	readonly url: string;
	readonly host: string;
	close(): void;
}

/** The most that an answer takes: long enough for a process to be killed meanwhile. */
const MAX_ANSWER_MS = 800;

/** The server that the runs call. It records each call in the order of arrival. */
export async function startOutside(history: History, random: Random): Promise<Outside> {
	const server = createServer(async (request, response) => {
		try {
			const body = (await json(request)) as Record<string, unknown>;
			const text = (key: string) => String(body[key] ?? "");
			const call: OutsideCall = {
				at: takeOrder(),
				tenant: text("tenant"),
				purpose: text("purpose") as OutsideCall["purpose"],
				subject: text("subject"),
				execution: text("execution"),
				step: Number(body.step ?? 0),
				stepKey: text("step_key"),
				value: text("value"),
			};
			history.outside.push(call);
			history.foreign.push(
				...findForeignMarks(call.tenant, `a call of ${call.execution}`, JSON.stringify(body)),
			);
			await wait(random.between(0, MAX_ANSWER_MS));
			response.setHeader("content-type", "application/json");
			response.end("{}");
		} catch {
			// The process that called was killed.
			response.destroy();
		}
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url: `http://${host}/`,
		host,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

/** The settings of a node that calls the server. */
export const callOutside = (outside: Outside, tenant: Tenant, body: Readonly<Record<string, unknown>>) => ({
	component: "http_request",
	method: "POST",
	url: outside.url,
	json: {
		tenant: tenant.name,
		mark: tenant.mark,
		execution: "{{execution.id}}",
		step_key: "{{execution.step_key}}",
		...body,
	},
});
