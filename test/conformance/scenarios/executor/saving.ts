import assert from "node:assert/strict";
import { EntryPage } from "@tripline/contract/entries";
import { ExecutionPage } from "@tripline/contract/execution-log";
import { SavedWorkflow } from "@tripline/contract/executor";
import { RunResult } from "@tripline/contract/workflows";
import type { Surface, World } from "../../scenario.ts";
import { eventually } from "./eventually.ts";

type CallOptions = NonNullable<Parameters<Surface["call"]>[2]>;

/** A workflow with one node, whose output is the run's data. */
export const createWorkflow = (name: string, settings: object, more: object = {}) => ({
	name,
	description: `what ${name} does`,
	version: "1",
	triplets: ["input >> ON_SUCCESS >> only"],
	config: { only: settings },
	...more,
});

/** A workflow that returns the trigger context. */
export const echo = (name: string, more: object = {}) =>
	createWorkflow(name, { component: "set", values: { got: "{{input}}" } }, more);

export const says = (name: string, text: string, more: object = {}) =>
	createWorkflow(name, { component: "template", text }, more);

export const fails = (name: string, message: string, more: object = {}) =>
	createWorkflow(name, { component: "fail", message }, more);

/** Contains every kind of setting that a document can have. */
export const everything = (name: string) => ({
	name,
	description: "sorts orders, 訂單",
	version: "2026.1-β",
	tags: ["shop", "訂單"],
	trigger: { type: "schedule", cron: "30 4 * * 1-5", timezone: "Asia/Taipei", overlap: "queue" },
	triplets: [
		"input >> then >> pick",
		"pick >> for each order >> note",
		"pick >> 完成後 >> my check",
		"my check >> if true >> good",
		"my check >> ON_FALSE >> bad",
		"bad >> 失敗時 >> mend",
	],
	config: {
		pick: { component: "foreach", items: "{{input.orders}}", concurrency: 2 },
		note: { component: "template", text: "{{order.id}} of {{context.shop}}", retry: { max: 1, delay_ms: 5 } },
		"my check": { component: "if", condition: "size(pick) > 0" },
		good: { component: "set", values: { notes: "{{note}}", nested: { list: [1, null, "x"] } } },
		bad: { component: "fail", message: "nothing to do", timeout_ms: 500 },
		mend: { component: "set", values: { mended: true } },
	},
	context: { shop: "corner" },
	options: {
		expose: true,
		query: true,
		timeout_ms: 5_000,
		concurrency: 3,
		input_schema: { type: "object" },
		output_schema: {},
	},
});

/** Creates or replaces the workflow. */
export async function save(world: World, body: object, from: Surface = world.executor) {
	const answer = await from.call("POST", "/webhooks/named", { body });
	assert.ok(answer.status === 201 || answer.status === 200, JSON.stringify(answer.body));
	return SavedWorkflow.parse(answer.body);
}

export const getNamedPath = (name: string, action?: string) =>
	`/webhooks/named/${encodeURIComponent(name)}${action === undefined ? "" : `/${action}`}`;

export const trigger = (world: World, name: string, options: CallOptions = {}) =>
	world.executor.call("POST", getNamedPath(name, "trigger"), options);

export const run = (world: World, name: string, body: object = {}, status = 200) =>
	world.executor.expect(status, RunResult, "POST", getNamedPath(name, "trigger"), { body });

/** Another tenant of the same service. */
export const otherTenant = (world: World) => ({ "x-service-api-key": `${world.owner}-other` });

/** The owner's stored entries of one type. */
export async function listStored(world: World, entry_type: string, query: object = {}) {
	const page = await world.expect(200, EntryPage, "GET", "/entries", {
		query: { owner_id: world.owner, entry_type, ...query },
	});
	return page.entries;
}

/** The owner's execution records, newest first. */
export async function listRecords(world: World, query: object = {}) {
	const page = await world.expect(200, ExecutionPage, "GET", "/execution-log", {
		query: { owner_id: world.owner, limit: 100, ...query },
	});
	return page.executions;
}

/** Waits until a workflow has this many records. */
export const waitForRecords = (world: World, workflow: string, count: number) =>
	eventually(async () => {
		const found = await listRecords(world, { workflow });
		assert.equal(found.length, count);
		return found;
	});
