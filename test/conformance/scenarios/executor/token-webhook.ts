import { ExecutionPage, type ExecutionRecord } from "@tripline/contract/execution-log";
import { CreatedWebhook } from "@tripline/contract/executor";
import { RunResult } from "@tripline/contract/workflows";
import type { Surface, World } from "../../scenario.ts";
import { eventually } from "./eventually.ts";

/** A workflow of sequential nodes, named by their keys. */
export const createRow = (config: Readonly<Record<string, object>>, fields: object = {}) => ({
	triplets: ["input", ...Object.keys(config)]
		.slice(0, -1)
		.map((from, index) => `${from} >> ON_SUCCESS >> ${Object.keys(config)[index]}`),
	config,
	...fields,
});

/** A workflow that returns its trigger context. */
export const ECHO = createRow({ echo: { component: "set", values: "{{input}}" } });

/** Creates a webhook and returns its token. */
export async function createWebhook(surface: Surface, body: object): Promise<string> {
	return (await surface.expect(201, CreatedWebhook, "POST", "/webhooks", { body })).token;
}

export const getTriggerPath = (token: string): string => `/webhooks/${token}/trigger`;

/** Runs a webhook that must succeed and returns the result. */
export const trigger = (surface: Surface, token: string, body: object = {}) =>
	surface.expect(200, RunResult, "POST", getTriggerPath(token), { body });

/** Runs a webhook that must fail and returns the result. */
export const triggerFailing = (surface: Surface, token: string, body: object = {}) =>
	surface.expect(500, RunResult, "POST", getTriggerPath(token), { body });

/** Creates a webhook, runs it once and returns the result. */
export const runOnce = async (world: World, workflow: object, input: object = {}) =>
	trigger(world.executor, await createWebhook(world.executor, workflow), input);

/** The same for a run that must fail. */
export const failOnce = async (world: World, workflow: object, input: object = {}) =>
	triggerFailing(world.executor, await createWebhook(world.executor, workflow), input);

/** Waits until an owner has this many execution records. */
export const waitForRecords = (
	world: World,
	count: number,
	owner_id = world.owner,
	headers: Readonly<Record<string, string>> = {},
): Promise<ExecutionRecord[]> =>
	eventually(async () => {
		const query = { owner_id, limit: 100 };
		const page = await world.expect(200, ExecutionPage, "GET", "/execution-log", { query, headers });
		if (page.executions.length < count) throw new Error(`${page.executions.length} records, not ${count}`);
		return page.executions;
	});
