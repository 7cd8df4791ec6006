import assert from "node:assert/strict";
import {
	ChatConversation,
	ChatConversationList,
	ChatLink,
	ChatSettings,
	DeletedChatConversation,
} from "@tripline/contract/chat";
import { ConversationPage } from "@tripline/contract/conversations";
import type { FileValue } from "@tripline/contract/files";
import type { Diagnostic } from "@tripline/contract/workflows";
import OpenAI, {
	APIError,
	AuthenticationError,
	BadRequestError,
	NotFoundError,
	RateLimitError,
} from "openai";
import type { OutsideAnswer } from "../../outside.ts";
import type { Scenario, World } from "../../scenario.ts";
import { openHost } from "./outside-host.ts";
import { call, webhook } from "./public-calls.ts";
import { createWorkflow, fails, save, says, trigger } from "./saving.ts";
import { buildParts } from "./uploads.ts";
import { withSettings } from "./with-settings.ts";

const TOKEN = "the-access-token-of-the-service-4711";

export const chat = (keys: object = {}) => webhook({ chat: keys });

/** An OpenAI client whose key is the namespace, as on a service that only its owner reaches. */
export const connect = (world: World, apiKey: string = world.owner) =>
	new OpenAI({ apiKey, baseURL: `${world.target.publicUrl}/v1`, maxRetries: 0 });

const stream = (...pieces: readonly string[]): OutsideAnswer => ({
	headers: { "content-type": "text/event-stream" },
	body: [
		...pieces.map((content) => JSON.stringify({ model: "m", choices: [{ delta: { content } }] })),
		JSON.stringify({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 3 } }),
		"[DONE]",
	]
		.map((data) => `data: ${data}\n\n`)
		.join(""),
});

const saveModel = (world: World, url: string, keys: object = {}, settings: object = {}) =>
	save(
		world,
		createWorkflow(
			"helper",
			{
				...{ component: "llm_chat", base_url: url, model: "m", stream: true },
				...{ system: "Be brief.", messages: "{{input.messages}}", ...settings },
			},
			chat(keys),
		),
	);

interface ChatEvent {
	readonly event: string;
	readonly data: { conversation: string; text: string; error: string; status: string };
}

/** Sends a message to the page's API, and returns the events. */
export async function say(world: World, name: string, body: object, token?: string): Promise<ChatEvent[]> {
	const answer = await world.anyone.call("POST", `/chat/${world.owner}/${name}/messages`, {
		body,
		headers: bearer(token),
	});
	assert.equal(answer.status, 200, JSON.stringify(answer.body));
	return parseEvents(String(answer.body));
}

const parseEvents = (body: string): ChatEvent[] =>
	[...body.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, event = "", data = ""]) => ({
		event,
		data: JSON.parse(data),
	}));

const bearer = (token: string | undefined): Record<string, string> =>
	token === undefined ? {} : { authorization: `Bearer ${token}` };

const joinText = (events: readonly ChatEvent[]) =>
	events
		.filter(({ event }) => event === "text")
		.map(({ data }) => data.text)
		.join("");

async function makeLink(world: World, name: string, body?: object) {
	const made = await world.executor.expect(200, ChatLink, "POST", `/workflows/${name}/chat-links`, { body });
	const url = new URL(made.url);
	return { ...made, path: url.pathname, token: url.hash.slice(1) };
}

export const PUBLIC = { access: "public", daily_tokens: 100_000 };

