import assert from "node:assert/strict";
import type { OutsideAnswer, OutsideRequest } from "../../outside.ts";
import type { Scenario, World } from "../../scenario.ts";
import { putCredential } from "./credential.ts";
import { openHost, pickOwnHeaders } from "./outside-host.ts";
import { onOwnService } from "./own-service.ts";
import { onSeeded } from "./seeded.ts";
import { createRow, failOnce, runOnce } from "./token-webhook.ts";

const KEY = "sk-test-of-the-models";

const chat = (settings: object) => createRow({ ask: { component: "llm_chat", model: "m-1", ...settings } });
const runForError = async (world: World, settings: object) =>
	(await failOnce(world, chat({ attempts: 1, ...settings }))).error;

const SCHEMA = {
	type: "object",
	properties: { intent: { enum: ["cancel", "other"] }, order: { type: "integer", minimum: 1 } },
	required: ["intent", "order"],
	additionalProperties: false,
};
const MATCHING = { intent: "cancel", order: 7 };

const completion = (message: object, more: object = {}): OutsideAnswer => ({
	json: {
		model: "m-1-2026",
		choices: [{ message: { role: "assistant", ...message }, finish_reason: "stop" }],
		usage: { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 },
		...more,
	},
});

const message = (content: object[], more: object = {}): OutsideAnswer => ({
	json: {
		type: "message",
		model: "claude-x",
		content,
		stop_reason: "end_turn",
		usage: { input_tokens: 9, output_tokens: 4, cache_read_input_tokens: 2 },
		...more,
	},
});

const stream = (events: readonly (object | string)[]): OutsideAnswer => ({
	headers: { "content-type": "text/event-stream; charset=utf-8" },
	body: events
		.map((event) =>
			typeof event === "string" ? `data: ${event}\n\n` : `data: ${JSON.stringify(event)}\r\n\r\n`,
		)
		.join(": keep-alive\n\n"),
});

const parseBody = (sent: OutsideRequest | undefined) => JSON.parse(sent?.body ?? "null");

