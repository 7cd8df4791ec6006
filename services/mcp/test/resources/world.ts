import assert from "node:assert/strict";
import { after } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { systemClock as clock } from "@tripline/platform/clock";
import { jsonLog } from "@tripline/platform/log";
import { heldOutputs } from "../../src/tools/held-outputs.ts";
import type { ToolContext } from "../../src/tools/tool.ts";
import { openServices } from "../open-services.ts";

/** The real store and executor in this process, and a context for each tenant. */
export async function startWorld() {
	const problems: string[] = [];
	const services = await openServices({
		clock,
		log: jsonLog({ level: "error", clock, write: (line) => problems.push(line) }),
		report: (work, error) => problems.push(`${work}: ${String(error)}`),
	});
	const { store, executor } = services;
	await services.seed();
	const outputs = heldOutputs({ clock, maxBytes: 1_000_000, maxAgeMs: 60_000 });

	after(async () => {
		await services.close();
		assert.deepEqual(problems, []);
	});

	return {
		store,

		context: (tenant: string): ToolContext => ({
			namespace: tenant,
			origin: "http://mcp.example",
			executor: executor.as(tenant, { baseUrl: "http://mcp.example" }),
			store,
			outputs,
			signal: undefined,
			progress: async () => {},
		}),

		save: (tenant: string, document: JsonObject) => executor.as(tenant).workflows.save({ json: document }),

		async note(tenant: string, page_name: string, content: string, metadata: Json = {}): Promise<string> {
			const metadata_json = JSON.stringify(metadata);
			const fields = { owner_id: tenant, entry_type: "note", page_name, content, metadata_json };
			return (await store.entries.upsert(fields)).entry.id;
		},
	};
}

/** A workflow with one node. */
export const buildWorkflow = (name: string, more: JsonObject = {}): JsonObject => ({
	name,
	description: `what ${name} does`,
	version: "1",
	triplets: ["input >> then >> say"],
	config: { say: { component: "template", text: "Hello {{input.name}}" } },
	...more,
});
