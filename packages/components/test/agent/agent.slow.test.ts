import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Effects } from "../../src/effects.ts";
import { runNode } from "../run-node.ts";
import { type Reply, scriptModel } from "./scripted-model.ts";

const call = (name: string, args: unknown = {}) => ({ name, arguments: args });

const ORDER_STATUS = {
	name: "order status",
	description: "Finds an order.",
	input_schema: {
		type: "object",
		properties: { order: { type: "integer" }, shop: { type: "string" } },
		required: ["order", "shop"],
		additionalProperties: false,
	},
};

interface Called {
	readonly name: string;
	readonly input: JsonObject;
}

/** Runs an agent whose model answers by a script. */
async function runAgent(replies: readonly Reply[], params: JsonObject, more: Partial<Effects> = {}) {
	const model = scriptModel(...replies);
	const called: Called[] = [];
	const asked: JsonObject[] = [];
	const effects: Partial<Effects> = {
		http: (request) => model.http(request),
		describeWorkflow: async (name) => (name === ORDER_STATUS.name ? ORDER_STATUS : null),
		runWorkflow: async (name, input): Promise<Json> => {
			called.push({ name, input });
			if (input.order === 13) throw new Error("there is no order 13");
			return { status: "sent" };
		},
		ask: async (question) => {
			asked.push(question as unknown as JsonObject);
			return { approved: question.show.arguments !== undefined, comment: "" };
		},
		...more,
	};
	const outcome = await runNode("agent", { model: "m", prompt: "Hello", ...params }, { effects });
	return { outcome, model, called, asked };
}

const WORKFLOW = { workflow: "order status", params: { shop: "tea" } };

