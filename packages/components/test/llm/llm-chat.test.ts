import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TerminalError } from "@tripline/engine/terminal-error";
import { llmChat } from "../../src/llm-chat.ts";
import { openServer, runForFailure, runForOutput, runOutbound, sendJson } from "../outbound-effects.ts";

const completion = (message: object, more = {}) => ({
	id: "x",
	object: "chat.completion",
	model: "gpt-5-mini-2026",
	choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: "stop", ...more }],
	usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
});

const message = (content: object[], more = {}) => ({
	id: "msg",
	type: "message",
	role: "assistant",
	model: "claude-sonnet-5",
	content,
	stop_reason: "end_turn",
	usage: { input_tokens: 10, cache_read_input_tokens: 2, output_tokens: 3 },
	...more,
});

const serveJson = (value: unknown, status = 200) =>
	openServer((_request, response) => sendJson(response, value, status));

const closed = {
	type: "object",
	properties: { n: { type: "integer", minimum: 1 } },
	required: ["n"],
	additionalProperties: false,
};

describe("llm_chat with OpenAI's API", () => {
	test("sends a request as in OpenAI's documentation", async () => {
		await using server = await serveJson(completion({ content: "Hi" }));
		const { output, calls } = await runOutbound(
			llmChat,
			{
				base_url: `${server.url}/v1/`,
				model: "m",
				system: "Be brief.",
				messages: [
					{ role: "user", content: "Hello" },
					{
						role: "user",
						content: [
							{ type: "text", text: "See" },
							{ type: "image_url", image_url: { url: "https://example.com/a.png" } },
						],
					},
				],
				temperature: 0,
				max_tokens: 50,
				stop: ["END"],
				extra: { seed: 1, model: "other" },
			},
			{ credential: "key" },
		);
		const [seen] = server.seen;
		assert.equal(`${seen?.method} ${seen?.path}`, "POST /v1/chat/completions");
		assert.equal(seen?.headers["content-type"], "application/json");
		assert.equal(seen?.headers.authorization, "Bearer key");
		assert.deepEqual(JSON.parse(seen?.body ?? ""), {
			seed: 1,
			model: "m",
			messages: [
				{ role: "system", content: "Be brief." },
				{ role: "user", content: "Hello" },
				{
					role: "user",
					content: [
						{ type: "text", text: "See" },
						{ type: "image_url", image_url: { url: "https://example.com/a.png" } },
					],
				},
			],
			temperature: 0,
			stop: ["END"],
			max_tokens: 50,
		});
		assert.equal(calls[0]?.timeoutMs, 120_000);
		assert.deepEqual(output, {
			text: "Hi",
			usage: { input_tokens: 12, output_tokens: 3, total_tokens: 15 },
			model: "gpt-5-mini-2026",
			finish_reason: "stop",
		});
	});

	test("calls OpenAI by default, with its name for the token limit", async () => {
		const seen: unknown[] = [];
		const effects = {
			http: async (call: { url: string; body?: unknown }) => {
				seen.push([call.url, call.body]);
				return {
					status: 200,
					headers: {},
					body: new TextEncoder().encode(JSON.stringify(completion({}))),
					url: "",
				};
			},
		};
		await runForOutput(llmChat, { model: "m", prompt: "p", max_tokens: 9 }, { effects });
		const value = { model: "m", messages: [{ role: "user", content: "p" }], max_completion_tokens: 9 };
		assert.deepEqual(seen, [["https://api.openai.com/v1/chat/completions", { kind: "json", value }]]);
	});

	test("accepts a full endpoint URL and keeps its query", async () => {
		await using server = await serveJson(completion({ content: "" }));
		const base_url = `${server.url}/deployments/d/chat/completions?api-version=1`;
		await runForOutput(llmChat, { base_url, model: "m", prompt: "p" });
		assert.equal(server.seen[0]?.path, "/deployments/d/chat/completions?api-version=1");
	});

	test("requests an object of the schema, strict if possible, and returns it", async () => {
		await using server = await serveJson(completion({ content: '{"n": 3}' }));
		const params = { base_url: server.url, model: "m", prompt: "p" };
		const output = await runForOutput(llmChat, { ...params, schema: closed });
		assert.deepEqual((output as { json: unknown }).json, { n: 3 });
		const open = { type: "object", properties: { n: { type: "integer" } } };
		await runForOutput(llmChat, { ...params, schema: open });
		const formats = server.seen.map(({ body }) => JSON.parse(body).response_format);
		assert.deepEqual(formats, [
			{ type: "json_schema", json_schema: { name: "answer", schema: closed, strict: true } },
			{ type: "json_schema", json_schema: { name: "answer", schema: open, strict: false } },
		]);
	});

	test("uses a function call for models without structured output", async () => {
		const tool_calls = [{ id: "1", type: "function", function: { name: "answer", arguments: '{"n":3}' } }];
		await using server = await serveJson(
			completion({ content: null, tool_calls }, { finish_reason: "tool_calls" }),
		);
		const params = { base_url: server.url, model: "m", prompt: "p", schema: closed, schema_by: "tool" };
		const output = (await runForOutput(llmChat, params)) as { json: unknown; finish_reason: string };
		assert.deepEqual([output.json, output.finish_reason], [{ n: 3 }, "stop"]);
		const { tools, tool_choice } = JSON.parse(server.seen[0]?.body ?? "");
		const parameters = { name: "answer", description: "Gives the answer.", parameters: closed, strict: true };
		assert.deepEqual(tools, [{ type: "function", function: parameters }]);
		assert.deepEqual(tool_choice, { type: "function", function: { name: "answer" } });
	});

	test("accepts an object in a Markdown code block", async () => {
		await using server = await serveJson(completion({ content: '```json\n{"n": 3}\n```' }));
		const params = { base_url: server.url, model: "m", prompt: "p", schema: closed };
		assert.deepEqual(((await runForOutput(llmChat, params)) as { json: unknown }).json, { n: 3 });
	});

	test("returns null for tokens that the server does not report", async () => {
		const { usage: _, model: __, ...rest } = completion({ content: "x" });
		await using server = await serveJson(rest);
		const output = await runForOutput(llmChat, { base_url: server.url, model: "m", prompt: "p" });
		const usage = { input_tokens: null, output_tokens: null, total_tokens: null };
		assert.deepEqual(output, { text: "x", usage, model: "m", finish_reason: "stop" });
	});
});

