import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { TerminalError } from "@tripline/engine/terminal-error";
import { llmChat } from "../../src/llm-chat.ts";
import { openServer, runForFailure, runForOutput, sendJson } from "../outbound-effects.ts";

const PROVIDERS = ["openai", "anthropic", "gemini"] as const;
type ProviderName = (typeof PROVIDERS)[number];

interface Said {
	readonly text?: string;
	readonly calls?: readonly { id?: string; name: string; args: unknown }[];
}

/** An answer as each provider writes it, with what it needs back. */
function write(provider: ProviderName, { text = "", calls = [] }: Said): object {
	switch (provider) {
		case "openai": {
			const tool_calls = calls.map(({ id, name, args }) => ({
				id,
				type: "function",
				function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
			}));
			const message = { role: "assistant", content: text, ...(calls.length > 0 && { tool_calls }) };
			return { choices: [{ message, finish_reason: "stop" }] };
		}
		case "anthropic": {
			const uses = calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args }));
			const texts = text === "" ? [] : [{ type: "text", text }];
			return { content: [...texts, ...uses], stop_reason: calls.length > 0 ? "tool_use" : "end_turn" };
		}
		case "gemini": {
			const parts = calls.map(({ id, name, args }) => ({ functionCall: { id, name, args } }));
			const texts = text === "" ? [] : [{ text }];
			return { candidates: [{ content: { parts: [...texts, ...parts] }, finishReason: "STOP" }] };
		}
	}
}

/** What the tests read of an output. */
interface Output {
	readonly text: string;
	readonly json: Json;
	readonly finish_reason: string;
	readonly tool_calls: readonly { readonly id: string; readonly name: string }[];
	readonly message: JsonObject;
	readonly usage: JsonObject;
}

/** Runs `llm_chat` once against a double that gives these answers in turn. */
async function chat(provider: ProviderName, answers: readonly object[], params: object) {
	await using server = await openServer((_request, response, number) =>
		sendJson(response, answers[Math.min(number, answers.length) - 1]),
	);
	const given = { provider, base_url: server.url, model: "m", attempts: 1, ...params };
	const output = await runForOutput(llmChat, given).catch((error: Error) => error);
	const sent = server.seen.map(({ body }) => JSON.parse(body));
	if (output instanceof Error) throw Object.assign(output, { sent });
	return { output: output as unknown as Output, sent, paths: server.seen.map(({ path }) => path) };
}

const WEATHER = {
	name: "get_weather",
	description: "The weather at a place",
	parameters: {
		type: "object",
		properties: { place: { type: "string", minLength: 1 } },
		required: ["place"],
	},
};
const TIME = { name: "get_time" };
const tools = [WEATHER, TIME];
const NO_PARAMETERS = { type: "object", properties: {} };