describe("agent", () => {
	test("answers without tools as a chat does", async () => {
		const { outcome, model } = await runAgent(["Hi."], { instructions: "Be brief." });
		assert.deepEqual(outcome, {
			output: {
				text: "Hi.",
				usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
				model_calls: 1,
				tool_calls: 0,
				model: "double",
			},
		});
		assert.deepEqual(model.requests[0]?.messages, [
			{ role: "system", content: "Be brief." },
			{ role: "user", content: "Hello" },
		]);
	});

	test("runs the workflow that the model calls, and tells it the result", async () => {
		const { outcome, model, called } = await runAgent(
			[[call("order_status", { order: 7 })], "It was sent."],
			{ tools: [WORKFLOW] },
		);
		assert.ok("output" in outcome, JSON.stringify(outcome));
		assert.equal((outcome.output as JsonObject).text, "It was sent.");
		assert.deepEqual(called, [{ name: "order status", input: { order: 7, shop: "tea" } }]);
		assert.deepEqual(model.readResults(), ['{"status":"sent"}']);
	});

	test("does not show the model what is fixed, and refuses it in the arguments", async () => {
		const { model, called } = await runAgent(
			[[call("order_status", { order: 7, shop: "coffee" })], "Sorry."],
			{ tools: [WORKFLOW] },
		);
		assert.deepEqual(model.requests[0]?.tools, [
			{
				type: "function",
				function: {
					name: "order_status",
					description: "Finds an order.",
					parameters: {
						type: "object",
						properties: { order: { type: "integer" } },
						required: ["order"],
						additionalProperties: false,
					},
					strict: true,
				},
			},
		]);
		assert.deepEqual(called, []);
		assert.deepEqual(model.readResults(), ['There is no parameter "shop".']);
	});

	test("makes the calls of one answer at the same time, and keeps their order", async () => {
		const second = Promise.withResolvers<void>();
		const { model } = await runAgent(
			[[call("order_status", { order: 1 }), call("order_status", { order: 2 })], "Both."],
			{ tools: [WORKFLOW] },
			{
				runWorkflow: async (_, { order }) => {
					if (order === 2) second.resolve();
					else await second.promise;
					return order as Json;
				},
			},
		);
		assert.deepEqual(model.readResults(), ["1", "2"]);
	});

	for (const [what, wanted, result] of [
		["that it does not have", call("drop_tables"), 'There is no tool "drop_tables".'],
		[
			"with arguments that are no JSON",
			call("order_status", "{order:"),
			"The arguments are not a JSON object.",
		],
		["with a list as arguments", call("order_status", [1]), "The arguments are not a JSON object."],
		[
			"with arguments of the wrong type",
			call("order_status", { order: "x" }),
			"The arguments are wrong: order must be a number, but is text",
		],
		["that fails", call("order_status", { order: 13 }), "there is no order 13"],
	] as const)
		test(`tells the model about a tool ${what}, and goes on`, async () => {
			const { outcome, model } = await runAgent([[wanted], "Well."], { tools: [WORKFLOW] });
			assert.ok("output" in outcome, JSON.stringify(outcome));
			assert.deepEqual(model.readResults(), [result]);
		});

	test("asks a person before a call that needs approval", async () => {
		const { called, asked } = await runAgent([[call("order_status", { order: 7 })], "Done."], {
			tools: [WORKFLOW],
			approve: ["order_status"],
		});
		assert.deepEqual(
			asked.map(({ question, show }) => ({ question, show })),
			[
				{
					question: "May the agent call **order_status**?",
					show: { arguments: { order: 7, shop: "tea" } },
				},
			],
		);
		assert.equal(called.length, 1);
	});

	test("does not make a call that a person refuses, and tells the model why", async () => {
		const { called, model } = await runAgent(
			[[call("order_status", { order: 7 })], "Fine."],
			{ tools: [WORKFLOW], approve: ["order_status"] },
			{ ask: async () => ({ approved: false, comment: "too early" }) },
		);
		assert.deepEqual(called, []);
		assert.deepEqual(model.readResults(), ["A person refused this call: too early"]);
	});

	test("asks nobody about a call whose arguments are wrong", async () => {
		const { asked } = await runAgent([[call("order_status", {})], "Fine."], {
			tools: [WORKFLOW],
			approve: ["order_status"],
		});
		assert.deepEqual(asked, []);
	});

	test("takes the tools away in the last step, so that the model answers", async () => {
		const again = [call("order_status", { order: 7 })];
		const { model, outcome } = await runAgent([again, again, "Enough."], { tools: [WORKFLOW], max_steps: 3 });
		assert.deepEqual(
			model.requests.map(({ tool_choice }) => tool_choice),
			[undefined, undefined, "none"],
		);
		assert.ok("output" in outcome);
		const { outcome: stubborn, called } = await runAgent([again, again], { tools: [WORKFLOW], max_steps: 2 });
		assert.deepEqual(stubborn, { error: "the agent has not finished after 2 steps" });
		assert.equal(called.length, 1);
	});

	test("ends when its tokens or its time are used up", async () => {
		const again = [call("order_status", { order: 7 })];
		const { outcome } = await runAgent([again, again, again], { tools: [WORKFLOW], max_tokens: 30 });
		assert.deepEqual(outcome, { error: "the agent has used 30 tokens, and max_tokens is 30" });
		const slow = { runWorkflow: () => new Promise<Json>((resolve) => setTimeout(() => resolve(1), 1_050)) };
		const late = await runAgent([again, again], { tools: [WORKFLOW], max_seconds: 1 }, slow);
		assert.deepEqual(late.outcome, { error: "the agent has not finished within 1 seconds" });
	});

	test("adds up what the model costs, and ends when that is too much", async () => {
		const again = [call("order_status", { order: 7 })];
		const priced: Partial<Effects> = { getModelPrice: () => ({ input: 100, output: 1_000 }) };
		const { outcome } = await runAgent([again, "Done."], { tools: [WORKFLOW], max_cost: 1 }, priced);
		assert.ok("output" in outcome, JSON.stringify(outcome));
		assert.equal(((outcome.output as JsonObject).usage as JsonObject).cost, 0.012);
		const dear = await runAgent([again, again, again], { tools: [WORKFLOW], max_cost: 0.01 }, priced);
		assert.deepEqual(dear.outcome, { error: "the agent has cost 0.012, and max_cost is 0.01" });
		assert.equal(dear.model.requests.length, 2);
		const unknown = await runAgent([again, "Done."], { tools: [WORKFLOW], max_cost: 1 });
		assert.ok("error" in unknown.outcome);
		assert.match(unknown.outcome.error, /the cost of "m" is not known/);
	});

	test("answers with a value that matches the schema", async () => {
		const schema = { type: "object", properties: { order: { type: "integer" } }, required: ["order"] };
		const { outcome } = await runAgent([[call("order_status", { order: 7 })], "nonsense", '{"order":7}'], {
			tools: [WORKFLOW],
			schema,
		});
		assert.ok("output" in outcome, JSON.stringify(outcome));
		assert.deepEqual((outcome.output as JsonObject).json, { order: 7 });
	});

	test("uses components as tools, and cuts what is too long for a model", async () => {
		const { model } = await runAgent([[call("template", { text: "x".repeat(120_000) })], "Long."], {
			tools: [{ component: "template" }],
		});
		const [result = ""] = model.readResults();
		assert.ok(result.endsWith("(cut after 100000 of 120000 characters)"), result.slice(-100));
	});

	test("ends when the results of its tools are too large together", async () => {
		const again = Array.from({ length: 16 }, () => call("order_status", { order: 7 }));
		const large = { runWorkflow: async () => "x".repeat(99_000) };
		const { outcome, model } = await runAgent([again, again, again, again], { tools: [WORKFLOW] }, large);
		assert.deepEqual(outcome, {
			error: "the results of the tools have more than 4000000 characters together: let them return less",
		});
		assert.equal(model.requests.length, 3);
	});

	test("makes at most 16 calls at once", async () => {
		const { model, called } = await runAgent(
			[Array.from({ length: 18 }, () => call("order_status", { order: 7 })), "Many."],
			{ tools: [WORKFLOW] },
		);
		assert.equal(called.length, 16);
		assert.equal(model.readResults()[17], "At most 16 tools can be called at once. Call it again.");
	});

	for (const [what, params, message] of [
		["an unknown component", { tools: [{ component: "templat" }] }, /there is no component "templat"/],
		[
			"an unknown parameter",
			{ tools: [{ component: "kb_search", params: { limt: 1 } }] },
			/kb_search" has no parameter "limt"/,
		],
		[
			"two tools of one name",
			{ tools: [{ component: "kb_get" }, { component: "kb_get" }] },
			/two tools are called "kb_get"/,
		],
		["a component that shapes its workflow", { tools: [{ component: "if" }] }, /"if" cannot be a tool/],
		["an agent as a tool", { tools: [{ component: "agent" }] }, /"agent" cannot be a tool/],
		[
			"an open address",
			{ tools: [{ component: "http_request" }] },
			/"http_request" can reach anything: fix "url" in params, or list "http_request" in approve/,
		],
		["an approval for nothing", { approve: ["refund"] }, /the agent has no tool "refund"/],
		["a reserved name", { tools: [{ component: "kb_get", name: "model" }] }, /needs a name of its own/],
		[
			"a component and a workflow",
			{ tools: [{ component: "kb_get", workflow: "x" }] },
			/must have exactly one of component, workflow and tag/,
		],
	] as const)
		test(`refuses ${what} when the workflow is saved`, async () => {
			const { outcome } = await runAgent([], params as unknown as JsonObject);
			assert.ok("error" in outcome);
			assert.match(outcome.error, message);
		});

	test("lets the model set none of a component's targets, whichever of them is fixed", async () => {
		const mail = { from: "shop@example.com", to: "ada@example.com" };
		const { model } = await runAgent(
			[[call("send", { subject: "s", text: "t", bcc: "eve@example.com" })], "Sent."],
			{ tools: [{ component: "email_send", name: "send", params: mail }] },
		);
		assert.deepEqual(model.readResults(), ['There is no parameter "bcc".']);
		const [tool] = (model.requests[0]?.tools ?? []) as { function: { parameters: { properties: object } } }[];
		const shown = Object.keys(tool?.function.parameters.properties ?? {});
		for (const hidden of ["from", "to", "cc", "bcc", "reply_to"]) assert.ok(!shown.includes(hidden), hidden);
	});

	test("takes a component with a fixed address", async () => {
		const url = "https://weather.example.com/now";
		const model = scriptModel([call("weather", { query: { city: "Lyon" } })], "Sunny.");
		const seen: string[] = [];
		const answer = { status: 200, headers: { "content-type": "application/json" }, url };
		const outcome = await runNode(
			"agent",
			{
				...{ model: "m", prompt: "How is the weather?" },
				tools: [{ component: "http_request", name: "weather", params: { url, method: "GET" } }],
			},
			{
				effects: {
					http(request) {
						if (!request.url.startsWith(url)) return model.http(request);
						seen.push(request.url);
						return Promise.resolve({ ...answer, body: new TextEncoder().encode('{"degrees":21}') });
					},
				},
			},
		);
		assert.ok("output" in outcome, JSON.stringify(outcome));
		assert.deepEqual(seen, [url]);
		assert.match(model.readResults()[0] ?? "", /"degrees":21/);
	});
});

