import assert from "node:assert/strict";
import { ERAS, MODERN } from "../../../mcp/wire.ts";
import type { Scenario } from "../../scenario.ts";
import { echo, save, waitForRecords } from "../executor/saving.ts";
import { callForResult, listTools, mcpCall } from "./asking.ts";
import { OPEN } from "./settings.ts";
import { TOOLS } from "./surface.ts";

const input_schema = {
	type: "object",
	required: ["city"],
	properties: { city: { type: "string", description: "Where" }, days: { type: "integer", minimum: 1 } },
};
const createExposed = (name: string, more: object = {}) => echo(name, { options: { expose: true, ...more } });

export const exposing: readonly Scenario[] = [
	{
		name: "an exposed workflow is a tool with its own schema, listed last, and runs with its arguments",
		cites: ["MCP-EXPOSES-TENANT-DATA", "MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			await save(world, createExposed("weather", { input_schema }));
			await save(world, echo("quiet"));
			for (const era of ERAS) {
				const tools = await listTools(world, world.owner, era);
				assert.equal(tools.length, TOOLS.length + 1);
				const own = tools.at(-1);
				assert.deepEqual([own?.name, own?.title], ["run_weather", "weather"]);
				assert.deepEqual(own?.inputSchema, input_schema);
				assert.match(own?.description ?? "", /what weather does/);
				const params = { name: "run_weather", arguments: { city: "台北", days: 2 } };
				const result = await callForResult(world, world.owner, era, "tools/call", params);
				const { data, workflow } = result.structuredContent as { data: unknown; workflow: string };
				assert.deepEqual([workflow, data], ["weather", { got: { city: "台北", days: 2 } }]);
				const wrong = { name: "run_weather", arguments: { days: 0 } };
				const refused = await callForResult(world, world.owner, era, "tools/call", wrong);
				assert.equal(refused.isError, true);
				assert.match(JSON.stringify(refused.content), /city[\s\S]*days/);
			}
			const records = await waitForRecords(world, "weather", 2);
			assert.deepEqual(
				records.map(({ trigger }) => trigger),
				["mcp", "mcp"],
			);
		},
	},
	{
		name: "a workflow that is not or no longer exposed, or another tenant's, is not a tool",
		cites: ["MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			await save(world, createExposed("job"));
			await save(world, echo("quiet"));
			const call = (name: string, bearer = world.owner) =>
				mcpCall(world, bearer, MODERN, "tools/call", { name, arguments: {} });
			assert.equal((await call("run_job")).error, undefined);
			assert.equal((await call("run_quiet")).error?.code, -32602);
			const other = `${world.owner}-other`;
			assert.equal((await call("run_job", other)).error?.code, -32602);
			assert.equal((await listTools(world, other)).length, TOOLS.length);
			await save(world, echo("job"));
			assert.equal((await call("run_job")).error?.code, -32602);
			assert.equal((await listTools(world, world.owner)).length, TOOLS.length);
		},
	},
	{
		name: "exposed workflows of any name get unique tool names that clients accept",
		cites: ["MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			const names = ["日報", "Daily report!", "daily report?", "x".repeat(120), "workflow", "a b", "a_b"];
			for (const name of names) await save(world, createExposed(name));
			for (const era of ERAS) {
				const own = (await listTools(world, world.owner, era)).slice(TOOLS.length);
				assert.equal(own.length, names.length);
				assert.equal(new Set(own.map(({ name }) => name)).size, names.length);
				for (const { name, title } of own) {
					assert.match(name, /^[A-Za-z0-9_-]{1,48}$/);
					const params = { name, arguments: { who: title } };
					const result = await callForResult(world, world.owner, era, "tools/call", params);
					const { data, workflow } = result.structuredContent as { data: unknown; workflow: string };
					assert.deepEqual([workflow, data], [title, { got: { who: title } }]);
				}
			}
		},
	},
];