describe("llm_chat with tools", () => {
	test("sends them in each provider's form", async () => {
		const choices = ["auto", "none", "required", "get_time"];
		const found: Record<string, unknown[]> = { openai: [], anthropic: [], gemini: [] };
		for (const provider of PROVIDERS) {
			for (const tool_choice of [undefined, ...choices]) {
				const params = { prompt: "p", tools, ...(tool_choice && { tool_choice }) };
				const { sent } = await chat(provider, [write(provider, {})], params);
				const [body] = sent;
				found[provider]?.push(
					provider === "gemini" ? body.toolConfig?.functionCallingConfig : body.tool_choice,
				);
				assert.deepEqual(
					body.tools,
					{
						openai: [
							{ type: "function", function: WEATHER },
							{ type: "function", function: { ...TIME, description: "", parameters: NO_PARAMETERS } },
						],
						anthropic: [
							{ name: "get_weather", description: WEATHER.description, input_schema: WEATHER.parameters },
							{ name: "get_time", description: "", input_schema: NO_PARAMETERS },
						],
						gemini: [
							{
								functionDeclarations: [
									{
										name: "get_weather",
										description: WEATHER.description,
										parametersJsonSchema: {
											type: "object",
											properties: { place: { type: "string" } },
											required: ["place"],
										},
									},
									{ name: "get_time", description: "" },
								],
							},
						],
					}[provider],
				);
			}
		}
		assert.deepEqual(found, {
			openai: [undefined, "auto", "none", "required", { type: "function", function: { name: "get_time" } }],
			anthropic: [
				undefined,
				{ type: "auto" },
				{ type: "none" },
				{ type: "any" },
				{ type: "tool", name: "get_time" },
			],
			gemini: [
				undefined,
				{ mode: "AUTO" },
				{ mode: "NONE" },
				{ mode: "ANY" },
				{ mode: "ANY", allowedFunctionNames: ["get_time"] },
			],
		});
	});

	test("returns text and all calls, and a message that can be sent back", async () => {
		for (const provider of PROVIDERS) {
			const calls = [
				{ id: "call_1", name: "get_weather", args: { place: "Oslo" } },
				{ id: "call_2", name: "get_time", args: {} },
			];
			const answer = write(provider, { text: "Let me see.", calls });
			const { output } = await chat(provider, [answer], { prompt: "p", tools });
			const expected = calls.map(({ args, ...call }) => ({ ...call, arguments: args, is_json: true }));
			assert.deepEqual([output.text, output.tool_calls], ["Let me see.", expected]);
			assert.equal(output.finish_reason, "tool_calls");
			const { provider_data: _, ...message } = output.message;
			assert.deepEqual(message, { role: "assistant", content: "Let me see.", tool_calls: expected });

			const results = [
				{ role: "tool", tool_call_id: "call_1", content: "rain" },
				{ role: "tool", tool_call_id: "call_2", content: "no clock", is_error: true },
			];
			const messages = [{ role: "user", content: "p" }, output.message, ...results];
			const { sent, output: end } = await chat(provider, [write(provider, { text: "It rains." })], {
				messages,
				tools,
			});
			assert.deepEqual([end.text, end.tool_calls, end.finish_reason], ["It rains.", [], "stop"]);
			assert.deepEqual(
				provider === "gemini" ? sent[0].contents : sent[0].messages,
				{
					openai: [
						{ role: "user", content: "p" },
						{
							role: "assistant",
							content: "Let me see.",
							tool_calls: calls.map(({ id, name, args }) => ({
								id,
								type: "function",
								function: { name, arguments: JSON.stringify(args) },
							})),
						},
						{ role: "tool", tool_call_id: "call_1", content: "rain" },
						{ role: "tool", tool_call_id: "call_2", content: "no clock" },
					],
					anthropic: [
						{ role: "user", content: "p" },
						{
							role: "assistant",
							content: [
								{ type: "text", text: "Let me see." },
								...calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args })),
							],
						},
						{
							role: "user",
							content: [
								{ type: "tool_result", tool_use_id: "call_1", content: [{ type: "text", text: "rain" }] },
								{
									type: "tool_result",
									tool_use_id: "call_2",
									content: [{ type: "text", text: "no clock" }],
									is_error: true,
								},
							],
						},
					],
					gemini: [
						{ role: "user", parts: [{ text: "p" }] },
						{
							role: "model",
							parts: [
								{ text: "Let me see." },
								...calls.map(({ id, name, args }) => ({ functionCall: { id, name, args } })),
							],
						},
						{
							role: "user",
							parts: [
								{ functionResponse: { id: "call_1", name: "get_weather", response: { output: "rain" } } },
								{ functionResponse: { id: "call_2", name: "get_time", response: { error: "no clock" } } },
							],
						},
					],
				}[provider],
			);
		}
	});

	test("passes calls on to another provider", async () => {
		const messages = [
			{ role: "user", content: "p" },
			{
				role: "assistant",
				tool_calls: [
					{ id: "functions.get:0", name: "get", arguments: { a: 1 } },
					{ id: "2", name: "get", arguments: "{oops", is_json: false },
				],
				provider_data: { other: [{ secret: 1 }] },
			},
			{ role: "tool", tool_call_id: "functions.get:0", content: "" },
			{ role: "tool", tool_call_id: "2", content: [{ type: "text", text: "b" }] },
		];
		const [openai, anthropic, gemini] = await Promise.all(
			PROVIDERS.map(async (provider) => {
				const { sent } = await chat(provider, [write(provider, {})], { messages });
				return (sent[0].contents ?? sent[0].messages).slice(1);
			}),
		);
		assert.deepEqual(openai, [
			{
				role: "assistant",
				content: null,
				tool_calls: [
					{ id: "functions.get:0", type: "function", function: { name: "get", arguments: '{"a":1}' } },
					{ id: "2", type: "function", function: { name: "get", arguments: '{"arguments":"{oops"}' } },
				],
			},
			{ role: "tool", tool_call_id: "functions.get:0", content: "" },
			{ role: "tool", tool_call_id: "2", content: [{ type: "text", text: "b" }] },
		]);
		assert.deepEqual(anthropic, [
			{
				role: "assistant",
				content: [
					{ type: "tool_use", id: "functions_get_0", name: "get", input: { a: 1 } },
					{ type: "tool_use", id: "2", name: "get", input: { arguments: "{oops" } },
				],
			},
			{
				role: "user",
				content: [
					{ type: "tool_result", tool_use_id: "functions_get_0" },
					{ type: "tool_result", tool_use_id: "2", content: [{ type: "text", text: "b" }] },
				],
			},
		]);
		assert.deepEqual(gemini, [
			{
				role: "model",
				parts: [
					{
						functionCall: { name: "get", args: { a: 1 } },
						thoughtSignature: "skip_thought_signature_validator",
					},
					{ functionCall: { name: "get", args: { arguments: "{oops" } } },
				],
			},
			{
				role: "user",
				parts: [
					{ functionResponse: { name: "get", response: { output: "" } } },
					{ functionResponse: { name: "get", response: { output: "b" } } },
				],
			},
		]);
	});

	test("sends back what a provider needs beside the calls", async () => {
		const cases = [
			{
				provider: "openai",
				answer: {
					choices: [
						{
							message: {
								content: null,
								reasoning_content: "hm",
								reasoning_details: [{ type: "reasoning.text", index: 0, text: "hm", signature: "s" }],
								tool_calls: [
									{
										id: "a",
										function: { name: "get_time", arguments: "{}" },
										extra_content: { google: { thought_signature: "t" } },
									},
								],
							},
							finish_reason: "tool_calls",
						},
					],
				},
				sent: {
					role: "assistant",
					content: null,
					reasoning_content: "hm",
					reasoning_details: [{ type: "reasoning.text", index: 0, text: "hm", signature: "s" }],
					tool_calls: [
						{
							id: "a",
							type: "function",
							function: { name: "get_time", arguments: "{}" },
							extra_content: { google: { thought_signature: "t" } },
						},
					],
				},
			},
			{
				provider: "anthropic",
				answer: {
					content: [
						{ type: "thinking", thinking: "hm", signature: "s" },
						{ type: "redacted_thinking", data: "r" },
						{ type: "text", text: "" },
						{ type: "tool_use", id: "a", name: "get_time", input: {} },
					],
					stop_reason: "tool_use",
				},
				sent: {
					role: "assistant",
					content: [
						{ type: "thinking", thinking: "hm", signature: "s" },
						{ type: "redacted_thinking", data: "r" },
						{ type: "tool_use", id: "a", name: "get_time", input: {} },
					],
				},
			},
			{
				provider: "gemini",
				answer: {
					candidates: [
						{
							content: {
								parts: [
									{ text: "hm", thought: true },
									{ functionCall: { name: "get_time", args: {} }, thoughtSignature: "s" },
								],
							},
							finishReason: "STOP",
						},
					],
				},
				sent: {
					role: "model",
					parts: [{ functionCall: { name: "get_time", args: {} }, thoughtSignature: "s" }],
				},
			},
		] as const;
		for (const { provider, answer, sent: expected } of cases) {
			const { output } = await chat(provider, [answer], { prompt: "p", tools });
			const id = output.tool_calls[0]?.id;
			const messages = [output.message, { role: "tool", tool_call_id: id, content: "12:00" }];
			const { sent } = await chat(provider, [write(provider, {})], { messages, tools });
			assert.deepEqual((sent[0].contents ?? sent[0].messages)[0], expected);
		}
	});

	test("keeps arguments that are not JSON, and calls without being asked for", async () => {
		const answer = write("openai", { calls: [{ id: "a", name: "get", args: '{"a' }] });
		const { output } = await chat("openai", [answer], { prompt: "p", extra: { tools: [{ type: "x" }] } });
		assert.deepEqual(output.tool_calls, [{ id: "a", name: "get", arguments: '{"a', is_json: false }]);
	});

	test("fails if Gemini cannot read a call, or a result has none", async () => {
		const malformed = { candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL" }] };
		const failure = await chat("gemini", [malformed], { prompt: "p", tools }).catch((error: Error) => error);
		assert.ok(failure instanceof Error && !(failure instanceof TerminalError));
		assert.equal(failure.message, "the model's tool call is malformed");
		const messages = [{ role: "tool", tool_call_id: "x", content: "y" }];
		const params = { provider: "gemini", model: "m", messages };
		assert.equal(
			(await runForFailure(llmChat, params)).message,
			'there is no tool call "x" before its result',
		);
	});
});

