import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TerminalError } from "@tripline/engine/terminal-error";
import { llmChat } from "../../src/llm-chat.ts";
import type { OutboundCall } from "../../src/outbound/call.ts";
import { runForFailure, runOutbound } from "../outbound-effects.ts";

const ANSWER = {
	candidates: [{ content: { role: "model", parts: [{ text: "Hi" }, { text: "!" }] }, finishReason: "STOP" }],
	usageMetadata: {
		promptTokenCount: 10,
		candidatesTokenCount: 3,
		thoughtsTokenCount: 4,
		totalTokenCount: 17,
	},
	modelVersion: "gemini-3.5-flash-001",
};

function setting(answer: object) {
	const calls: OutboundCall[] = [];
	const http = async (call: OutboundCall) => {
		calls.push(call);
		const body = Buffer.from(JSON.stringify(answer));
		const head = { status: 200, headers: { "content-type": "application/json" }, url: "" };
		await call.sink?.take(
			head,
			(async function* () {
				yield body;
			})(),
		);
		return { ...head, body };
	};
	return { calls, effects: { http } };
}

const ask = async (params: object, answer: object = ANSWER) => {
	const { calls, effects } = setting(answer);
	const { output } = await runOutbound(
		llmChat,
		{ model: "gemini-3.5-flash", prompt: "p", ...params },
		{ effects },
	);
	const [call] = calls as [OutboundCall];
	return { output, url: call.url, body: (call.body as { value: unknown }).value };
};

describe("llm_chat with Gemini", () => {
	test("sends a request as in Google's documentation", async () => {
		const { output, url, body } = await ask({
			provider: "gemini",
			prompt: undefined,
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
				{ role: "assistant", content: "Yes?" },
				{ role: "user", content: "Well?" },
			],
			temperature: 0,
			max_tokens: 50,
			stop: ["END"],
			extra: { safetySettings: [], generationConfig: { topK: 1, temperature: 1 } },
		});
		assert.equal(
			url,
			"https://generativelanguage.googleapis.com/v1beta/models/gemini-3.5-flash:generateContent",
		);
		assert.deepEqual(body, {
			safetySettings: [],
			systemInstruction: { parts: [{ text: "Be brief." }, { text: "And kind." }] },
			contents: [
				{
					role: "user",
					parts: [
						{ text: "See" },
						{ inlineData: { mimeType: "image/png", data: "aGk=" } },
						{ fileData: { fileUri: "https://example.com/a.png" } },
					],
				},
				{ role: "model", parts: [{ text: "Yes?" }] },
				{ role: "user", parts: [{ text: "Well?" }] },
			],
			generationConfig: { topK: 1, temperature: 0, maxOutputTokens: 50, stopSequences: ["END"] },
		});
		assert.deepEqual(output, {
			text: "Hi!",
			usage: { input_tokens: 10, output_tokens: 7, total_tokens: 17 },
			model: "gemini-3.5-flash-001",
			finish_reason: "stop",
		});
	});

	test("is derived from the host, except for its address in OpenAI's format", async () => {
		const google = "https://generativelanguage.googleapis.com";
		const v1beta = `${google}/v1beta/models/gemini-3.5-flash`;
		for (const [params, expected] of [
			[{ base_url: google }, `${v1beta}:generateContent`],
			[{ base_url: `${google}/v1beta/` }, `${v1beta}:generateContent`],
			[{ base_url: `${google}/v1beta`, stream: true }, `${v1beta}:streamGenerateContent?alt=sse`],
			[{ provider: "gemini", model: "models/gemini-3.5-flash" }, `${v1beta}:generateContent`],
			[{ provider: "gemini", model: "a b?c" }, `${google}/v1beta/models/a%20b%3Fc:generateContent`],
			[
				{ provider: "gemini", base_url: "https://aiplatform.googleapis.com/v1/publishers/google" },
				"https://aiplatform.googleapis.com/v1/publishers/google/models/gemini-3.5-flash:generateContent",
			],
		] as const) {
			assert.equal((await ask(params)).url, expected);
		}
		const { url } = await ask(
			{ base_url: `${google}/v1beta/openai/` },
			{ choices: [{ message: { content: "" }, finish_reason: "stop" }] },
		);
		assert.equal(url, `${google}/v1beta/openai/chat/completions`);
	});

	test("gets a schema with the keywords that it knows", async () => {
		const schema = {
			type: "object",
			properties: {
				kind: { const: "a" },
				pattern: { type: "string", minLength: 1 },
				numbers: { type: "array", items: { type: "number", exclusiveMinimum: 0, maximum: 9 }, maxItems: 3 },
			},
			required: ["kind"],
			additionalProperties: false,
		};
		const text = '{"kind":"a"}';
		const answer = { candidates: [{ content: { parts: [{ text }] }, finishReason: "STOP" }] };
		const { body, output } = await ask({ provider: "gemini", schema }, answer);
		assert.deepEqual((output as { json: unknown }).json, { kind: "a" });
		assert.deepEqual((body as { generationConfig: unknown }).generationConfig, {
			responseMimeType: "application/json",
			responseJsonSchema: {
				type: "object",
				properties: {
					kind: { enum: ["a"] },
					pattern: { type: "string" },
					numbers: { type: "array", items: { type: "number", maximum: 9 }, maxItems: 3 },
				},
				required: ["kind"],
				additionalProperties: false,
			},
		});
	});

	test("fails if its filter stops the prompt or the answer", async () => {
		for (const answer of [
			{ promptFeedback: { blockReason: "SAFETY" } },
			{ candidates: [{ finishReason: "PROHIBITED_CONTENT" }] },
		]) {
			const params = { provider: "gemini", model: "m", prompt: "p", attempts: 1 };
			const failure = await runForFailure(llmChat, params, setting(answer));
			assert.ok(failure instanceof TerminalError);
			assert.equal(failure.message, "the provider's content filter stopped the answer");
		}
	});

	test("reports an answer that was cut off, and reasons of its own", async () => {
		for (const [reason, expected] of [
			["MAX_TOKENS", "length"],
			["LANGUAGE", "language"],
		] as const) {
			const { output } = await ask({ provider: "gemini" }, { candidates: [{ finishReason: reason }] });
			assert.equal((output as { finish_reason: string }).finish_reason, expected);
		}
	});
});