const completions: readonly Scenario[] = [
	{
		name: "OpenAI's client talks to a workflow, streamed and as a whole, with the tokens that it used",
		cites: [],
		async run(world) {
			const { url, seen } = openHost(world, () => stream("Hel", "lo!"));
			await saveModel(world, url);
			const client = connect(world);
			const { data: models } = await client.models.list();
			assert.deepEqual(
				models.map(({ id, object, owned_by }) => [id, object, owned_by]),
				[["helper", "model", world.owner]],
			);
			const messages = [
				{ role: "system" as const, content: "You sell tea." },
				{ role: "user" as const, content: "Hi" },
			];
			const whole = await client.chat.completions.create({ model: "helper", messages, temperature: 0.5 });
			assert.match(whole.id, /^chatcmpl-/);
			assert.deepEqual(whole.choices, [
				{
					index: 0,
					message: { role: "assistant", content: "Hello!", refusal: null },
					logprobs: null,
					finish_reason: "stop",
				},
			]);
			assert.deepEqual(whole.usage, { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 });
			assert.deepEqual(JSON.parse(seen[0]?.body ?? "").messages, [
				{ role: "system", content: "Be brief." },
				...messages,
			]);

			const chunks = await Array.fromAsync(
				await client.chat.completions.create({
					...{ model: "helper", messages, stream: true as const },
					stream_options: { include_usage: true },
				}),
			);
			assert.equal(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join(""), "Hello!");
			assert.equal(chunks[0]?.choices[0]?.delta.role, "assistant");
			assert.equal(chunks.at(-2)?.choices[0]?.finish_reason, "stop");
			assert.deepEqual(chunks.at(-1)?.usage, { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 });
			assert.equal(new Set(chunks.map(({ id }) => id)).size, 1);
			const helped = client.chat.completions.stream({ model: "helper", messages });
			assert.equal(await helped.finalContent(), "Hello!");
		},
	},
	{
		name: "OpenAI's client sends pictures and files, and a workflow without a model answers",
		cites: [],
		async run(world) {
			const only = { component: "parse", format: "csv", file: "{{input.files[0]}}" };
			await save(world, {
				...createWorkflow("rows", only, chat()),
				result: "{{input.message}} {{only[0].tea}} {{input.messages[0].content[1].image_url.url}}",
			});
			const picture = "data:image/png;base64,iVBORw0KGgo=";
			const file_data = `data:text/csv;base64,${Buffer.from("tea\noolong\n").toString("base64")}`;
			const { choices, usage } = await connect(world).chat.completions.create({
				model: "rows",
				messages: [
					{
						role: "user",
						content: [
							{ type: "text", text: "Read" },
							{ type: "image_url", image_url: { url: picture } },
							{ type: "file", file: { filename: "tea.csv", file_data } },
						],
					},
				],
			});
			assert.equal(choices[0]?.message.content, `Read oolong ${picture}`);
			assert.equal(usage, undefined);
		},
	},
	{
		name: "OpenAI's client gets refusals as it expects them",
		cites: [],
		async run(world) {
			await save(world, says("plain", "not a chat"));
			await save(world, fails("broken", "out of tea", chat()));
			const client = connect(world);
			const ask = (model: string, more: object = {}) =>
				client.chat.completions.create({ model, messages: [{ role: "user", content: "Hi" }], ...more });
			for (const name of ["plain", "none"]) {
				await assert.rejects(ask(name), (error) => {
					assert.ok(error instanceof NotFoundError);
					assert.deepEqual(
						[error.code, error.param, error.type],
						["model_not_found", "model", "invalid_request_error"],
					);
					return true;
				});
			}
			await assert.rejects(connect(world, "not a key!").models.list(), (error) => {
				assert.ok(error instanceof AuthenticationError);
				assert.equal(error.code, "invalid_api_key");
				return true;
			});
			for (const wrong of [
				{ n: 2 },
				{ messages: [] },
				{ tools: [{ type: "function" }] },
				{ messages: [{ role: "tool" }] },
			])
				await assert.rejects(ask("broken", wrong), BadRequestError);
			const withFile = [{ role: "user", content: [{ type: "file", file: { file_data: "no data URL" } }] }];
			await assert.rejects(ask("broken", { messages: withFile }), /file_data must be a data URL/);
			await assert.rejects(ask("broken"), (error) => {
				assert.ok(error instanceof APIError);
				assert.equal(error.status, 500);
				assert.match(error.message, /out of tea/);
				assert.equal(error.headers?.get("x-should-retry"), "false");
				return true;
			});
			const streamed = await client.chat.completions.create({
				model: "broken",
				messages: [{ role: "user", content: "Hi" }],
				stream: true,
			});
			await assert.rejects(Array.fromAsync(streamed), /out of tea/);
			const malformed = await world.anyone.call("POST", "/v1/chat/completions", {
				raw: "{",
				headers: bearer(world.owner),
			});
			assert.equal(malformed.status, 400);
			assert.equal((malformed.body as { error: { type: string } }).error.type, "invalid_request_error");
		},
	},
	{
		name: "with an access token the API key is that token, and no other is taken",
		cites: [],
		run: (world) =>
			withSettings(world, { SERVICE_ACCESS_TOKEN: TOKEN }, async () => {
				for (const key of ["default", "wrong", world.owner])
					await assert.rejects(connect(world, key).models.list(), AuthenticationError);
				assert.deepEqual((await connect(world, TOKEN).models.list()).data, []);
				const named = { "x-service-api-key": world.owner };
				const found = await world.anyone.call("GET", "/v1/models", {
					headers: { ...bearer(TOKEN), ...named },
				});
				assert.equal(found.status, 200);
				const refused = await world.anyone.call("GET", "/v1/models", { headers: named });
				assert.equal(refused.status, 401);
			}),
	},
];