describe("an agent with a tag", () => {
	const tagged = (name: string) => ({ name, description: `Does ${name}.`, input_schema: null });
	const runTagged = (names: readonly string[], params: JsonObject, replies: readonly Reply[] = ["Done."]) =>
		runAgent(replies, params, {
			listTaggedWorkflows: async (tag, limit) => (tag === "shop" ? names.slice(0, limit).map(tagged) : []),
		});
	const listNames = (request: { readonly tools?: unknown } | undefined) =>
		((request?.tools ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name);

	test("gives each workflow a name of its own, in the order of their names", async () => {
		const { model } = await runTagged(["re_fund", "model", "退款", "re fund", "訂單", "order status"], {
			tools: [{ tag: "shop" }, { component: "template", name: "workflow" }, { workflow: "order status" }],
		});
		assert.deepEqual(listNames(model.requests[0]), [
			"workflow",
			"order_status",
			"model_2",
			"re_fund",
			"re_fund_2",
			"workflow_2",
			"workflow_3",
		]);
	});

	test("runs the workflow that the model calls, with what is fixed", async () => {
		const { called, outcome } = await runTagged(
			["re_fund", "re fund"],
			{ tools: [{ tag: "shop", params: { by: 1 } }] },
			[[call("re_fund_2", { order: 7 })], "Done."],
		);
		assert.ok("output" in outcome, JSON.stringify(outcome));
		assert.deepEqual(called, [{ name: "re_fund", input: { order: 7, by: 1 } }]);
	});

	test("asks about every workflow that the name in approve may mean", async () => {
		for (const approve of ["re_fund", "re fund"]) {
			const { asked } = await runTagged(
				["re_fund", "re fund"],
				{ tools: [{ tag: "shop" }], approve: [approve] },
				[[call("re_fund"), call("re_fund_2")], "Done."],
			);
			assert.equal(asked.length, approve === "re_fund" ? 2 : 1);
		}
	});

	test("fails with too many workflows", async () => {
		const names = Array.from({ length: 65 }, (_, index) => `w${index}`);
		const { outcome, model } = await runTagged(names, { tools: [{ tag: "shop" }] });
		assert.deepEqual(outcome, { error: "the agent has more than 64 tools: use a tag of fewer workflows" });
		assert.equal(model.requests.length, 0);
		const fitting = await runTagged(names.slice(1), { tools: [{ tag: "shop" }] });
		assert.equal(listNames(fitting.model.requests[0]).length, 64);
	});
});
