import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { anthropic } from "../../src/llm/anthropic.ts";
import type { Provider } from "../../src/llm/chat.ts";
import { gemini } from "../../src/llm/gemini.ts";
import { openai } from "../../src/llm/openai.ts";
import { createReplyStream } from "../../src/llm/read-reply.ts";

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: object, more = {}) => data({ model: "m1", choices: [{ index: 0, delta, ...more }] });
const calls = (...tool_calls: object[]) => chunk({ tool_calls });
const event = (type: string, more: object) => `event: ${type}\r\n${data({ type, ...more })}`;
const block = (index: number, content_block: object, ...deltas: object[]) =>
	[
		event("content_block_start", { index, content_block }),
		...deltas.map((delta) => event("content_block_delta", { index, delta })),
		event("content_block_stop", { index }),
	].join("");
const candidate = (parts: object[], more = {}) =>
	data({ candidates: [{ content: { role: "model", parts }, ...more }] });

const EVENTS = { status: 200, headers: { "content-type": "text/event-stream" }, url: "" };

async function readStream(provider: Provider, pieces: readonly Uint8Array[], head = EVENTS) {
	const deltas: string[] = [];
	const stream = createReplyStream(provider, (text) => deltas.push(text));
	await stream.sink.take(
		head,
		(async function* () {
			yield* pieces;
		})(),
	);
	return { ...stream.reply(), deltas };
}

const readText = (provider: Provider, text: string) => readStream(provider, [Buffer.from(text)]);

const call = (id: string, name: string, args: unknown) => ({ id, name, arguments: args, is_json: true });

const OPENAI = [
	chunk({ role: "assistant", content: null, reasoning_content: "hm " }),
	chunk({ reasoning_content: "é" }),
	chunk({ content: "Let me " }),
	chunk({ content: "see 🍵" }),
	calls({ index: 0, id: "a", type: "function", function: { name: "get", arguments: "" } }),
	calls({ index: 1, id: "b", type: "function", function: { name: "put", arguments: '{"x' } }),
	calls({ index: 0, function: { arguments: '{"é":' } }),
	calls({ index: 0, function: { arguments: '"🍵"}' } }, { index: 1, function: { arguments: '":1}' } }),
	chunk({}, { finish_reason: "tool_calls" }),
	data({
		choices: [],
		usage: { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 3 } },
	}),
	"data: [DONE]\n\n",
].join("");

const ANTHROPIC = [
	event("message_start", {
		message: { model: "c1", usage: { input_tokens: 6, cache_read_input_tokens: 3, output_tokens: 1 } },
	}),
	block(
		0,
		{ type: "thinking", thinking: "", signature: "" },
		{ type: "thinking_delta", thinking: "hm" },
		{ type: "signature_delta", signature: "sig" },
	),
	block(
		1,
		{ type: "text", text: "" },
		{ type: "text_delta", text: "Let me " },
		{ type: "text_delta", text: "see 🍵" },
	),
	block(
		2,
		{ type: "tool_use", id: "a", name: "get", input: {} },
		{ type: "input_json_delta", partial_json: '{"é":' },
		{ type: "input_json_delta", partial_json: '"🍵"}' },
	),
	block(
		3,
		{ type: "tool_use", id: "b", name: "put", input: {} },
		{ type: "input_json_delta", partial_json: '{"x":1}' },
	),
	event("message_delta", { delta: { stop_reason: "tool_use" }, usage: { output_tokens: 4 } }),
	event("message_stop", {}),
].join("");

const GEMINI = [
	candidate([{ text: "hm", thought: true }]),
	candidate([{ text: "Let me " }]),
	candidate([{ text: "see 🍵" }]),
	candidate([
		{ functionCall: { id: "a", name: "get", args: { é: "🍵" } }, thoughtSignature: "sig" },
		{ functionCall: { id: "b", name: "put", args: { x: 1 } } },
	]),
	data({
		candidates: [{ content: { parts: [{ text: "" }] }, finishReason: "STOP" }],
		usageMetadata: {
			promptTokenCount: 9,
			candidatesTokenCount: 3,
			thoughtsTokenCount: 1,
			cachedContentTokenCount: 3,
		},
		modelVersion: "g1",
	}),
].join("");

const toolCalls = [call("a", "get", { é: "🍵" }), call("b", "put", { x: 1 })];
const expected = {
	text: "Let me see 🍵",
	refusal: "",
	finishReason: "stop",
	inputTokens: 9,
	outputTokens: 4,
	cachedTokens: 3,
	toolCalls,
	deltas: ["Let me ", "see 🍵"],
};

