import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { anyCharacter } from "../../../../test/any-character.ts";
import { EventStream } from "../../src/event-stream.ts";
import { anthropic } from "../../src/llm/anthropic.ts";
import { startReply } from "../../src/llm/chat.ts";
import { gemini } from "../../src/llm/gemini.ts";
import { openai } from "../../src/llm/openai.ts";
import { llmChat } from "../../src/llm-chat.ts";
import { openServer, runForFailure, runForOutput } from "../outbound-effects.ts";

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: object, more = {}) =>
	data({ model: "m1", choices: [{ index: 0, delta, finish_reason: null, ...more }], usage: null });

const OPENAI = [
	": ping\n\n",
	chunk({ role: "assistant", content: "" }),
	chunk({ content: "tea é" }),
	chunk({ content: "🍵\n" }),
	chunk({}, { finish_reason: "stop" }),
	data({ model: "m1", choices: [], usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } }),
	"data: [DONE]\n\n",
].join("");

const event = (type: string, more: object) => `event: ${type}\r\n${data({ type, ...more })}`;
const ANTHROPIC = [
	event("message_start", {
		message: { model: "c1", content: [], usage: { input_tokens: 5, output_tokens: 1 } },
	}),
	event("content_block_start", { index: 0, content_block: { type: "thinking", thinking: "" } }),
	event("content_block_delta", { index: 0, delta: { type: "thinking_delta", thinking: "hm" } }),
	event("content_block_delta", { index: 0, delta: { type: "signature_delta", signature: "s" } }),
	event("content_block_stop", { index: 0 }),
	event("ping", {}),
	event("content_block_start", { index: 1, content_block: { type: "text", text: "" } }),
	event("content_block_delta", { index: 1, delta: { type: "text_delta", text: "tea é" } }),
	event("content_block_delta", { index: 1, delta: { type: "text_delta", text: "🍵\n" } }),
	event("content_block_stop", { index: 1 }),
	event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } }),
	event("message_stop", {}),
].join("");

const ask = async (base_url: string, params = {}) =>
	runForOutput(llmChat, { base_url, model: "m", prompt: "p", stream: true, attempts: 1, ...params });

/** Sends the stream in chunks that end at the given positions. */
const serveStream = (stream: string, cutsOf: (number: number) => readonly number[]) =>
	openServer(async (_request, response, number) => {
		const bytes = Buffer.from(stream);
		response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
		let start = 0;
		for (const cut of [...cutsOf(number), bytes.length]) {
			response.write(bytes.subarray(start, cut));
			start = cut;
			await new Promise(setImmediate);
		}
		response.end();
	});

const askForFailure = async (stream: string, params = {}) => {
	await using server = await serveStream(stream, () => []);
	return await runForFailure(llmChat, {
		base_url: server.url,
		model: "m",
		prompt: "p",
		stream: true,
		...params,
	});
};

