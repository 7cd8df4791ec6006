import assert from "node:assert/strict";
import { AcceptedRun, ExecutionDetail } from "@tripline/contract/executor";
import { KeptData } from "@tripline/contract/kept-data";
import { McpServer } from "@tripline/contract/mcp-servers";
import { AnsweredQuestion, QuestionPage } from "@tripline/contract/questions";
import { type Diagnostic, RunResult } from "@tripline/contract/workflows";
import { buildAnswer, type ModelFormat, type ModelReply, readResults } from "../../../model-double.ts";
import type { OutsideRequest } from "../../outside.ts";
import type { Scenario, World } from "../../scenario.ts";
import { putCredential } from "./credential.ts";
import { eventually } from "./eventually.ts";
import { openMcpHost, toText } from "./mcp-host.ts";
import { openHost } from "./outside-host.ts";
import { createWorkflow, echo, otherTenant, run, save, trigger } from "./saving.ts";
import { onSeeded } from "./seeded.ts";

const KEY = "sk-of-the-agents-model";

/** A model that answers by a script, at a host of its own. */
export function openModel(world: World, script: readonly ModelReply[], format: ModelFormat = "openai") {
	const { url, seen } = openHost(
		world,
		() => ({ json: buildAnswer(format, script[seen.length - 1] ?? "The script has ended.") }),
		`model.${world.owner}.example.com`,
	);
	return {
		seen,
		settings: { component: "agent", model: "m", provider: format, base_url: url, prompt: "Hello" },
		/** What it was told last about its calls. */
		readResults: () => readResults((seen.at(-1) as OutsideRequest).body),
	};
}

export const call = (name: string, args: unknown = {}) => ({ name, arguments: args });

const ORDER_SCHEMA = {
	type: "object",
	properties: { order: { type: "integer" }, shop: { type: "string" } },
	required: ["order"],
	additionalProperties: false,
};

const saveOrderStatus = (world: World, name = "order status") =>
	save(
		world,
		createWorkflow(
			name,
			{ component: "template", text: "order {{input.order}} of {{input.shop | default('no shop')}}" },
			{ options: { input_schema: ORDER_SCHEMA } },
		),
	);

interface AgentData {
	readonly text: string;
	readonly json?: unknown;
	readonly model_calls: number;
	readonly tool_calls: number;
}

async function runAgent(world: World, settings: object, more: object = {}) {
	await save(world, createWorkflow("agent", settings, more));
	const result = await run(world, "agent");
	return { ...result, data: result.data as unknown as AgentData };
}

const validate = async (world: World, settings: object) => {
	const answer = await world.executor.call("POST", "/workflows/validate", {
		body: createWorkflow("agent", settings),
	});
	return (answer.body as { readonly diagnostics: readonly Diagnostic[] }).diagnostics;
};

const formats: readonly Scenario[] = (["openai", "anthropic", "gemini"] as const).map((format) => ({
	name: `an agent calls a workflow as a tool, in the format of ${format}`,
	cites: [],
	async run(world) {
		await saveOrderStatus(world);
		const model = openModel(world, [[call("order_status", { order: 7 })], "It was sent."], format);
		const { data, nodes } = await runAgent(world, {
			...model.settings,
			instructions: "Be brief.",
			tools: [{ workflow: "order status", params: { shop: "tea-4711" } }],
		});
		assert.deepEqual([data.text, data.model_calls, data.tool_calls], ["It was sent.", 2, 1]);
		assert.deepEqual(model.readResults(), ["order 7 of tea-4711"]);
		assert.doesNotMatch(model.seen[0]?.body ?? "", /shop|4711/, "what is fixed is not shown");
		assert.match(model.seen[0]?.body ?? "", /what order status does/);
		assert.deepEqual(
			nodes?.map(({ id, component, status }) => [id, component, status]),
			[
				["only", "agent", "success"],
				["only/model", "llm_chat", "success"],
				["only/workflows", "agent_workflows", "success"],
				["only/order_status", "workflow", "success"],
			],
		);
	},
}));