const STREAMS = [
	["openai", openai, OPENAI, { model: "m1", providerData: { openai: { reasoning_content: "hm é" } } }],
	[
		"anthropic",
		anthropic,
		ANTHROPIC,
		{
			model: "c1",
			providerData: {
				anthropic: [
					{ type: "thinking", thinking: "hm", signature: "sig" },
					{ type: "text", text: "Let me see 🍵" },
					{ type: "tool_use", id: "a", name: "get", input: { é: "🍵" } },
					{ type: "tool_use", id: "b", name: "put", input: { x: 1 } },
				],
			},
		},
	],
	[
		"gemini",
		gemini,
		GEMINI,
		{
			model: "g1",
			providerData: {
				gemini: [
					{ text: "Let me see 🍵" },
					{ functionCall: { id: "a", name: "get", args: { é: "🍵" } }, thoughtSignature: "sig" },
					{ functionCall: { id: "b", name: "put", args: { x: 1 } } },
					{ text: "" },
				],
			},
		},
	],
] as const;

describe("a stream with text and parallel tool calls", () => {
	for (const [name, provider, stream, own] of STREAMS) {
		const bytes = Buffer.from(stream);

		test(`of ${name} gives the same reply wherever it is split in two`, async () => {
			for (let cut = 0; cut <= bytes.length; cut++) {
				assert.deepEqual(await readStream(provider, [bytes.subarray(0, cut), bytes.subarray(cut)]), {
					...expected,
					...own,
				});
			}
		});

		test(`of ${name} gives the same reply for any chunks`, async () => {
			const cuts = fc.uniqueArray(fc.integer({ min: 0, max: bytes.length }), { maxLength: 400 });
			await fc.assert(
				fc.asyncProperty(cuts, async (places) => {
					const ends = [...places.sort((a, b) => a - b), bytes.length];
					const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
					assert.deepEqual(await readStream(provider, pieces), { ...expected, ...own });
				}),
				{ numRuns: 100 },
			);
		});

		test(`of ${name} that breaks off anywhere before the end fails`, async () => {
			const end = stream.search(/"(?:finish_reason|stop_reason|finishReason)"/);
			for (let cut = 0; cut < end; cut += 7) {
				await assert.rejects(
					readText(provider, stream.slice(0, cut)),
					/^Error: the provider's answer broke off$/,
				);
			}
		});
	}

	test("passes text on before the next chunk is read", async () => {
		const seen: string[] = [];
		const stream = createReplyStream(openai, (text) => seen.push(text));
		await stream.sink.take(
			EVENTS,
			(async function* () {
				assert.equal(stream.hasPassedOn(), false);
				yield Buffer.from(chunk({ content: "a" }));
				assert.deepEqual([seen, stream.hasPassedOn()], [["a"], true]);
				yield Buffer.from(chunk({ content: "b" }, { finish_reason: "stop" }));
				assert.deepEqual(seen, ["a", "b"]);
			})(),
		);
		assert.equal(stream.reply().text, "ab");
	});

	test("ignores what follows the end", async () => {
		const late = await readText(openai, `${OPENAI}data: {\n\n${chunk({ content: "late" })}`);
		assert.equal(late.text, expected.text);
	});
});

describe("tool calls of servers that differ from OpenAI", () => {
	const STOP = chunk({}, { finish_reason: "stop" });
	const read = async (...parts: string[]) => (await readText(openai, parts.join("") + STOP)).toolCalls;
	const withoutIds = (list: readonly { id: string }[]) => list.map(({ id: _, ...rest }) => rest);

	test("may have arguments as objects, and no ids", async () => {
		const list = await read(
			calls({ function: { name: "get", arguments: { a: 1 } } }),
			calls({ function: { name: "put", arguments: { b: 2 } } }, { function: { name: "end" } }),
		);
		assert.deepEqual(withoutIds(list), [
			{ name: "get", arguments: { a: 1 }, is_json: true },
			{ name: "put", arguments: { b: 2 }, is_json: true },
			{ name: "end", arguments: {}, is_json: true },
		]);
		assert.equal(new Set(list.map(({ id }) => id)).size, 3);
		for (const { id } of list) assert.match(id, /^[0-9a-f]{9}$/);
	});

	test("may have no index", async () => {
		const list = await read(
			calls({ id: "a", function: { name: "get", arguments: '{"a"' } }),
			calls({ function: { arguments: ":1}" } }),
			calls({ id: "b", function: { name: "put", arguments: '{"b"' } }),
			calls({ id: "b", function: { arguments: ":2}" } }),
		);
		assert.deepEqual(list, [call("a", "get", { a: 1 }), call("b", "put", { b: 2 })]);
	});

	test("may all have the index 0", async () => {
		const list = await read(
			calls({ index: 0, id: "a", function: { name: "get", arguments: '{"a":1}' } }),
			calls({ index: 0, id: "b", function: { name: "put", arguments: '{"b":2}' } }),
		);
		assert.deepEqual(list, [call("a", "get", { a: 1 }), call("b", "put", { b: 2 })]);
	});

	test("may get a new id with each piece", async () => {
		const list = await read(
			calls({ index: 0, id: "a", function: { name: "get", arguments: '{"a":{' } }),
			calls({ index: 0, id: "b", function: { name: "get", arguments: "}}" } }),
		);
		assert.deepEqual(list, [call("a", "get", { a: {} })]);
	});

	test("may share one id", async () => {
		const message = {
			tool_calls: ["get", "put"].map((name) => ({ id: "call", function: { name, arguments: "{}" } })),
		};
		const body = Buffer.from(JSON.stringify({ choices: [{ message, finish_reason: "stop" }] }));
		const head = { ...EVENTS, headers: { "content-type": "application/json" } };
		const { toolCalls: list } = await readStream(openai, [body.subarray(0, 20), body.subarray(20)], head);
		assert.deepEqual(
			list.map(({ name }) => name),
			["get", "put"],
		);
		assert.equal(new Set(list.map(({ id }) => id)).size, 2);
	});

	test("keep arguments that are not JSON as text", async () => {
		const texts = ['{"a":', "nonsense", "[".repeat(100) + "]".repeat(100)];
		for (const text of texts) {
			const [only] = await read(calls({ index: 0, id: "a", function: { name: "get", arguments: text } }));
			assert.deepEqual(only, { id: "a", name: "get", arguments: text, is_json: false });
		}
		const [twice] = await read(
			calls({ index: 0, id: "a", function: { name: "get", arguments: JSON.stringify('{"a":1}') } }),
		);
		assert.deepEqual(twice, call("a", "get", { a: 1 }));
		const [empty] = await read(calls({ index: 0, id: "a", function: { name: "get", arguments: " " } }));
		assert.deepEqual(empty, call("a", "get", {}));
	});
});

