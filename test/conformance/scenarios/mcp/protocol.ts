import assert from "node:assert/strict";
import { ERAS, LEGACY, MODERN } from "../../../mcp/wire.ts";
import type { Scenario, World } from "../../scenario.ts";
import { echo, save } from "../executor/saving.ts";
import { callFailing, callForProblem, callForResult, callTool, listTools, mcpCall } from "./asking.ts";
import { login, MCP_ENVIRONMENT } from "./login.ts";
import { bearer, OPEN } from "./settings.ts";
import { TOOLS } from "./surface.ts";

const CLIENT = { protocolVersion: LEGACY, capabilities: {}, clientInfo: { name: "old", version: "1" } };

const post = (world: World, raw: string, headers: Readonly<Record<string, string>> = {}) =>
	world.anyone.call("POST", "/mcp", { raw, headers: { ...bearer(world.owner), ...headers } });

const getError = (body: unknown) => (body as { error: { code: number; message: string } }).error;

/** The tools that share one budget; every tool after them has its own. */
const FIRST_TOOLS = 18;
const MAX_FIRST_LENGTH = 27_000;
const MAX_LATER_LENGTH = 760;
const MAX_EXPOSED_LENGTH = 900;

const READING = /^(?:list|get|search|explore|trace|validate)_/;