const pages: readonly Scenario[] = [
	{
		name: "a chat keeps the conversation, and tells the workflow what was said before",
		cites: [],
		async run(world) {
			const { url, seen } = openHost(world, () => stream("Green ", "tea."));
			await saveModel(world, url, { title: "Tea helper", greeting: "**Hello**" });
			const { path, token, expires_at } = await makeLink(world, "helper", { days: 1 });
			assert.equal(path, `/chat/${world.owner}/helper`);
			assert.ok(Date.parse(expires_at ?? "") > Date.now());
			const settings = await world.anyone.expect(200, ChatSettings, "GET", `${path}/settings`, {
				headers: bearer(token),
			});
			assert.deepEqual([settings.title, settings.greeting], ["Tea helper", "**Hello**"]);

			const first = await say(world, "helper", { message: "Which tea?" }, token);
			assert.equal(first[0]?.event, "conversation");
			const conversation = first[0]?.data.conversation ?? "";
			assert.equal(joinText(first), "Green tea.");
			assert.deepEqual(first.at(-1), { event: "done", data: { text: "Green tea." } });
			const second = await say(world, "helper", { conversation, message: "Why?" }, token);
			assert.equal(second[0]?.data.conversation, conversation);
			assert.deepEqual(JSON.parse(seen[1]?.body ?? "").messages, [
				{ role: "system", content: "Be brief." },
				{ role: "user", content: "Which tea?" },
				{ role: "assistant", content: "Green tea." },
				{ role: "user", content: "Why?" },
			]);

			const kept = await world.anyone.expect(
				200,
				ChatConversation,
				"GET",
				`${path}/conversations/${conversation}`,
				{
					headers: bearer(token),
				},
			);
			assert.deepEqual(
				kept.turns.map(({ message, reply, status }) => [message, reply, status]),
				[
					["Which tea?", "Green tea.", "answered"],
					["Why?", "Green tea.", "answered"],
				],
			);
			const listed = await world.executor.expect(
				200,
				ChatConversationList,
				"GET",
				"/workflows/helper/conversations",
			);
			assert.deepEqual(
				listed.conversations.map(({ id, message }) => [id, message]),
				[[conversation, "Why?"]],
			);
			const own = `/workflows/helper/conversations/${conversation}`;
			assert.equal((await world.executor.expect(200, ChatConversation, "GET", own)).turns.length, 2);
			await world.executor.expect(200, DeletedChatConversation, "DELETE", own);
			for (const method of ["GET", "DELETE"]) {
				await world.executor.refuse(404, method, own);
				await world.anyone.refuse(404, method, `${path}/conversations/${conversation}`, {
					headers: bearer(token),
				});
			}
			await world.anyone.refuse(404, "POST", `${path}/messages`, {
				body: { conversation, message: "Still there?" },
				headers: bearer(token),
			});
		},
	},
	{
		name: "what an agent remembers of a chat is deleted with the conversation",
		cites: [],
		async run(world) {
			const { url, seen } = openHost(world, () => stream("Hello ", "Ada."));
			const agent = { component: "agent", base_url: url, model: "m", stream: true };
			const asks = { prompt: "{{input.message}}", memory: { key: "{{input.conversation}}" } };
			await save(world, createWorkflow("friend", { ...agent, ...asks }, chat(PUBLIC)));
			const [begun] = await say(world, "friend", { message: "I am Ada." });
			const conversation = begun?.data.conversation ?? "";
			const second = await say(world, "friend", { conversation, message: "Who am I?" });
			assert.equal(joinText(second), "Hello Ada.");
			assert.deepEqual(JSON.parse(seen[1]?.body ?? "").messages, [
				{ role: "user", content: "I am Ada." },
				{ role: "assistant", content: "Hello Ada." },
				{ role: "user", content: "Who am I?" },
			]);
			const listed = () => world.executor.expect(200, ConversationPage, "GET", "/conversations");
			assert.deepEqual(
				(await listed()).conversations.map(({ workflow, key }) => [workflow, key]),
				[["friend", conversation]],
			);
			await world.anyone.expect(
				200,
				DeletedChatConversation,
				"DELETE",
				`/chat/${world.owner}/friend/conversations/${conversation}`,
			);
			assert.deepEqual((await listed()).conversations, []);
		},
	},
	{
		name: "a chat takes files, and opens them again in the next message",
		cites: [],
		async run(world) {
			const only = { component: "parse", format: "csv", file: "{{input.messages[0].content[1].file}}" };
			await save(world, { ...createWorkflow("rows", only, chat(PUBLIC)), result: "{{only[0].tea}}" });
			const path = `/chat/${world.owner}/rows`;
			const file = { name: "files", filename: "tea.csv", type: "text/csv", bytes: "tea\noolong\n" };
			const sent = buildParts({ name: "message", bytes: "Read" }, file);
			const events = parseEvents(String((await world.anyone.call("POST", `${path}/messages`, sent)).body));
			assert.equal(events.at(-1)?.data.text, "oolong");
			const conversation = events[0]?.data.conversation ?? "";
			const again = await say(world, "rows", { conversation, message: "Again" });
			assert.equal(again.at(-1)?.data.text, "oolong");
			const { turns } = await world.anyone.expect(
				200,
				ChatConversation,
				"GET",
				`${path}/conversations/${conversation}`,
			);
			assert.deepEqual(turns[0]?.files, [{ name: "tea.csv", type: "text/csv", size: 11 }]);
			const foreign = { $file: "0".repeat(22), name: "x", type: "text/csv", size: 1 } satisfies FileValue;
			await world.anyone.refuse(422, "POST", `${path}/messages`, {
				body: { message: "Hi", files: [foreign] },
			});
			const many = buildParts(...Array.from({ length: 11 }, () => file));
			await world.anyone.refuse(413, "POST", `${path}/messages`, many);
			await world.anyone.refuse(422, "POST", `${path}/messages`, buildParts({ name: "message", bytes: " " }));
		},
	},
	{
		name: "a chat is open to links of its own only, and its workflow has no other open address",
		cites: [],
		async run(world) {
			await save(world, says("one", "first", chat()));
			await save(world, says("two", "second", chat({ access: "owner" })));
			const path = `/chat/${world.owner}/one`;
			const one = await makeLink(world, "one");
			const two = await makeLink(world, "two", { days: 300 });
			assert.ok(Date.parse(two.expires_at ?? "") < Date.now() + 86_400_000, "an owner's link is short");
			assert.equal((await say(world, "one", { message: "Hi" }, one.token)).at(-1)?.data.text, "first");
			assert.equal((await say(world, "two", { message: "Hi" }, two.token)).at(-1)?.data.text, "second");
			const [expires, signature] = one.token.split(".");
			const body = { message: "Hi" };
			for (const token of [undefined, two.token, world.owner, "1.x", `${Number(expires) + 1}.${signature}`]) {
				await world.anyone.refuse(401, "POST", `${path}/messages`, { body, headers: bearer(token) });
				await world.anyone.refuse(401, "GET", `${path}/settings`, { headers: bearer(token) });
			}
			assert.equal((await call(world, "one", { body })).status, 403);
			assert.equal((await trigger(world, "one", { body })).status, 200);
			const headers = {
				...bearer(one.token),
				origin: "https://evil.example.com",
				"sec-fetch-site": "cross-site",
			};
			await world.anyone.refuse(403, "POST", `${path}/messages`, { body, headers });

			await world.target.setNow(Date.parse(one.expires_at ?? "") + 1_000);
			await world.anyone.refuse(401, "GET", `${path}/settings`, { headers: bearer(one.token) });
			await world.target.setNow(null);
			await save(world, says("one", "first", chat({ links: 2 })));
			await world.anyone.refuse(401, "GET", `${path}/settings`, { headers: bearer(one.token) });

			await save(world, says("none", "no chat"));
			assert.equal((await world.anyone.call("GET", `/chat/${world.owner}/none`)).status, 404);
			await world.executor.refuse(404, "POST", "/workflows/none/chat-links");
		},
	},
	{
		name: "a public chat takes ten messages a minute, and as many tokens a day as it says",
		cites: [],
		async run(world) {
			const { url } = openHost(world, () => stream("Tea."));
			await saveModel(world, url, { access: "public", daily_tokens: 20 });
			const path = `/chat/${world.owner}/helper/messages`;
			const now = Date.now() + 3_600_000;
			await world.target.setNow(now);
			const answers = [];
			for (let count = 0; count < 12; count++)
				answers.push(await world.anyone.call("POST", path, { body: { message: "Hi" } }));
			const statuses = answers.map(({ status }) => status);
			assert.deepEqual(statuses.slice(0, 2), [200, 200]);
			const refused = answers[2];
			assert.equal(refused?.status, 429);
			assert.match(JSON.stringify(refused.body), /tokens of this chat are used up/);
			assert.ok(Number(refused.headers.get("retry-after")) <= 86_400);
			assert.match(JSON.stringify(answers[9]?.body), /tokens of this chat are used up/);
			assert.match(JSON.stringify(answers[10]?.body), /too many calls/);
			assert.ok(Number(answers[10]?.headers.get("retry-after")) <= 120);
			const messages = [{ role: "user" as const, content: "Hi" }];
			await assert.rejects(
				connect(world).chat.completions.create({ model: "helper", messages }),
				RateLimitError,
			);
			await world.target.setNow(now + 86_400_000);
			const next = await world.anyone.call("POST", path, { body: { message: "Hi" } });
			assert.equal(next.status, 200, "another day");
		},
	},
	{
		name: "a failed run tells a visitor nothing but that it failed, and a disabled workflow takes no message",
		cites: [],
		async run(world) {
			await save(world, fails("broken", "the secret is out", chat(PUBLIC)));
			const events = await say(world, "broken", { message: "Hi" });
			const last = events.at(-1);
			assert.deepEqual(
				[last?.event, last?.data.status, last?.data.error],
				["problem", "failed", "the workflow failed"],
			);
			await world.executor.call("PUT", "/workflows/broken/enabled", { body: { enabled: false } });
			await world.anyone.refuse(409, "POST", `/chat/${world.owner}/broken/messages`, {
				body: { message: "Hi" },
			});
		},
	},
	{
		name: "an agent's text reaches the chat while it is written, and the text of other nodes does not",
		cites: [],
		async run(world) {
			const { url } = openHost(world, () => stream("One ", "two."));
			const model = { component: "llm_chat", base_url: url, model: "m", stream: true };
			await save(world, {
				...createWorkflow("agent", {}, chat(PUBLIC)),
				triplets: ["input >> then >> thought", "thought >> then >> answer"],
				config: {
					thought: { ...model, prompt: "What does {{input.message}} mean?" },
					answer: { ...model, component: "agent", prompt: "{{input.message}}" },
				},
			});
			const events = await say(world, "agent", { message: "Hi" });
			assert.equal(joinText(events), "One two.");
			assert.equal(events.at(-1)?.data.text, "One two.");
		},
	},
	{
		name: "a chat that cannot work is refused when it is saved",
		cites: [],
		async run(world) {
			const find = async (trigger: object, more: object = {}) => {
				const body = says("wrong", "x", { ...webhook(trigger), ...more });
				const answer = await world.executor.call("POST", "/workflows/validate", { body });
				return (answer.body as { diagnostics: readonly Diagnostic[] }).diagnostics
					.filter(({ severity }) => severity === "error")
					.map(({ message }) => message);
			};
			assert.deepEqual(await find({ chat: {} }), []);
			assert.match(String(await find({ chat: { access: "public" } })), /needs daily_tokens/);
			assert.match(String(await find({ chat: {}, cors: ["*"] })), /cors cannot be combined with chat/);
			assert.match(String(await find({ chat: {} }, { options: { query: true } })), /options\.query/);
			assert.match(
				String(await find({ chat: { access: "all" } })),
				/access must be "token" or "owner" or "public"/,
			);
			const schedule = { trigger: { type: "schedule", cron: "0 0 * * *", chat: {} } };
			assert.match(String(await find({}, schedule)), /chat belongs to a trigger of type webhook/);
		},
	},
];

export const chats: readonly Scenario[] = [...completions, ...pages];