describe("llm_chat with Anthropic", () => {
	test("sends a request as in Anthropic's documentation", async () => {
		await using server = await serveJson(
			message([
				{ type: "thinking", thinking: "hm" },
				{ type: "text", text: "Hi" },
				{ type: "text", text: "!" },
			]),
		);
		const { output } = await runOutbound(llmChat, {
			provider: "anthropic",
			base_url: server.url,
			model: "claude-sonnet-5",
			system: "Be brief.",
			messages: [
				{ role: "system", content: "And kind." },
				{
					role: "user",
					content: [
						{ type: "text", text: "See" },
						{ type: "image_url", image_url: { url: "data:image/PNG;base64,aGk=" } },
						{ type: "image_url", image_url: { url: "https://example.com/a.png" } },
					],
				},
			],
			temperature: 1,
			stop: ["END"],
		});
		const [seen] = server.seen;
		assert.equal(`${seen?.method} ${seen?.path}`, "POST /v1/messages");
		assert.equal(seen?.headers["anthropic-version"], "2023-06-01");
		assert.deepEqual(JSON.parse(seen?.body ?? ""), {
			model: "claude-sonnet-5",
			max_tokens: 4096,
			system: "Be brief.\n\nAnd kind.",
			messages: [
				{
					role: "user",
					content: [
						{ type: "text", text: "See" },
						{ type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
						{ type: "image", source: { type: "url", url: "https://example.com/a.png" } },
					],
				},
			],
			temperature: 1,
			stop_sequences: ["END"],
		});
		assert.deepEqual(output, {
			text: "Hi!",
			usage: { input_tokens: 12, output_tokens: 3, total_tokens: 15, cached_tokens: 2 },
			model: "claude-sonnet-5",
			finish_reason: "stop",
		});
	});

	test("is detected by its host, with or without the version in the path", async () => {
		const urls: string[] = [];
		const effects = {
			http: async (call: { url: string }) => {
				urls.push(call.url);
				return {
					status: 200,
					headers: {},
					body: new TextEncoder().encode(JSON.stringify(message([]))),
					url: "",
				};
			},
		};
		const ask = (params: object) =>
			runForOutput(llmChat, { model: "m", prompt: "p", ...params }, { effects });
		await ask({ provider: "anthropic" });
		await ask({ base_url: "https://api.anthropic.com/v1" });
		await ask({ base_url: "https://api.anthropic.com/v1/messages" });
		assert.deepEqual(new Set(urls), new Set(["https://api.anthropic.com/v1/messages"]));
	});

	test("requests an object of the schema, without the bounds that only we check", async () => {
		await using server = await serveJson(message([{ type: "text", text: '{"n":0}' }]));
		const schema = {
			type: "object",
			properties: {
				n: { type: "integer", minimum: 1 },
				minimum: { type: "array", items: { type: "object", properties: {} }, minItems: 2 },
			},
			required: ["n"],
		};
		const params = { provider: "anthropic", base_url: server.url, model: "m", prompt: "p", schema };
		const failure = await runForFailure(llmChat, { ...params, extra: { output_config: { effort: "low" } } });
		assert.match(failure.message, /^the model's answer does not match the schema: n: /);
		assert.ok(!(failure instanceof TerminalError));
		assert.deepEqual(JSON.parse(server.seen[0]?.body ?? "").output_config, {
			effort: "low",
			format: {
				type: "json_schema",
				schema: {
					type: "object",
					properties: {
						n: { type: "integer" },
						minimum: {
							type: "array",
							items: { type: "object", properties: {}, additionalProperties: false },
						},
					},
					required: ["n"],
					additionalProperties: false,
				},
			},
		});
	});

	test("uses a function call for older models", async () => {
		const called = message([{ type: "tool_use", id: "t", name: "answer", input: { n: 2 } }], {
			stop_reason: "tool_use",
		});
		await using server = await serveJson(called);
		const schema_by = "tool";
		const params = {
			provider: "anthropic",
			base_url: server.url,
			model: "m",
			prompt: "p",
			schema: closed,
			schema_by,
		};
		assert.deepEqual(((await runForOutput(llmChat, params)) as { json: unknown }).json, { n: 2 });
		const { tools, tool_choice } = JSON.parse(server.seen[0]?.body ?? "");
		assert.deepEqual(tools, [{ name: "answer", description: "Gives the answer.", input_schema: closed }]);
		assert.deepEqual(tool_choice, { type: "tool", name: "answer" });
	});
});

describe("llm_chat", () => {
	const ask = async (value: unknown, params = {}, status = 200) => {
		await using server = await serveJson(value, status);
		return await runForFailure(llmChat, {
			base_url: server.url,
			model: "m",
			prompt: "p",
			attempts: 1,
			...params,
		});
	};

	test("fails with the provider's message", async () => {
		const cases: [unknown, string][] = [
			[{ error: { message: "bad key", type: "x" } }, ": bad key"],
			[{ type: "error", error: { type: "invalid_request_error", message: "no" } }, ": no"],
			[{ error: "model not found" }, ": model not found"],
			[{ error: { message: "x".repeat(9999) } }, `: ${"x".repeat(500)}`],
			[{ detail: [{ loc: ["a"] }] }, ': {"detail":[{"loc":["a"]}]}'],
			["<html>", ': "<html>"'],
		];
		for (const [value, said] of cases) {
			const failure = await ask(value, {}, 401);
			assert.equal(failure.message, `the provider answered 401 Unauthorized${said}`);
			assert.ok(failure instanceof TerminalError);
		}
		assert.equal((await ask({ error: { message: "busy" } })).message, "the provider failed: busy");
	});

	test("retries if the provider is busy or failing", async () => {
		for (const status of [408, 429, 500, 503, 529]) {
			await using server = await openServer((_request, response, number) =>
				number === 1
					? sendJson(response, {}, status, { "retry-after": "3" })
					: sendJson(response, completion({ content: "Hi" })),
			);
			const { waits } = await runOutbound(llmChat, { base_url: server.url, model: "m", prompt: "p" });
			assert.deepEqual(waits, [3000]);
		}
	});

	test("fails without retry if the model refuses or the answer is filtered", async () => {
		const anthropic = { provider: "anthropic" };
		const cases: [Error, string][] = [
			[await ask(completion({ content: null, refusal: "I will not." })), "the model refused: I will not."],
			[
				await ask(completion({ content: "a" }, { finish_reason: "content_filter" })),
				"the provider's content filter stopped the answer",
			],
			[
				await ask(message([], { stop_reason: "refusal" }), anthropic),
				"the model refused: it did not say why",
			],
		];
		for (const [failure, text] of cases) {
			assert.equal(failure.message, text);
			assert.ok(failure instanceof TerminalError);
		}
	});

	test("fails if an object was cut off, and reports it for a text", async () => {
		const cut = completion({ content: '{"n":' }, { finish_reason: "length" });
		const failure = await ask(cut, { schema: closed });
		assert.equal(failure.message, "the answer was cut off before it was complete; raise max_tokens");
		await using server = await serveJson(
			message([{ type: "text", text: "a" }], { stop_reason: "max_tokens" }),
		);
		const params = { provider: "anthropic", base_url: server.url, model: "m", prompt: "p" };
		assert.equal(
			((await runForOutput(llmChat, params)) as { finish_reason: string }).finish_reason,
			"length",
		);
	});

	test("fails with a retryable error if the answer does not match the schema", async () => {
		for (const content of ["", "no", "[1]", '{"n":"1"}', '{"n":1,"m":2}', `{"n":${"[".repeat(99)}`]) {
			const failure = await ask(completion({ content }), { schema: closed });
			assert.match(
				failure.message,
				/^the model's answer (?:is not a JSON object|does not match the schema: )/,
			);
			assert.ok(!(failure instanceof TerminalError));
		}
	});

	test("fails with its own message on unintelligible responses", async () => {
		for (const value of [
			null,
			1,
			"x",
			[],
			{},
			{ choices: [] },
			{ choices: {} },
			{ choices: [{ message: null }] },
		]) {
			assert.match((await ask(value)).message, /^the provider's answer is not a model reply/);
		}
	});

	test("reads no more than 16 MiB", async () => {
		await using server = await openServer((_request, response) => response.end("x".repeat(17 * 1024 * 1024)));
		const failure = await runForFailure(llmChat, {
			base_url: server.url,
			model: "m",
			prompt: "p",
			attempts: 1,
		});
		assert.match(failure.message, /too large/);
	});

	test("rejects invalid parameters", () => {
		const base = { model: "m", prompt: "p" };
		const cases: [unknown, RegExp][] = [
			[{ model: "m" }, /^prompt or messages must be set/],
			[{ ...base, messages: [{ role: "user", content: "x" }] }, /^prompt or messages .* not both/],
			[{ model: "m", messages: [] }, /^messages/],
			[{ model: "m", messages: [{ role: "other", content: "x" }] }, /^messages.0.role/],
			[{ model: "m", messages: [{ role: "tool", content: "x" }] }, /^messages.0.tool_call_id is required/],
			[
				{
					model: "m",
					messages: [
						{ role: "system", content: [{ type: "image_url", image_url: { url: "https://example.com/a" } }] },
					],
				},
				/^messages.0.content can only be text for the role system/,
			],
			[{ model: "m", messages: [{ role: "user" }] }, /^messages.0.content is required/],
			[
				{ model: "m", messages: [{ role: "user", content: "x", tool_calls: [] }] },
				/^messages.0.tool_calls is only for the role assistant/,
			],
			[
				{ model: "m", messages: [{ role: "user", content: [{ type: "file", file: "a.pdf" }] }] },
				/^messages.0.content/,
			],
			[{ ...base, tool_choice: "auto" }, /^tool_choice must be auto, none, required or the name of one of/],
			[{ ...base, tools: [{ name: "a" }], tool_choice: "b" }, /^tool_choice must be/],
			[{ ...base, tools: [{ name: "a" }, { name: "a" }] }, /^tools.1.name is used twice/],
			[{ ...base, tools: [{ name: "auto" }] }, /^tools.0.name must not be auto/],
			[{ ...base, tools: [{ name: "a b" }] }, /^tools.0.name must have 1 to 64 letters/],
			[
				{ ...base, tools: [{ name: "a", parameters: { type: "array" } }] },
				/^tools.0.parameters must describe/,
			],
			[
				{ ...base, tools: [{ name: "answer" }], schema: { type: "object" }, schema_by: "tool" },
				/^tools must not have a tool named answer/,
			],
			[{ ...base, repair: 4 }, /^repair/],
			[
				{
					model: "m",
					messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "file:///a" } }] }],
				},
				/^messages.0.content/,
			],
			[
				{ ...base, schema: { type: "object", properties: { a: { pattern: "(a+)+$" } } } },
				/^schema must not use pattern/,
			],
			[{ ...base, schema: { type: "object", properties: { a: { $ref: "http://x" } } } }, /^schema \$ref/],
			[{ ...base, base_url: "ftp://x" }, /^base_url must start with/],
			[{ ...base, base_url: "http://[" }, /^base_url/],
			[{ ...base, temperature: 3 }, /^temperature/],
			[{ ...base, max_tokens: 0 }, /^max_tokens/],
		];
		for (const [params, problem] of cases) {
			const read = llmChat.params.safeParse(params);
			const found = read.success
				? []
				: read.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
			assert.match(found.join("\n"), problem, JSON.stringify(params));
		}
	});
});
