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

const candidate = (parts: object[], more: object = {}): OutsideAnswer => ({
	json: {
		modelVersion: "g-x",
		candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }],
		usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3, thoughtsTokenCount: 2 },
		...more,
	},
});

/** The answer of the provider whose API was called. */
function pickAnswer<T>({ url }: OutsideRequest, openai: T, anthropic: T, gemini: T): T {
	if (url.endsWith("/messages")) return anthropic;
	return url.endsWith("/chat/completions") ? openai : gemini;
}

const PROVIDERS = ["openai", "anthropic", "gemini"] as const;

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
				usage: { input_tokens: 11, output_tokens: 4, total_tokens: 15, cached_tokens: 2 },
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
			const { url, seen } = openHost(world, (asked) =>
				pickAnswer(
					asked,
					completion({ content: text }),
					message([{ type: "text", text }]),
					candidate([{ text }]),
				),
			);
			for (const settings of [
				{ provider: "openai", base_url: `${url}/v1` },
				{ provider: "anthropic", base_url: url },
				{ provider: "gemini", base_url: url },
			]) {
				const { data } = await runOnce(world, chat({ ...settings, prompt: "?", schema: SCHEMA }));
				assert.deepEqual((data as { json: unknown }).json, MATCHING);
			}
			const [open, anthropic, gemini] = seen;
			assert.deepEqual(
				seen.map((sent) => sent.url),
				[`${url}/v1/chat/completions`, `${url}/v1/messages`, `${url}/v1beta/models/m-1:generateContent`],
			);
			assert.deepEqual(parseBody(gemini).generationConfig, {
				responseMimeType: "application/json",
				responseJsonSchema: SCHEMA,
			});
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
		name: "an answer may be a list, and the model is asked to mend one that does not match",
		cites: [],
		async run(world) {
			const texts = ['{"answer":[1,"two"]}', '{"answer":[1,2]}'];
			const { url, seen } = openHost(world, (asked) => {
				const text = texts[seen.length % 2 === 0 ? 1 : 0] as string;
				return pickAnswer(
					asked,
					completion({ content: text }),
					message([{ type: "text", text }]),
					candidate([{ text }]),
				);
			});
			const schema = { type: "array", items: { type: "integer" } };
			for (const provider of PROVIDERS) {
				const ask = {
					component: "llm_chat",
					model: "m-1",
					provider,
					base_url: url,
					prompt: "?",
					schema,
					repair: 1,
				};
				const total = { component: "aggregate", items: "{{ask.json}}", compute: { total: "sum(item)" } };
				const { data } = await runOnce(world, createRow({ ask, total }));
				assert.deepEqual(data, { total: 3 });
			}
			assert.equal(seen.length, 6);
			assert.match(seen[1]?.body ?? "", /Your answer does not match the schema: 1: /);
		},
	},
	{
		name: "llm_chat calls Gemini as documented",
		cites: [],
		async run(world) {
			const host = "generativelanguage.googleapis.com";
			const { seen } = openHost(
				world,
				() => candidate([{ text: "hm", thought: true }, { text: "Hello" }]),
				host,
			);
			await putCredential(world, "gemini", "gemini_key", { key: KEY });
			const settings = { system: "Be kind.", prompt: "Hi", max_tokens: 50, credential: "gemini" };
			const { data } = await runOnce(world, chat({ ...settings, base_url: `https://${host}` }));
			assert.deepEqual(data, {
				text: "Hello",
				usage: { input_tokens: 9, output_tokens: 5, total_tokens: 14 },
				model: "g-x",
				finish_reason: "stop",
			});
			const [sent] = seen;
			assert.deepEqual(
				[sent?.method, sent?.url],
				["POST", `https://${host}/v1beta/models/m-1:generateContent`],
			);
			assert.deepEqual(pickOwnHeaders(sent as OutsideRequest), {
				accept: "*/*",
				"content-type": "application/json",
				"user-agent": "Tripline",
				"x-goog-api-key": KEY,
			});
			assert.deepEqual(parseBody(sent), {
				systemInstruction: { parts: [{ text: "Be kind." }] },
				contents: [{ role: "user", parts: [{ text: "Hi" }] }],
				generationConfig: { maxOutputTokens: 50 },
			});
		},
	},
	{
		name: "llm_chat outputs the tool calls of every provider, and a conversation goes on with their results",
		cites: [],
		async run(world) {
			const args = { place: "Oslo" };
			const calls = ["a", "b"].map((id) => ({
				id,
				type: "function",
				function: { name: "get_weather", arguments: JSON.stringify(args) },
			}));
			const uses = ["a", "b"].map((id) => ({ type: "tool_use", id, name: "get_weather", input: args }));
			const thinking = { type: "thinking", thinking: "hm", signature: "signed" };
			const parts = ["a", "b"].map((id) => ({ functionCall: { id, name: "get_weather", args } }));
			const { url, seen } = openHost(world, (asked) => {
				const isFirst = seen.length % 2 === 1;
				const text = isFirst ? "Let me see." : "It rains.";
				return pickAnswer(
					asked,
					completion({ content: text, ...(isFirst && { tool_calls: calls }) }),
					message([...(isFirst ? [thinking] : []), { type: "text", text }, ...(isFirst ? uses : [])]),
					candidate([{ text, thoughtSignature: "signed" }, ...(isFirst ? parts : [])]),
				);
			});
			const shared = { component: "llm_chat", model: "m-1", base_url: url };
			const tools = [{ name: "get_weather", description: "The weather at a place" }];
			const result = (index: number, content: string, more = {}) => ({
				role: "tool",
				tool_call_id: `{{ask.tool_calls[${index}].id}}`,
				content,
				...more,
			});
			for (const provider of PROVIDERS) {
				const first = { ...shared, provider, prompt: "{{input.question}}", tools };
				const messages = [
					{ role: "user", content: "{{input.question}}" },
					"{{ask.message}}",
					result(0, "rain in {{ask.tool_calls[0].arguments.place}}"),
					result(1, "no such place", { is_error: true }),
				];
				const { data } = await runOnce(
					world,
					createRow({
						ask: first,
						answer: { ...shared, provider, messages, tools, tool_choice: "none" },
						both: { component: "set", values: { ask: "{{ask}}", answer: "{{answer.text}}" } },
					}),
					{ question: "Weather?" },
				);
				const { ask, answer } = data as { ask: { text: string; tool_calls: object[] }; answer: string };
				assert.deepEqual([ask.text, answer], ["Let me see.", "It rains."]);
				assert.deepEqual(
					ask.tool_calls,
					["a", "b"].map((id) => ({ id, name: "get_weather", arguments: args, is_json: true })),
				);
			}
			const [, openai, , anthropic, , gemini] = seen.map(parseBody);
			assert.deepEqual(openai.messages.slice(1), [
				{ role: "assistant", content: "Let me see.", tool_calls: calls },
				{ role: "tool", tool_call_id: "a", content: "rain in Oslo" },
				{ role: "tool", tool_call_id: "b", content: "no such place" },
			]);
			const toBlocks = (text: string) => [{ type: "text", text }];
			assert.deepEqual(anthropic.messages.slice(1), [
				{ role: "assistant", content: [thinking, ...toBlocks("Let me see."), ...uses] },
				{
					role: "user",
					content: [
						{ type: "tool_result", tool_use_id: "a", content: toBlocks("rain in Oslo") },
						{ type: "tool_result", tool_use_id: "b", content: toBlocks("no such place"), is_error: true },
					],
				},
			]);
			const toResponse = (id: string, response: object) => ({
				functionResponse: { id, name: "get_weather", response },
			});
			assert.deepEqual(gemini.contents.slice(1), [
				{ role: "model", parts: [{ text: "Let me see.", thoughtSignature: "signed" }, ...parts] },
				{
					role: "user",
					parts: [toResponse("a", { output: "rain in Oslo" }), toResponse("b", { error: "no such place" })],
				},
			]);
		},
	},
	{
		name: "llm_chat sends a file of the run to every provider",
		cites: [],
		async run(world) {
			const { url, seen } = openHost(world, (asked) =>
				pickAnswer(asked, completion({ content: "" }), message([]), candidate([])),
			);
			const base64 = btoa("%PDF-1.7 not really");
			const parts = [
				{ type: "text", text: "What is this?" },
				{ type: "file", file: "{{pdf}}" },
				{ type: "file", file: "{{notes}}" },
			];
			for (const provider of PROVIDERS) {
				await runOnce(
					world,
					createRow({
						pdf: { component: "make_file", name: "a.pdf", base64, type: "application/pdf" },
						notes: { component: "make_file", name: "notes.txt", text: "Tea at four." },
						ask: {
							component: "llm_chat",
							model: "m-1",
							provider,
							base_url: url,
							messages: [{ role: "user", content: parts }],
						},
					}),
				);
			}
			const [openai, anthropic, gemini] = seen.map(parseBody);
			const file = { filename: "a.pdf", file_data: `data:application/pdf;base64,${base64}` };
			const text = "notes.txt:\n\nTea at four.";
			assert.deepEqual(openai.messages[0].content.slice(1), [
				{ type: "file", file },
				{ type: "text", text },
			]);
			const source = { type: "base64", media_type: "application/pdf", data: base64 };
			assert.deepEqual(anthropic.messages[0].content.slice(1), [
				{ type: "document", source, title: "a.pdf" },
				{ type: "text", text },
			]);
			assert.deepEqual(gemini.contents[0].parts.slice(1), [
				{ inlineData: { mimeType: "application/pdf", data: base64 } },
				{ text },
			]);
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
		name: "llm_chat reads the streams of every provider, including the usage",
		cites: [],
		async run(world) {
			const { url, seen } = openHost(world, (asked) =>
				pickAnswer(
					asked,
					stream([
						{ model: "m-x", choices: [{ delta: { content: "Hel" } }] },
						{ choices: [{ delta: { content: "lo ü" }, finish_reason: "length" }] },
						{ choices: [], usage: { prompt_tokens: 5, completion_tokens: 8 } },
						"[DONE]",
					]),
					stream([
						{
							type: "message_start",
							message: { model: "claude-x", usage: { input_tokens: 5, output_tokens: 1 } },
						},
						{ type: "content_block_start", content_block: { type: "text", text: "" } },
						{ type: "content_block_delta", delta: { type: "text_delta", text: "Hel" } },
						{ type: "content_block_delta", delta: { type: "text_delta", text: "lo ü" } },
						{ type: "message_delta", delta: { stop_reason: "max_tokens" }, usage: { output_tokens: 8 } },
						{ type: "message_stop" },
					]),
					stream([
						{ modelVersion: "g-x", candidates: [{ content: { parts: [{ text: "Hel" }] } }] },
						{
							candidates: [{ content: { parts: [{ text: "lo ü" }] }, finishReason: "MAX_TOKENS" }],
							usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 8 },
						},
					]),
				),
			);
			const expected = {
				text: "Hello ü",
				usage: { input_tokens: 5, output_tokens: 8, total_tokens: 13 },
				finish_reason: "length",
			};
			for (const [provider, model] of [
				["openai", "m-x"],
				["anthropic", "claude-x"],
				["gemini", "g-x"],
			] as const) {
				const { data } = await runOnce(world, chat({ provider, base_url: url, prompt: "?", stream: true }));
				assert.deepEqual(data, { ...expected, model });
			}
			assert.deepEqual(parseBody(seen[0]).stream_options, { include_usage: true });
			assert.equal(seen[2]?.url, `${url}/v1beta/models/m-1:streamGenerateContent?alt=sse`);
			for (const sent of seen) assert.equal(sent.headers.accept, "text/event-stream");
			for (const sent of seen.slice(0, 2)) assert.equal(parseBody(sent).stream, true);
		},
	},
	{
		name: "whoever watches a run gets the text of a streamed answer as it is written",
		cites: [],
		async run(world) {
			const { url } = openHost(world, () =>
				stream([
					{ choices: [{ delta: { content: "Hel" } }] },
					{ choices: [{ delta: { content: "lo!" }, finish_reason: "stop" }] },
					"[DONE]",
				]),
			);
			const ask = { component: "llm_chat", model: "m-1", base_url: url, prompt: "?", stream: true };
			const document = { name: "talk", triplets: ["input >> then >> ask"], config: { ask } };
			const saved = await world.executor.call("POST", "/workflows", {
				body: { description: "Talks", version: "1", ...document },
			});
			assert.equal(saved.status, 201, JSON.stringify(saved.body));
			const headers = { accept: "text/event-stream" };
			const { body } = await world.executor.call("POST", "/workflows/talk/test", { body: {}, headers });
			const pieces = [...String(body).matchAll(/^event: text\ndata: (.*)$/gm)].map(([, data = ""]) =>
				JSON.parse(data),
			);
			assert.equal(pieces.map(({ text }) => text).join(""), "Hello!");
			assert.ok(pieces.every(({ id }) => id === "ask"));
			assert.match(String(body), /event: result\n/);
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