const LIST = { type: "array", items: { type: "integer" }, minItems: 1 };

describe("an answer of any type", () => {
	test("is asked for in an object, and taken out of it", async () => {
		const cases: [object, unknown][] = [
			[LIST, [1, 2]],
			[{ type: "string", minLength: 1 }, "a"],
			[{ enum: ["a", null] }, null],
			[{ anyOf: [{ type: "object", properties: { answer: {} } }, { type: "number" }] }, 7],
			[{ type: ["object", "null"] }, null],
			[{ type: "boolean" }, false],
		];
		for (const provider of PROVIDERS) {
			for (const [schema, value] of cases) {
				const text = JSON.stringify({ answer: value });
				const { output } = await chat(provider, [write(provider, { text })], { prompt: "p", schema });
				assert.deepEqual(output.json, value);
				const call = { id: "a", name: "answer", args: { answer: value } };
				const byTool = await chat(provider, [write(provider, { calls: [call] })], {
					prompt: "p",
					schema,
					schema_by: "tool",
				});
				assert.deepEqual(byTool.output.json, value);
				assert.equal(byTool.output.tool_calls, undefined);
			}
		}
	});

	test("may come without the object, from models that are not held to it", async () => {
		const { output, sent } = await chat("openai", [write("openai", { text: "[1]" })], {
			prompt: "p",
			schema: LIST,
		});
		assert.deepEqual(output.json, [1]);
		assert.deepEqual(sent[0].response_format.json_schema, {
			name: "answer",
			strict: true,
			schema: {
				type: "object",
				properties: { answer: LIST },
				required: ["answer"],
				additionalProperties: false,
			},
		});
	});

	test("keeps references of its schema valid", async () => {
		const items = { $ref: "#/$defs/item" };
		const schema = { type: "array", items, $defs: { item: { type: "string" } } };
		const text = '{"answer":["a"]}';
		const { sent } = await chat("openai", [write("openai", { text })], { prompt: "p", schema });
		const { $defs, properties } = sent[0].response_format.json_schema.schema;
		assert.deepEqual($defs, schema.$defs);
		assert.deepEqual(properties.answer, { type: "array", items });
	});

	test("fails with a message if it does not match", async () => {
		for (const [text, message] of [
			["no", "the model's answer is not JSON, which the schema requires"],
			['{"answer":"a"}', /^the model's answer does not match the schema: /],
		] as const) {
			const failing = chat("openai", [write("openai", { text })], { prompt: "p", schema: LIST });
			await assert.rejects(failing, { message });
		}
	});

	test("is null while the model calls tools", async () => {
		for (const provider of PROVIDERS) {
			for (const schema_by of ["format", "tool"]) {
				const calls = [{ id: "a", name: "get_time", args: {} }];
				const params = { prompt: "p", schema: LIST, schema_by, tools };
				const { output, sent } = await chat(provider, [write(provider, { calls })], params);
				assert.deepEqual([output.json, output.tool_calls.length], [null, 1]);
				const text = schema_by === "format" ? '{"answer":[1]}' : "";
				const answer = schema_by === "tool" ? [{ id: "b", name: "answer", args: { answer: [1] } }] : [];
				const end = await chat(provider, [write(provider, { text, calls: answer })], params);
				assert.deepEqual([end.output.json, end.output.tool_calls], [[1], []]);
				const [body] = sent;
				if (schema_by === "tool" && provider === "openai") assert.equal(body.tool_choice, "required");
			}
		}
	});
});

describe("repair", () => {
	const usage = { prompt_tokens: 10, completion_tokens: 2 };

	test("asks the model to mend its answer, and adds up what it costs", async () => {
		const answers = ["[]", "[1.5]", "[2]"].map((list) => ({
			...write("openai", { text: `{"answer":${list}}` }),
			usage,
		}));
		const { output, sent } = await chat("openai", answers, { prompt: "p", schema: LIST, repair: 3 });
		assert.deepEqual(output.json, [2]);
		assert.deepEqual(output.usage, { input_tokens: 30, output_tokens: 6, total_tokens: 36 });
		const [first, second, third] = sent.map(({ messages }) => messages);
		assert.deepEqual([first.length, second.length, third.length], [1, 3, 5]);
		assert.deepEqual(second[1], { role: "assistant", content: '{"answer":[]}' });
		assert.match(second[2].content, /^Your answer does not match the schema: .*\. Answer again/);
	});

	test("fails once it is used up", async () => {
		const failing = chat("openai", [write("openai", { text: "" })], { prompt: "p", schema: LIST, repair: 1 });
		const failure = await failing.catch((error: Error & { sent: { messages: unknown[] }[] }) => error);
		assert.ok(failure instanceof Error && !(failure instanceof TerminalError));
		assert.equal(failure.sent.length, 2);
		// The empty answer is left out: providers reject empty messages.
		assert.equal(failure.sent[1]?.messages.length, 2);
	});

	test("answers the call that gave a wrong answer", async () => {
		for (const provider of PROVIDERS) {
			const answers = [[], [1]].map((answer) =>
				write(provider, { calls: [{ id: "a", name: "answer", args: { answer } }] }),
			);
			const params = { prompt: "p", schema: LIST, schema_by: "tool", repair: 1 };
			const { output, sent } = await chat(provider, answers, params);
			assert.deepEqual(output.json, [1]);
			const [, called, result] = sent[1].contents ?? sent[1].messages;
			assert.match(JSON.stringify(called), /"answer"/);
			assert.match(JSON.stringify(result), /does not match the schema/);
		}
	});
});
