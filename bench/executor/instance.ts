import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { type Service, startService } from "../service.ts";
import { CONTEXT } from "./workflow.ts";

export const NAMESPACE = "bench";
const TENANT = { "x-service-api-key": NAMESPACE };
const RECORDS_LIMIT_MS = 60_000;

export interface Instance extends Service {
	/** The path of the new webhook's trigger. */
	webhook(graph: object, options?: object): Promise<string>;
	/** The path of the saved workflow's trigger. */
	named(name: string, graph: object): Promise<string>;
	signingSecret(name: string, secret: string): Promise<void>;
	/** The answer to one trigger. */
	answer(target: string, context?: object): Promise<object>;
	/** Waits until there are `expected` records, for a minute at most, and returns the difference. */
	unrecorded(workflow: string, expected: number): Promise<number>;
}

/** The real process with its two databases on disk. */
export async function openInstance(
	dataFolder: string,
	env: NodeJS.ProcessEnv = {},
	args?: readonly string[],
): Promise<Instance> {
	const service = await startService(dataFolder, { env, ...(args && { args }) });
	// Read directly from the database, so that it costs the service nothing.
	const database = new DatabaseSync(join(dataFolder, "store.db"), { readOnly: true });
	const count = database.prepare(
		`select count(*) as count from entries
		where owner_id = '${NAMESPACE}' and entry_type = 'execution_log' and page_name = ?1`,
	);

	return {
		...service,
		async webhook(graph, options) {
			const { token } = await call("POST", "/webhooks", { graph, ...(options && { options }) });
			return `/webhooks/${token}/trigger`;
		},
		async named(name, graph) {
			await call("POST", "/webhooks/named", { name, description: "An order", graph });
			return `/webhooks/named/${NAMESPACE}/${name}/trigger`;
		},
		async signingSecret(name, secret) {
			await call("PUT", `/credentials/${name}`, { auth_recipe: "signing_secret", fields: { secret } });
		},
		answer: (target, context = CONTEXT) => call("POST", target, context),
		async unrecorded(workflow, expected) {
			const until = Date.now() + RECORDS_LIMIT_MS;
			for (;;) {
				const difference = Math.abs(expected - Number(count.get(workflow)?.count));
				if (difference === 0 || Date.now() > until) return difference;
				await wait(20);
			}
		},
		async [Symbol.asyncDispose]() {
			database.close();
			await service[Symbol.asyncDispose]();
		},
	};

	async function call(method: string, path: string, body: unknown): Promise<Record<string, unknown>> {
		const response = await fetch(service.publicUrl + path, {
			method,
			headers: { ...TENANT, "content-type": "application/json" },
			body: JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
		return JSON.parse(text) as Record<string, unknown>;
	}
}