describe("a streamed reply", () => {
	for (const [provider, stream, model] of [
		["openai", OPENAI, "m1"],
		["anthropic", ANTHROPIC, "c1"],
	] as const) {
		const expected = {
			text: "tea é🍵\n",
			usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
			model,
			finish_reason: "stop",
		};

		test(`of ${provider} does not depend on where it is split in two`, async () => {
			await using server = await serveStream(stream, (number) => [number]);
			for (let cut = 1; cut < Buffer.byteLength(stream); cut++) {
				assert.deepEqual(await ask(server.url, { provider }), expected);
			}
		});

		test(`of ${provider} does not depend on the size of its chunks`, async () => {
			const size = Buffer.byteLength(stream);
			const cuts = fc.uniqueArray(fc.integer({ min: 1, max: size - 1 }), { maxLength: 40 });
			let next: number[] = [];
			await using server = await serveStream(stream, () => next);
			await fc.assert(
				fc.asyncProperty(cuts, async (places) => {
					next = places.sort((a, b) => a - b);
					assert.deepEqual(await ask(server.url, { provider }), expected);
				}),
				{ numRuns: 30 },
			);
		});
	}

	test("is requested with usage and with its content type", async () => {
		await using server = await serveStream(OPENAI, () => []);
		await ask(server.url);
		const body = JSON.parse(server.seen[0]?.body ?? "");
		assert.deepEqual([body.stream, body.stream_options], [true, { include_usage: true }]);
		assert.equal(server.seen[0]?.headers.accept, "text/event-stream");
		await using other = await serveStream(ANTHROPIC, () => []);
		await ask(other.url, { provider: "anthropic" });
		const sent = JSON.parse(other.seen[0]?.body ?? "");
		assert.deepEqual([sent.stream, sent.stream_options], [true, undefined]);
	});

	test("joins a function's arguments", async () => {
		const schema = { type: "object", properties: { n: { type: "integer" } } };
		const piece = (text: string) => chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] });
		const stream = piece('{"n"') + piece(":4}") + chunk({}, { finish_reason: "tool_calls" });
		await using server = await serveStream(stream, () => []);
		const output = await ask(server.url, { schema, schema_by: "tool" });
		assert.deepEqual((output as { json: unknown }).json, { n: 4 });
		const part = (partial_json: string) =>
			event("content_block_delta", { delta: { type: "input_json_delta", partial_json } });
		const start = event("content_block_start", {
			content_block: { type: "tool_use", name: "answer", input: {} },
		});
		const messages = start + part("") + part('{"n"') + part(":4}") + event("message_stop", {});
		await using other = await serveStream(messages, () => []);
		const second = await ask(other.url, { schema, schema_by: "tool", provider: "anthropic" });
		assert.deepEqual((second as { json: unknown }).json, { n: 4 });
	});

	test("fails if it breaks off at any point", async () => {
		for (const part of [
			OPENAI.slice(0, 60),
			chunk({ content: "a" }),
			"",
			"data: {\n\n",
			": only a comment\n\n",
		]) {
			assert.equal((await askForFailure(part)).message, "the provider's answer broke off", part);
		}
		const half = ANTHROPIC.slice(0, ANTHROPIC.indexOf("message_delta") - 10);
		assert.equal(
			(await askForFailure(half, { provider: "anthropic" })).message,
			"the provider's answer broke off",
		);
	});

	test("fails with an error in the middle of the stream", async () => {
		const error = data({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } });
		const cut = ANTHROPIC.slice(0, ANTHROPIC.indexOf("event: ping"));
		assert.equal(
			(await askForFailure(`${cut}event: error\n${error}`, { provider: "anthropic" })).message,
			"the provider failed: Overloaded",
		);
		const second = chunk({ content: "a" }) + data({ error: { code: 502 } });
		assert.equal((await askForFailure(second)).message, "the provider failed: it did not say why");
	});

	test("accepts any events", () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				for (const provider of [openai, anthropic, gemini]) {
					const [streamed, whole] = [startReply(), startReply()];
					provider.add(value as never, streamed);
					provider.read(value as never, whole);
					for (const draft of [streamed, whole]) {
						assert.equal(typeof draft.text, "string");
						assert.ok(Array.isArray(provider.finish(draft).toolCalls));
					}
				}
			}),
		);
	});
});

function readEvents(pieces: readonly Uint8Array[]): string[] {
	const stream = new EventStream(100_000);
	return [...pieces.flatMap((piece) => stream.push(piece)), ...stream.end()];
}

describe("server-sent events", () => {
	test("accept every line ending", () => {
		const lines = fc.array(
			fc.string({ unit: anyCharacter }).map((text) => text.replace(/[\r\n]/g, "")),
			{ minLength: 1 },
		);
		const ends = fc.constantFrom("\n", "\r\n", "\r");
		fc.assert(
			fc.property(fc.array(lines), ends, (events, end) => {
				const stream = events
					.map((parts) => `event: x${end}${parts.map((part) => `data: ${part}${end}`).join("")}${end}`)
					.join("");
				const expected = events.map((parts) => parts.join("\n"));
				const bytes = Buffer.from(stream);
				assert.deepEqual(readEvents([bytes]), expected);
				// By byte, so that each pair of a line ending is split.
				assert.deepEqual(readEvents(Array.from(bytes, (byte) => Uint8Array.of(byte))), expected);
			}),
			{ numRuns: 40 },
		);
	});

	test("have fields, comments and data with or without a space", () => {
		assert.deepEqual(
			readEvents([Buffer.from("data:a\ndata:  b\n:c\nid: 1\nretry: 2\ndata\n\n\n\ndatax: y\n\ndata: z")]),
			["a\n b\n", "z"],
		);
		assert.deepEqual(readEvents([]), []);
	});
});