const models: readonly Scenario[] = [
	{
		name: "llm_chat calls OpenAI as documented, and outputs text, usage, model and finish reason",
		cites: [],
		async run(world) {
			const { seen } = openHost(world, () => completion({ content: "Tea is ready." }), "api.openai.com");
			await putCredential(world, "openai", "openai_key", { token: KEY });
			const { data } = await runOnce(
				world,
				chat({
					system: "You translate.",
					prompt: "{{input.text}}",
					max_tokens: 50,
					temperature: 0.5,
					stop: ["END"],
					extra: { seed: 1 },
					credential: "openai",
				}),
				{ text: "Le thé est prêt." },
			);
			assert.deepEqual(data, {
				text: "Tea is ready.",
				usage: { input_tokens: 11, output_tokens: 3, total_tokens: 14 },
				model: "m-1-2026",
				finish_reason: "stop",
			});
			const [sent] = seen;
			assert.deepEqual([sent?.method, sent?.url], ["POST", "https://api.openai.com/v1/chat/completions"]);
			assert.deepEqual(pickOwnHeaders(sent as OutsideRequest), {
				accept: "*/*",
				authorization: `Bearer ${KEY}`,
				"content-type": "application/json",
				"user-agent": "Tripline",
			});
			assert.deepEqual(parseBody(sent), {
				seed: 1,
				model: "m-1",
				messages: [
					{ role: "system", content: "You translate." },
					{ role: "user", content: "Le thé est prêt." },
				],
				temperature: 0.5,
				stop: ["END"],
				max_completion_tokens: 50,
			});
		},
	},
	{
		name: "llm_chat calls Anthropic as documented",
		cites: [],
		async run(world) {
			const { seen } = openHost(
				world,
				() =>
					message([
						{ type: "thinking", thinking: "hm" },
						{ type: "text", text: "Hello" },
					]),
				"api.anthropic.com",
			);
			await putCredential(world, "anthropic", "anthropic_key", { key: KEY });
			const picture = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw==" } };
			const { data } = await runOnce(
				world,
				chat({
					provider: "anthropic",
					messages: [
						{ role: "system", content: "Be kind." },
						{ role: "user", content: [{ type: "text", text: "Hi" }, picture] },
					],
					credential: "anthropic",
				}),
			);
			assert.deepEqual(data, {
				text: "Hello",
				usage: { input_tokens: 11, output_tokens: 4, total_tokens: 15 },
				model: "claude-x",
				finish_reason: "stop",
			});
			const [sent] = seen;
			assert.deepEqual([sent?.method, sent?.url], ["POST", "https://api.anthropic.com/v1/messages"]);
			assert.deepEqual(pickOwnHeaders(sent as OutsideRequest), {
				accept: "*/*",
				"anthropic-version": "2023-06-01",
				"content-type": "application/json",
				"user-agent": "Tripline",
				"x-api-key": KEY,
			});
			assert.deepEqual(parseBody(sent), {
				model: "m-1",
				max_tokens: 4096,
				system: "Be kind.",
				messages: [
					{
						role: "user",
						content: [
							{ type: "text", text: "Hi" },
							{ type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw==" } },
						],
					},
				],
			});
		},
	},
	{
		name: "llm_chat with a schema requires the model to follow it and outputs the object",
		cites: [],
		async run(world) {
			const text = JSON.stringify(MATCHING);
			const { url, seen } = openHost(world, ({ url: asked }) =>
				asked.endsWith("/messages") ? message([{ type: "text", text }]) : completion({ content: text }),
			);
			for (const settings of [
				{ provider: "openai", base_url: `${url}/v1` },
				{ provider: "anthropic", base_url: url },
			]) {
				const { data } = await runOnce(world, chat({ ...settings, prompt: "?", schema: SCHEMA }));
				assert.deepEqual((data as { json: unknown }).json, MATCHING);
			}
			const [open, anthropic] = seen;
			assert.deepEqual([open?.url, anthropic?.url], [`${url}/v1/chat/completions`, `${url}/v1/messages`]);
			assert.deepEqual(parseBody(open).response_format, {
				type: "json_schema",
				json_schema: { name: "answer", schema: SCHEMA, strict: true },
			});
			const { order: _, ...properties } = SCHEMA.properties;
			assert.deepEqual(parseBody(anthropic).output_config, {
				format: {
					type: "json_schema",
					schema: { ...SCHEMA, properties: { ...properties, order: { type: "integer" } } },
				},
			});
		},
	},
	{
		name: "a schema can also be sent as a function that the model must call",
		cites: [],
		async run(world) {
			const calls = [{ type: "function", function: { name: "answer", arguments: JSON.stringify(MATCHING) } }];
			const { url, seen } = openHost(world, ({ url: asked }) =>
				asked.endsWith("/messages")
					? message([{ type: "tool_use", name: "answer", input: MATCHING }], { stop_reason: "tool_use" })
					: completion({ content: null, tool_calls: calls }),
			);
			for (const provider of ["openai", "anthropic"]) {
				const settings = { provider, base_url: url, prompt: "?", schema: SCHEMA, schema_by: "tool" };
				const { data } = await runOnce(world, chat(settings));
				assert.deepEqual((data as { json: unknown }).json, MATCHING);
			}
			assert.deepEqual(parseBody(seen[0]).tool_choice, { type: "function", function: { name: "answer" } });
			assert.deepEqual(parseBody(seen[1]).tool_choice, { type: "tool", name: "answer" });
		},
	},
	{
		name: "an answer that does not match the schema, a refusal and a truncated answer fail the node",
		cites: [],
		async run(world) {
			let answer: OutsideAnswer = {};
			const { url } = openHost(world, () => answer);
			const cut = [{ message: { content: '{"a"' }, finish_reason: "length" }];
			for (const [given, error] of [
				[completion({ content: '{"intent":"cancel","order":0}' }), /does not match the schema: order/],
				[completion({ content: "I think so" }), /is not a JSON object, which the schema requires/],
				[completion({ content: null, refusal: "I will not" }), /the model refused: I will not/],
				[completion({}, { choices: cut }), /cut off before it was complete; raise max_tokens/],
				[{ json: { error: { message: "overloaded" } } }, /the provider failed: overloaded/],
				[{ json: {} }, /not a model reply; are base_url and provider right\?/],
				[{ body: "<html>" }, /is not JSON; is base_url right\?/],
				[
					{ status: 401, json: { error: { message: "no such key" } } },
					/the provider answered 401 Unauthorized: no such key/,
				],
			] as const) {
				answer = given;
				const settings = { base_url: url, prompt: "?", schema: SCHEMA };
				assert.match((await runForError(world, settings)) ?? "", error);
			}
		},
	},
	{
		name: "llm_chat reads the streams of both providers, including the usage",
		cites: [],
		async run(world) {
			const { url, seen } = openHost(world, ({ url: asked }) =>
				asked.endsWith("/messages")
					? stream([
							{
								type: "message_start",
								message: { model: "claude-x", usage: { input_tokens: 5, output_tokens: 1 } },
							},
							{ type: "content_block_start", content_block: { type: "text", text: "" } },
							{ type: "content_block_delta", delta: { type: "text_delta", text: "Hel" } },
							{ type: "content_block_delta", delta: { type: "text_delta", text: "lo ü" } },
							{ type: "message_delta", delta: { stop_reason: "max_tokens" }, usage: { output_tokens: 8 } },
							{ type: "message_stop" },
						])
					: stream([
							{ model: "m-x", choices: [{ delta: { content: "Hel" } }] },
							{ choices: [{ delta: { content: "lo ü" }, finish_reason: "length" }] },
							{ choices: [], usage: { prompt_tokens: 5, completion_tokens: 8 } },
							"[DONE]",
						]),
			);
			const expected = {
				text: "Hello ü",
				usage: { input_tokens: 5, output_tokens: 8, total_tokens: 13 },
				finish_reason: "length",
			};
			for (const [provider, model] of [
				["openai", "m-x"],
				["anthropic", "claude-x"],
			] as const) {
				const { data } = await runOnce(world, chat({ provider, base_url: url, prompt: "?", stream: true }));
				assert.deepEqual(data, { ...expected, model });
			}
			assert.deepEqual(parseBody(seen[0]).stream_options, { include_usage: true });
			for (const sent of seen) {
				assert.deepEqual([parseBody(sent).stream, sent.headers.accept], [true, "text/event-stream"]);
			}
		},
	},
	{
		name: "an incomplete stream fails the node",
		cites: [],
		async run(world) {
			const { url } = openHost(world, () => stream([{ choices: [{ delta: { content: "Hel" } }] }]));
			const settings = { base_url: url, prompt: "?", stream: true };
			assert.equal(await runForError(world, settings), "ask: the provider's answer broke off");
		},
	},
	{
		name: "a request to a busy model is retried",
		cites: [],
		async run(world) {
			const headers = { "retry-after": "0" };
			const answers: OutsideAnswer[] = [
				{ status: 529, headers },
				{ status: 429, headers },
			];
			const { url, seen } = openHost(world, () => answers.shift() ?? completion({ content: "yes" }));
			const { data } = await runOnce(world, chat({ base_url: url, prompt: "?" }));
			assert.equal((data as { text: string }).text, "yes");
			assert.equal(seen.length, 3);
		},
	},
	{
		name: "embed outputs a vector for each text in order, and the usage",
		cites: [],
		async run(world) {
			const { host, url, seen } = openHost(world, () => ({
				json: {
					model: "e-1",
					data: [
						{ index: 1, embedding: [0.25, -1] },
						{ index: 0, embedding: [1, 0.5] },
					],
					usage: { prompt_tokens: 6, total_tokens: 6 },
				},
			}));
			await putCredential(world, "models", "openai_compatible", { host, token: KEY });
			const settings = { component: "embed", base_url: `${url}/v1`, model: "e", dimensions: 2 };
			const embed = createRow({ embed: { ...settings, input: "{{input.texts}}", credential: "models" } });
			const { data } = await runOnce(world, embed, { texts: ["green tea", "black tea"] });
			assert.deepEqual(data, {
				embeddings: [
					[1, 0.5],
					[0.25, -1],
				],
				model: "e-1",
				usage: { input_tokens: 6, total_tokens: 6 },
			});
			const [sent] = seen;
			assert.deepEqual(
				[sent?.method, sent?.url, sent?.headers.authorization],
				["POST", `${url}/v1/embeddings`, `Bearer ${KEY}`],
			);
			assert.deepEqual(parseBody(sent), {
				model: "e",
				input: ["green tea", "black tea"],
				encoding_format: "float",
				dimensions: 2,
			});
			const one = await failOnce(world, createRow({ embed: { ...settings, input: "tea" } }));
			assert.equal(one.error, "embed: the provider gave 2 vectors for 1 texts");
		},
	},
];

export const llm: readonly Scenario[] = models.map((each) => onOwnService(onSeeded(each)));