export const protocol: readonly Scenario[] = [
	{
		name: "a client of revision 2025-11-25 can connect and call a tool with an access token",
		cites: ["MCP-ENDPOINT", "MCP-EXPOSES-TENANT-DATA", "MCP-OAUTH-FLOW"],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			const token = await login(world);
			const told = await callForResult(world, token, LEGACY, "initialize", CLIENT);
			assert.equal(told.protocolVersion, LEGACY);
			assert.deepEqual(Object.keys(told.capabilities as object).sort(), [
				"completions",
				"prompts",
				"resources",
				"tools",
			]);
			assert.equal((told.serverInfo as { name: string }).name, "tripline");
			assert.match(told.instructions as string, /run_workflow/);
			const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
			const answer = await world.anyone.call("POST", "/mcp", { body: initialized, headers: bearer(token) });
			assert.deepEqual([answer.status, answer.body], [202, ""]);
			assert.equal(answer.headers.get("mcp-session-id"), null);
			assert.deepEqual(await callForResult(world, token, LEGACY, "ping"), {});
			const page_name = `of ${world.owner}`;
			const { id } = await callTool(
				world,
				"save_entry",
				{ page_name, content: "茶" },
				{ bearer: token, era: LEGACY },
			);
			const entry = await callTool(world, "get_entry", { id }, { bearer: token, era: LEGACY });
			assert.equal(entry.content, "茶");
		},
	},
	{
		name: "a client of revision 2026-07-28 can discover the server and call a tool with an access token",
		cites: ["MCP-ENDPOINT", "MCP-EXPOSES-TENANT-DATA", "MCP-OAUTH-FLOW"],
		environment: MCP_ENVIRONMENT,
		async run(world) {
			const token = await login(world);
			const told = await callForResult(world, token, MODERN, "server/discover");
			assert.ok((told.supportedVersions as string[]).includes(MODERN));
			assert.equal(told.resultType, "complete");
			assert.equal(typeof told.ttlMs, "number");
			assert.match(told.instructions as string, /run_workflow/);
			const page_name = `of ${world.owner}`;
			const { id } = await callTool(world, "save_entry", { page_name, content: "茶" }, { bearer: token });
			const entry = await callTool(world, "get_entry", { id }, { bearer: token });
			assert.equal(entry.content, "茶");
		},
	},
	{
		name: "clients of older revisions get the revision that they request",
		cites: ["MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			for (const protocolVersion of [LEGACY, "2025-06-18", "2025-03-26"]) {
				const told = await callForResult(world, world.owner, LEGACY, "initialize", {
					...CLIENT,
					protocolVersion,
				});
				assert.equal(told.protocolVersion, protocolVersion);
				const headers = { "mcp-protocol-version": protocolVersion };
				const { status } = await mcpCall(world, world.owner, LEGACY, "tools/list", {}, { headers });
				assert.equal(status, 200);
			}
			const unknown = { ...CLIENT, protocolVersion: "1999-01-01" };
			const told = await callForResult(world, world.owner, LEGACY, "initialize", unknown);
			assert.equal(told.protocolVersion, LEGACY);
		},
	},
	{
		name: "the tools are listed in the same order in both eras, with titles, hints and schemas",
		cites: ["MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			for (const era of ERAS) {
				const tools = await listTools(world, world.owner, era);
				assert.deepEqual(
					tools.map(({ name }) => name),
					TOOLS,
				);
				for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
					assert.ok(title.length > 0 && description.length > 40, name);
					assert.equal(inputSchema.type, "object");
					assert.equal(inputSchema.additionalProperties, false, name);
					assert.equal(outputSchema.type, "object");
					assert.deepEqual(Object.keys(annotations), [
						"readOnlyHint",
						"destructiveHint",
						"idempotentHint",
						"openWorldHint",
					]);
					assert.equal(annotations.readOnlyHint, READING.test(name), name);
				}
			}
		},
	},
	{
		name: "the list of tools is short, because it is a part of every conversation",
		cites: ["MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			const properties = Object.fromEntries(
				Array.from({ length: 60 }, (_, nth) => [
					`field_${nth}`,
					{ type: "string", description: "x".repeat(80) },
				]),
			);
			const options = { expose: true, input_schema: { type: "object", properties } };
			await save(world, echo("long", { description: "d".repeat(5_000), options }));
			const later = TOOLS.slice(FIRST_TOOLS);
			for (const era of ERAS) {
				const own = JSON.stringify(await callForResult(world, `${world.owner}-none`, era, "tools/list"));
				const most = MAX_FIRST_LENGTH + MAX_LATER_LENGTH * later.length;
				assert.ok(own.length <= most, `${era}: ${own.length} of ${most} characters`);
				for (const tool of await listTools(world, world.owner, era)) {
					const { length } = JSON.stringify(tool);
					if (later.includes(tool.name)) assert.ok(length <= MAX_LATER_LENGTH, `${tool.name}: ${length}`);
					if (tool.name === "run_long") assert.ok(length <= MAX_EXPOSED_LENGTH, `${tool.name}: ${length}`);
				}
			}
		},
	},
	{
		name: "invalid arguments are reported in the result, with their paths and what is expected",
		cites: ["MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			const wrong: [string, object, RegExp][] = [
				["get_workflow", {}, /name/],
				["get_workflow", { name: 5 }, /name/],
				["get_workflow", { name: "w", nmae: 1 }, /nmae/],
				["run_workflow", { name: "w", input: [1] }, /input.*object/],
				["run_workflow", { name: "w", max_chars: 5 }, /max_chars/],
				["list_recent_executions", { limit: 1_000 }, /limit/],
				["list_recent_executions", { verdict: "maybe" }, /verdict/],
				["search_knowledge", { query: "" }, /query/],
				["get_entry", { id: "x", page_name: "y" }, /id/],
				["ingest_triplet", { subject: "a", predicate: "b" }, /object/],
				["explore_graph", {}, /exactly one of name and query/],
				["save_entry", { page_name: "p", content: "c", entry_type: "credential" }, /entry_type/],
				["create_webhook", { workflow: "w", document: {} }, /exactly one of workflow and document/],
				["create_webhook", {}, /exactly one of workflow and document/],
				["get_entry", {}, /exactly one of id and page_name/],
				["trace_sources", { subject: "a" }, /either name alone/],
				["get_execution", { execution_id: "1" }, /execution_id/],
			];
			for (const [name, args, expected] of wrong) {
				for (const era of ERAS) {
					assert.match(await callForProblem(world, name, { ...args }, { era }), expected, name);
				}
			}
			const proto = JSON.parse('{"name":"w","__proto__":{"limit":1}}');
			await callForProblem(world, "get_workflow", proto);
		},
	},
	{
		name: "an unknown tool, prompt, resource or method is a protocol error",
		cites: ["MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			for (const era of ERAS) {
				const ask = (method: string, params = {}) => mcpCall(world, world.owner, era, method, params);
				const tool = await ask("tools/call", { name: "run_workflw", arguments: {} });
				assert.equal(tool.error?.code, -32602);
				assert.match(tool.error?.message ?? "", /run_workflow/);
				for (const name of ["__proto__", "toString", "run_", ""]) {
					assert.equal((await ask("tools/call", { name })).error?.code, -32602, name);
				}
				assert.equal((await ask("prompts/get", { name: "none" })).error?.code, -32602);
				const resource = await ask("resources/read", { uri: "tripline://workflows/none" });
				assert.equal(resource.error?.code, -32602);
				assert.deepEqual(resource.error?.data, { uri: "tripline://workflows/none" });
				const method = await ask("tools/destroy");
				assert.equal(method.error?.code, -32601);
				assert.equal(method.status, era === MODERN ? 404 : 200);
				assert.equal((await ask("tools/list", { cursor: "none" })).error?.code, -32602);
			}
		},
	},
	{
		name: "an invalid protocol message gets a matching error and starts no run",
		cites: ["MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			await save(world, echo("job"));
			const run = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "run_workflow" } };
			const cases: [number, number, string][] = [
				[400, -32700, "{"],
				[400, -32700, ""],
				[400, -32600, JSON.stringify([run, run])],
				[400, -32600, "[]"],
				[400, -32600, '"text"'],
				[400, -32600, "null"],
				[400, -32600, `${"[".repeat(5_000)}${"]".repeat(5_000)}`],
			];
			for (const [status, code, raw] of cases) {
				const answer = await post(world, raw);
				assert.deepEqual([answer.status, getError(answer.body)?.code], [status, code], raw.slice(0, 30));
			}
			assert.equal((await post(world, "x".repeat(2_000_000))).status, 413);
			assert.equal((await post(world, "{}", { "content-type": "text/plain" })).status, 415);
			const { executions } = await callTool<{ executions: unknown[] }>(world, "list_recent_executions");
			assert.deepEqual(executions, []);
		},
	},
	{
		name: "in revision 2026-07-28 headers that do not match the message are rejected",
		cites: ["MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			const ask = (headers: Readonly<Record<string, string>>, method = "tools/list", params = {}) =>
				mcpCall(world, world.owner, MODERN, method, params, { headers });
			const other = await ask({ "mcp-method": "prompts/list" });
			assert.deepEqual([other.status, other.error?.code], [400, -32020]);
			const named = await ask({ "mcp-name": "get_workflow" }, "tools/call", { name: "list_workflows" });
			assert.deepEqual([named.status, named.error?.code], [400, -32020]);
			const meta = { "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
			const headers = { "mcp-protocol-version": "2099-01-01" };
			const newer = await mcpCall(world, world.owner, MODERN, "tools/list", {}, { meta, headers });
			assert.deepEqual([newer.status, newer.error?.code], [400, -32022]);
		},
	},
	{
		name: "there are no sessions: GET and DELETE get 405, and a session id is ignored",
		cites: ["MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			for (const method of ["GET", "DELETE", "PUT", "PATCH"]) {
				const answer = await world.anyone.call(method, "/mcp", { headers: bearer(world.owner) });
				assert.equal(answer.status, 405, method);
				assert.equal(answer.headers.get("allow"), "POST");
			}
			const headers = { "mcp-session-id": "made-up" };
			for (const era of ERAS) {
				const answer = await mcpCall(world, world.owner, era, "tools/list", {}, { headers });
				assert.equal(answer.status, 200);
				assert.equal(answer.headers.get("mcp-session-id"), null);
			}
		},
	},
	{
		name: "clients that accept anything, only JSON or nothing get a response",
		cites: ["MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			for (const accept of ["*/*", "application/json", "text/event-stream", "text/html", ""]) {
				for (const era of ERAS) {
					const answer = await mcpCall(world, world.owner, era, "tools/list", {}, { headers: { accept } });
					assert.equal(answer.status, 200, accept);
					assert.deepEqual([answer.result?.tools].flat().length, TOOLS.length);
				}
			}
		},
	},
	{
		name: "a client that asks for progress gets it as a stream before the result",
		cites: ["MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			await save(world, echo("job"));
			const params = { name: "run_workflow", arguments: { name: "job", input: { a: 1 } } };
			for (const era of ERAS) {
				const told = await mcpCall(world, world.owner, era, "tools/call", params, {
					meta: { progressToken: `p-${era}` },
				});
				assert.match(told.headers.get("content-type") ?? "", /^text\/event-stream/);
				assert.deepEqual(
					told.notifications.map(({ method, params: { progressToken, progress, message } = {} }) => [
						method,
						progressToken,
						progress,
						message,
					]),
					[
						["notifications/progress", `p-${era}`, 0, "Running job"],
						["notifications/progress", `p-${era}`, 1, "The run succeeded"],
					],
				);
				const structured = told.result?.structuredContent as { data: unknown } | undefined;
				assert.deepEqual(structured?.data, { got: { a: 1 } });
				const plain = await mcpCall(world, world.owner, era, "tools/call", params);
				assert.deepEqual(plain.notifications, []);
			}
		},
	},
	{
		name: "parallel requests of many tenants with the same id do not mix",
		cites: ["MCP-EXPOSES-TENANT-DATA", "MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			const tenants = Array.from({ length: 8 }, (_, nth) => `${world.owner}-${nth}`);
			await Promise.all(
				tenants.map((tenant) =>
					callTool(world, "save_workflow", { document: echo("job") }, { bearer: tenant }),
				),
			);
			const answers = await Promise.all(
				tenants.flatMap((tenant, nth) =>
					ERAS.map(async (era) => {
						const args = { name: "job", input: { tenant } };
						const run = await callTool<{ data: unknown }>(world, "run_workflow", args, {
							bearer: tenant,
							era,
						});
						return [nth, run.data];
					}),
				),
			);
			assert.deepEqual(
				answers,
				tenants.flatMap((tenant, nth) => ERAS.map(() => [nth, { got: { tenant } }])),
			);
		},
	},
	{
		name: "a run that fails is a result with isError, in both eras",
		cites: ["MCP-ENDPOINT"],
		environment: OPEN,
		async run(world) {
			const document = {
				...echo("job"),
				config: { only: { component: "fail", message: "no {{input.what}}" } },
			};
			await callTool(world, "save_workflow", { document });
			for (const era of ERAS) {
				const args = { name: "job", input: { what: "tea" } };
				const run = await callFailing(world, "run_workflow", args, { era });
				assert.deepEqual([run.success, run.error], [false, "only: no tea"]);
			}
		},
	},
];