describe("a hostile stream", () => {
	test("has at most 128 tool calls and 1,000 parts", async () => {
		const many = (count: number) =>
			Array.from({ length: count }, (_, index) => calls({ index, function: { name: "get" } })).join("");
		const stop = chunk({}, { finish_reason: "stop" });
		assert.equal((await readText(openai, many(128) + stop)).toolCalls.length, 128);
		await assert.rejects(readText(openai, many(129) + stop), /more than 128 tool calls at once/);
		await assert.rejects(readText(openai, many(1_001) + stop), /more than 1000 parts/);
	});

	test("is read up to 16 MiB", async () => {
		const piece = Buffer.from(`: ${"x".repeat(1024 * 1024)}\n\n`);
		let sent = 0;
		const stream = createReplyStream(openai, undefined);
		await stream.sink.take(
			EVENTS,
			(async function* () {
				for (;;) {
					sent++;
					yield piece;
				}
			})(),
		);
		assert.throws(() => stream.reply(), /more than 16 MiB/);
		assert.equal(sent, 16);
	});

	test("in tiny pieces of one long line takes time in proportion to its length", async () => {
		const measure = async (count: number) => {
			const start = performance.now();
			const piece = Buffer.from(
				chunk({ tool_calls: [{ index: 0, id: "x", function: { name: "n", arguments: "{" } }] }),
			);
			const other = Buffer.from(
				chunk({ tool_calls: [{ index: 0, id: "y", function: { name: "n", arguments: "{" } }] }),
			);
			const pieces = Array.from({ length: count }, (_, index) => (index % 2 === 0 ? piece : other));
			await readStream(openai, [...pieces, Buffer.from(chunk({}, { finish_reason: "stop" }))]);
			return performance.now() - start;
		};
		await measure(1_000);
		const [short, long] = [await measure(2_000), await measure(20_000)];
		assert.ok(long < 60 * Math.max(short, 5), `${short} ms, ${long} ms`);
	});

	test("with parts of any kind gives a reply or an error of its own", async () => {
		const words = [
			"choices",
			"delta",
			"message",
			"tool_calls",
			"function",
			"arguments",
			"content",
			"candidates",
			"parts",
		];
		const { tree } = fc.letrec((tie) => ({
			tree: fc.oneof(
				{ maxDepth: 6 },
				fc.constantFrom(null, 0, 1, "", "x", "STOP", "text", "tool_use"),
				fc.array(tie("tree"), { maxLength: 3 }),
				fc.dictionary(
					fc.constantFrom(
						...words,
						"index",
						"id",
						"name",
						"type",
						"text",
						"content_block",
						"functionCall",
						"__proto__",
					),
					tie("tree"),
					{ maxKeys: 5 },
				),
			),
		}));
		await fc.assert(
			fc.asyncProperty(fc.array(tree, { maxLength: 6 }), async (events) => {
				for (const provider of [openai, anthropic, gemini]) {
					const reply = await readText(provider, events.map(data).join("")).catch((error: Error) => error);
					if (reply instanceof Error) assert.match(reply.message, /^the (?:provider|model)/);
					else assert.equal(reply.deltas.join(""), reply.text);
				}
			}),
			{ numRuns: 300 },
		);
	});
});