export const agents: readonly Scenario[] = [
	...formats,
	{
		name: "an agent makes the calls of one answer, of a component and of knowledge search, and keeps their order",
		cites: [],
		async run(world) {
			await world.call("POST", "/entries", {
				body: {
					owner_id: world.owner,
					entry_type: "manual",
					page_name: "kettle",
					content: "Descale the kettle monthly.",
				},
			});
			const model = openModel(world, [
				[call("kb_search", { q: "kettle" }), call("shout", { text: "tea" }), call("shout", { text: "pot" })],
				"Done.",
			]);
			const { data } = await runAgent(world, {
				...model.settings,
				tools: [
					{ component: "kb_search", params: { limit: 3 } },
					{ component: "template", name: "shout" },
				],
			});
			assert.equal(data.tool_calls, 3);
			const [found, ...shouted] = model.readResults();
			assert.match(found ?? "", /Descale the kettle/);
			assert.deepEqual(shouted, ["tea", "pot"]);
		},
	},
	onSeeded({
		name: "an agent calls an operation of a recipe with a credential that the model never sees",
		cites: [],
		async run(world) {
			const { seen } = openHost(world, () => ({ json: [{ number: 1, title: "Leaks" }] }), "api.github.com");
			await putCredential(world, "github", "github_token", { token: "ghp_secret_of_the_agent" });
			await putCredential(world, "model", "openai_compatible", {
				token: KEY,
				host: `model.${world.owner}.example.com`,
			});
			const model = openModel(world, [
				[call("list_issues", { repo: "pots" }), call("list_issues", { repo: "pots", owner: "others" })],
				"One issue.",
			]);
			await runAgent(world, {
				...model.settings,
				credential: "model",
				tools: [
					{
						component: "github.list_issues",
						name: "list_issues",
						params: { owner: "teashop-4711" },
						credential: "github",
					},
				],
			});
			assert.equal(seen.length, 1);
			assert.match(seen[0]?.url ?? "", /\/repos\/teashop-4711\/pots\/issues/);
			assert.match(seen[0]?.headers.authorization ?? "", /ghp_secret_of_the_agent/);
			const [first, second] = model.readResults();
			assert.match(first ?? "", /Leaks/);
			assert.equal(second, 'There is no parameter "owner".');
			for (const { body, headers } of model.seen) {
				assert.doesNotMatch(body, /ghp_secret|4711/);
				assert.match(headers.authorization ?? "", new RegExp(KEY));
			}
		},
	}),
	{
		name: "an agent calls a tool of an MCP server, and only with what its schema allows",
		cites: [],
		async run(world) {
			const city = { type: "string", enum: ["Lyon", "Oslo"] };
			const called: unknown[] = [];
			const { address } = openMcpHost(world, {
				tools: [
					{
						name: "forecast",
						description: "The weather of a city",
						inputSchema: {
							type: "object",
							properties: { city, unit: { type: "string" } },
							required: ["city"],
						},
					},
				],
				call(_, args) {
					called.push(args);
					return toText("sunny");
				},
			});
			await world.executor.expect(201, McpServer, "PUT", "/mcp-servers/weather", { body: { url: address } });
			const model = openModel(world, [
				[
					call("forecast", { city: "Lyon" }),
					call("forecast", { city: "Paris" }),
					call("forecast", { city: "Oslo", unit: "kelvin" }),
				],
				"Sunny.",
			]);
			const { data } = await runAgent(world, {
				...model.settings,
				tools: [{ component: "mcp:weather.forecast", name: "forecast", params: { unit: "celsius" } }],
			});
			assert.equal(data.tool_calls, 1);
			assert.deepEqual(called, [{ city: "Lyon", unit: "celsius" }]);
			const [first, wrong, fixed] = model.readResults();
			assert.match(first ?? "", /sunny/);
			assert.match(wrong ?? "", /^The arguments are wrong: city/);
			assert.equal(fixed, 'There is no parameter "unit".');
			assert.doesNotMatch(model.seen[0]?.body ?? "", /celsius/);
		},
	},
	{
		name: "an agent tells its model about a tool that is unknown, wrong or fails, and goes on",
		cites: [],
		async run(world) {
			await saveOrderStatus(world);
			const model = openModel(world, [
				[
					call("drop_tables"),
					call("order_status", { order: "seven" }),
					call("order_status", "{"),
					call("order_status", { order: 1, extra: true }),
				],
				"Sorry.",
			]);
			const { data } = await runAgent(world, { ...model.settings, tools: [{ workflow: "order status" }] });
			assert.deepEqual([data.text, data.tool_calls], ["Sorry.", 0]);
			const [unknown, wrong, broken, extra] = model.readResults();
			assert.equal(unknown, 'There is no tool "drop_tables".');
			assert.match(wrong ?? "", /The arguments are wrong: order must be a number/);
			assert.equal(broken, "The arguments are not a JSON object.");
			assert.match(extra ?? "", /The arguments are wrong: .*extra/);
		},
	},
	{
		name: "an agent waits for a person before a call that needs approval, also after a restart",
		cites: [],
		async run(world) {
			await saveOrderStatus(world);
			const model = openModel(world, [
				[call("order_status", { order: 1 }), call("order_status", { order: 2 })],
				"Done.",
			]);
			await save(
				world,
				createWorkflow(
					"agent",
					{ ...model.settings, tools: [{ workflow: "order status" }], approve: ["order_status"] },
					{ options: { keep: "all" } },
				),
			);
			const accepted = await trigger(world, "agent", { headers: { prefer: "respond-async" } });
			const { execution_id: id } = AcceptedRun.parse(accepted.body);
			const questions = await eventually(async () => {
				const page = await world.executor.expect(200, QuestionPage, "GET", "/questions");
				assert.equal(page.questions.length, 2);
				return page.questions;
			});
			assert.deepEqual(new Set(questions.map(({ node }) => node)), new Set(["only/approval"]));
			const listKept = async () => {
				const path = `/executions/${id}/data?only=agents`;
				const { nodes } = await world.executor.expect(200, KeptData, "GET", path);
				return nodes.map(({ id: node }) => node);
			};
			if (!world.target.isolatesRequests)
				assert.deepEqual(await listKept(), ["only/workflows", "only/model"], "while it waits");
			await world.target.restart({});
			for (const { id: question, question: text } of questions) {
				assert.equal(text, "May the agent call **order_status**?");
				const path = `/questions/${id}/${question}/answer`;
				const isFirst = question === questions[0]?.id;
				const answer = isFirst ? { approved: true } : { approved: false, comment: "too early" };
				await world.executor.expect(200, AnsweredQuestion, "POST", path, { body: { answer } });
			}
			const { record } = await eventually(async () => {
				const detail = await world.executor.expect(200, ExecutionDetail, "GET", `/executions/${id}`);
				assert.notEqual(detail.record, null);
				return detail;
			});
			assert.equal(record?.verdict, "success", `${record?.error}`);
			assert.equal(model.seen.length, 2, "no call of the model was made twice");
			const kept = await eventually(listKept);
			assert.deepEqual(kept.sort(), [
				...["only", "only/approval", "only/approval", "only/model", "only/model"],
				...["only/order_status", "only/workflows"],
			]);
			const results = model.readResults();
			assert.equal(results.filter((result) => /^order [12] of no shop$/.test(result)).length, 1);
			assert.ok(results.includes("A person refused this call: too early"));
		},
	},
	{
		name: "nodes behind ON_WAIT of an agent run once, with the page of its first question, also after a restart",
		cites: [],
		async run(world) {
			const host = openHost(world);
			const model = openModel(world, [
				[call("shout", { text: "tea" }), call("shout", { text: "pot" })],
				"Done.",
			]);
			await save(world, {
				...createWorkflow("agent", {}),
				triplets: ["input >> then >> only", "only >> ON_WAIT >> tell", "only >> then >> after"],
				config: {
					only: {
						...model.settings,
						tools: [{ component: "template", name: "shout" }],
						approve: ["shout"],
					},
					tell: { component: "http_request", method: "POST", url: `${host.url}/tell`, json: "{{only}}" },
					after: { component: "template", text: "{{only.text}}" },
				},
			});
			const accepted = await trigger(world, "agent", { headers: { prefer: "respond-async" } });
			const { execution_id: id } = AcceptedRun.parse(accepted.body);
			const { questions } = await eventually(async () => {
				const page = await world.executor.expect(200, QuestionPage, "GET", "/questions");
				assert.deepEqual([page.questions.length, host.seen.length], [2, 1]);
				return page;
			});
			await world.target.restart({});
			for (const { id: question } of questions)
				await world.executor.expect(200, AnsweredQuestion, "POST", `/questions/${id}/${question}/answer`, {
					body: { answer: { approved: true } },
				});
			const { record, nodes } = await eventually(async () => {
				const detail = await world.executor.expect(200, ExecutionDetail, "GET", `/executions/${id}`);
				assert.notEqual(detail.record, null);
				return detail;
			});
			assert.equal(record?.verdict, "success", `${record?.error}`);
			assert.equal(nodes?.find(({ id: node }) => node === "tell")?.status, "success");
			assert.equal(host.seen.length, 1);
			const known = JSON.parse(host.seen[0]?.body ?? "");
			assert.match(known.url, new RegExp(`/ask/.*${id}`));
			assert.match(known.expires_at, /^\d{4}-/);
		},
	},
	{
		name: "ON_WAIT cannot follow an agent that asks nobody",
		cites: [],
		async run(world) {
			const config = {
				only: { component: "agent", model: "m", prompt: "?", tools: [{ component: "ask" }] },
				tell: { component: "set", values: {} },
			};
			const check = async (more: object) => {
				const { body } = await world.executor.call("POST", "/workflows/validate", {
					body: {
						...createWorkflow("agent", {}),
						triplets: ["input >> then >> only", "only >> ON_WAIT >> tell"],
						config: { ...config, only: { ...config.only, ...more } },
					},
				});
				return (body as { readonly diagnostics: readonly Diagnostic[] }).diagnostics;
			};
			assert.deepEqual(await check({}), [], "a tool asks");
			const [problem] = await check({ tools: [{ component: "template" }] });
			assert.equal(problem?.message, '"only" never waits, so ON_WAIT cannot follow it');
		},
	},
	{
		name: "whoever watches an agent gets the texts that its model streams, also those before calls of tools",
		cites: [],
		async run(world) {
			const replies = [
				[
					{ choices: [{ delta: { content: "I ask" } }] },
					{
						choices: [
							{
								delta: {
									tool_calls: [
										{ index: 0, id: "c1", function: { name: "template", arguments: '{"text":"x"}' } },
									],
								},
								finish_reason: "tool_calls",
							},
						],
					},
				],
				[
					{ choices: [{ delta: { content: "It is " } }] },
					{ choices: [{ delta: { content: "x." }, finish_reason: "stop" }] },
				],
			];
			const { url, seen } = openHost(world, () => ({
				headers: { "content-type": "text/event-stream" },
				body: [...(replies[seen.length - 1] ?? []).map((event) => JSON.stringify(event)), "[DONE]"]
					.map((event) => `data: ${event}\n\n`)
					.join(""),
			}));
			const settings = { component: "agent", model: "m", base_url: url, prompt: "?", stream: true };
			await save(world, createWorkflow("agent", { ...settings, tools: [{ component: "template" }] }));
			const headers = { accept: "text/event-stream" };
			const { body } = await world.executor.call("POST", "/workflows/agent/test", { body: {}, headers });
			const pieces = [...String(body).matchAll(/^event: text\ndata: (.*)$/gm)].map(([, data = ""]) =>
				JSON.parse(data),
			);
			assert.equal(pieces.map(({ text }) => text).join(""), "I askIt is x.");
			assert.ok(pieces.every(({ id }) => id === "only/model"));
			assert.ok(seen.every((request) => JSON.parse(request.body).stream === true));
		},
	},
	{
		name: "an agent has the workflows of a tag as tools, and keeps them after a restart",
		cites: [],
		async run(world) {
			const tagged = (name: string) =>
				createWorkflow(
					name,
					{ component: "template", text: `${name}: {{input.order}} of {{input.shop}}` },
					{ tags: ["shop"], options: { input_schema: ORDER_SCHEMA } },
				);
			for (const name of ["cancel order", "order status", "退款"]) await save(world, tagged(name));
			await world.executor.call("POST", "/webhooks/named", {
				body: tagged("theirs"),
				headers: otherTenant(world),
			});
			const model = openModel(world, [
				[
					call("order_status", { order: 1 }),
					call("cancel_order", { order: 2 }),
					call("workflow", { order: 3 }),
				],
				"Done.",
			]);
			const settings = {
				...model.settings,
				tools: [{ tag: "shop", params: { shop: "tea-4711" } }],
				approve: ["退款"],
			};
			const more = { tags: ["shop"], options: { keep: "all" } };
			await save(world, createWorkflow("agent", settings, more));
			const accepted = await trigger(world, "agent", { headers: { prefer: "respond-async" } });
			const { execution_id: id } = AcceptedRun.parse(accepted.body);
			const { questions } = await eventually(async () => {
				const page = await world.executor.expect(200, QuestionPage, "GET", "/questions");
				assert.equal(page.questions.length, 1);
				return page;
			});
			await save(world, tagged("added meanwhile"));
			await save(world, echo("cancel order"));
			await world.target.restart({});
			await world.executor.expect(
				200,
				AnsweredQuestion,
				"POST",
				`/questions/${id}/${questions[0]?.id}/answer`,
				{
					body: { answer: { approved: true } },
				},
			);
			await eventually(async () => {
				const { record } = await world.executor.expect(200, ExecutionDetail, "GET", `/executions/${id}`);
				assert.equal(record?.verdict, "success", `${record?.error}`);
			});
			const listTools = (index: number) =>
				JSON.parse(model.seen[index]?.body ?? "").tools.map(
					(tool: { function: { name: string } }) => tool.function.name,
				);
			assert.deepEqual(listTools(0), ["cancel_order", "order_status", "workflow"]);
			assert.deepEqual(listTools(1), listTools(0));
			assert.doesNotMatch(model.seen[0]?.body ?? "", /4711|theirs/);
			assert.deepEqual(model.readResults(), [
				"order status: 1 of tea-4711",
				'{"got":{"order":2,"shop":"tea-4711"}}',
				"退款: 3 of tea-4711",
			]);
		},
	},
	{
		name: "an agent without a workflow of its tag, or without a tool to approve, fails before its model is asked",
		cites: [],
		async run(world) {
			const model = openModel(world, []);
			const settings = { ...model.settings, tools: [{ tag: "shop" }], approve: ["refund"] };
			await save(world, createWorkflow("agent", settings, { tags: ["shop"] }));
			assert.equal((await run(world, "agent", {}, 500)).error, 'only: no other workflow has the tag "shop"');
			await save(world, echo("refunds", { tags: ["shop"] }));
			assert.equal(
				(await run(world, "agent", {}, 500)).error,
				'only: approve names "refund", but the agent has no such tool',
			);
			assert.equal(model.seen.length, 0);
		},
	},
	{
		name: "an agent ends with its budgets of steps and tokens",
		cites: [],
		async run(world) {
			const again = [call("template", { text: "x" })];
			const model = openModel(
				world,
				Array.from({ length: 9 }, () => again),
			);
			const settings = { ...model.settings, tools: [{ component: "template" }] };
			const fail = async (more: object) => {
				await save(world, createWorkflow("agent", { ...settings, ...more }));
				return (await run(world, "agent", {}, 500)).error;
			};
			assert.equal(await fail({ max_steps: 2 }), "only: the agent has not finished after 2 steps");
			assert.equal(JSON.parse(model.seen[1]?.body ?? "").tool_choice, "none");
			assert.equal(
				await fail({ max_tokens: 30 }),
				"only: the agent has used 30 tokens, and max_tokens is 30",
			);
			assert.equal(model.seen.length, 4);
		},
	},
	{
		name: "an agent answers with a value that matches its schema, and mends one that does not",
		cites: [],
		async run(world) {
			const model = openModel(world, [[call("template", { text: "x" })], "nonsense", '{"order":7}']);
			const { data } = await runAgent(world, {
				...model.settings,
				tools: [{ component: "template" }],
				schema: { type: "object", properties: { order: { type: "integer" } }, required: ["order"] },
			});
			assert.deepEqual(data.json, { order: 7 });
		},
	},
	{
		name: "what the steps of an agent received and gave is kept, and a tool's output can be pinned in a test",
		cites: [],
		async run(world) {
			await saveOrderStatus(world);
			const model = openModel(world, [
				[call("order_status", { order: 7 })],
				"Done.",
				[call("order_status", { order: 8 })],
				"Done.",
			]);
			const { execution_id } = await runAgent(
				world,
				{ ...model.settings, tools: [{ workflow: "order status" }] },
				{ options: { keep: "all" } },
			);
			const { nodes } = await eventually(() =>
				world.executor.expect(200, KeptData.strict(), "GET", `/executions/${execution_id}/data`),
			);
			const step = nodes.find(({ id }) => id === "only/order_status");
			assert.deepEqual(step?.input, { json: { name: "order status", input: { order: 7 } } });
			assert.deepEqual(step?.output, { json: "order 7 of no shop" });
			assert.deepEqual(
				nodes.filter(({ input_error }) => input_error !== undefined),
				[],
			);
			const tested = await world.executor.expect(200, RunResult, "POST", "/workflows/agent/test", {
				body: { pinned: { "only/order_status": "lost" } },
			});
			assert.deepEqual(model.readResults(), ["lost"]);
			assert.equal(tested.nodes?.find(({ id }) => id === "only/order_status")?.pinned, true);
			const asked = model.seen.length;
			const testModel = (output: unknown, status: number) =>
				world.executor.expect(status, RunResult, "POST", "/workflows/agent/test", {
					body: { pinned: { "only/model": output } },
				});
			const { data } = await testModel({ text: "As pinned." }, 200);
			assert.equal((data as unknown as AgentData).text, "As pinned.");
			for (const output of ["a text", { text: 7 }, { text: "", tool_calls: [{ id: 1 }] }])
				assert.match(
					(await testModel(output, 500)).error ?? "",
					/^only: the pinned output of the model must be/,
				);
			assert.equal(model.seen.length, asked);
			await world.executor.refuse(400, "POST", "/workflows/agent/test", {
				body: { pinned: { "only/other": 1 } },
			});
		},
	},
	{
		name: "a pinned approval answers every question of an agent in a test, and pinned calls of a model are made",
		cites: [],
		async run(world) {
			const model = openModel(world, [[call("shout", { text: "tea" })], "Done."]);
			await save(
				world,
				createWorkflow("agent", {
					...model.settings,
					tools: [{ component: "template", name: "shout" }],
					approve: ["shout"],
					max_steps: 2,
				}),
			);
			const test = (pinned: object, status: number) =>
				world.executor.expect(status, RunResult, "POST", "/workflows/agent/test", { body: { pinned } });
			await test({ "only/approval": { approved: true } }, 200);
			assert.deepEqual(model.readResults(), ["tea"]);
			const calls = [{ id: "c1", name: "shout", arguments: { text: "pot" }, is_json: true }];
			const pinned = { "only/model": { text: "", tool_calls: calls }, "only/approval": { approved: true } };
			const { error, nodes } = await test(pinned, 500);
			assert.equal(error, "only: the agent has not finished after 2 steps");
			assert.equal(nodes?.find(({ id }) => id === "only/shout")?.status, "success");
		},
	},
	{
		name: "an agent cannot call the workflow of another tenant",
		cites: [],
		async run(world) {
			const headers = otherTenant(world);
			const theirs = createWorkflow("theirs", { component: "template", text: "their secret" });
			await world.executor.call("POST", "/webhooks/named", { body: theirs, headers });
			const model = openModel(world, [[call("theirs")], "Done."]);
			const settings = { ...model.settings, tools: [{ workflow: "theirs" }] };
			const [warning] = await validate(world, settings);
			assert.deepEqual([warning?.code, warning?.severity], ["unknown_workflow", "warning"]);
			await save(world, createWorkflow("agent", settings));
			const { error } = await run(world, "agent", {}, 500);
			assert.equal(error, 'only: the tool theirs: there is no workflow "theirs"');
			assert.equal(model.seen.length, 0);
		},
	},
	{
		name: "an agent whose tools cannot work is refused when it is saved, at the place of the mistake",
		cites: [],
		async run(world) {
			await putCredential(world, "shop", "basic_auth", {
				username: "ada",
				password: "correct horse",
				host: "shop.example.com",
			});
			const base = { component: "agent", model: "m", prompt: "Hello" };
			for (const [settings, code, path] of [
				[{ tools: [{ component: "no_such.thing" }] }, "unknown_component", /tools\.0\.component/],
				[{ tools: [{ component: "http_request" }] }, "bad_step", /tools\.0/],
				[{ tools: [{ component: "if" }] }, "bad_step", /tools\.0/],
				[
					{ tools: [{ component: "kb_search", params: { limit: "x" } }] },
					"bad_step",
					/tools\.0\.params\.limit/,
				],
				[{ tools: "{{input.tools}}" }, "wrong_type", /tools/],
				[{ tools: [{ component: "template", params: "{{input.p}}" }] }, "bad_step", /tools\.0\.params/],
				[{ approve: ["refund"] }, "bad_step", /approve\.0/],
				[{ tools: [{ tag: "shop", name: "buy" }] }, "bad_step", /tools\.0\.name/],
				[{ tools: [{ tag: "shop" }, { tag: "shop" }] }, "bad_step", /tools\.1/],
				[{ tools: [{ tag: "shop", credential: "shop" }] }, "bad_step", /tools\.0/],
				[{ tools: [{ tag: "a b" }] }, "wrong_type", /tools\.0\.tag/],
				[{ tools: [{ tag: "shop", component: "template" }] }, "wrong_type", /tools\.0$/],
				[{ prompt: "{{credential.shop.password}}" }, "bad_step", /prompt/],
				[{ timeout_ms: 5 }, "bad_step", /timeout_ms/],
				[{ retry: { max: 1 } }, "bad_step", /retry/],
				[
					{
						tools: [{ component: "google_sheets_rows", params: { spreadsheet_id: "x" }, credential: "shop" }],
					},
					"wrong_credential",
					/tools\.0\.credential/,
				],
				[{ tools: [{ component: "template", name: "say", credential: "shop" }] }, "bad_step", /tools\.0/],
				[
					{
						tools: [
							{
								component: "http_request",
								name: "get",
								params: { url: "https://example.com" },
								credential: "gone",
							},
						],
					},
					"missing_credential",
					/tools\.0\.credential/,
				],
			] as const) {
				const found = await validate(world, { ...base, ...settings });
				assert.deepEqual(
					found.map((each) => each.code),
					[code],
					JSON.stringify([settings, found]),
				);
				assert.match(found[0]?.path ?? "", path);
			}
		},
	},
];
