import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createTokens } from "@tripline/components/auth/tokens";
import type { Effects } from "@tripline/components/effects";
import { createManifestComponents } from "@tripline/components/installed/component";
import { createOutbound } from "@tripline/components/outbound/create";
import { createPlaceholders } from "@tripline/components/outbound/placeholders";
import type { Json } from "@tripline/contract/json";
import type { WriteAuthRecipe } from "@tripline/contract/recipes";
import type { JsonObject } from "@tripline/contract/workflows";
import { MAX_NODE_UNITS, Meter } from "@tripline/engine/meter";
import type { HttpRequest } from "@tripline/platform/http";
import { market } from "../../src/market/market.ts";

interface Expected {
	readonly params: JsonObject;
	/** Method and address, as in the service's documentation. */
	readonly sends: string;
	readonly json?: Json;
	readonly headers?: Record<string, string>;
	readonly answers?: { readonly status?: number; readonly body: Json | string };
	readonly output: Json;
}

const SERVICES: Record<
	string,
	{ fields: Record<string, string>; authorization?: string; calls: Record<string, Expected> }
> = {
	ntfy: {
		fields: {},
		calls: {
			publish: {
				params: { topic: "tea", message: "ready", priority: 4, tags: ["tea"] },
				sends: "POST https://ntfy.sh/",
				json: { topic: "tea", message: "ready", priority: 4, tags: ["tea"] },
				answers: {
					body: { id: "x1", time: 1, expires: 2, event: "message", topic: "tea", message: "ready" },
				},
				output: { id: "x1", time: 1, expires: 2, event: "message", topic: "tea", message: "ready" },
			},
			recent: {
				params: { topic: "tea", since: "10m" },
				sends: "GET https://ntfy.sh/tea/json?poll=1&since=10m",
				answers: { body: '{"id":"x1"}\n{"id":"x2"}\n' },
				output: '{"id":"x1"}\n{"id":"x2"}\n',
			},
		},
	},
	todoist: {
		fields: { token: "t0ken" },
		authorization: "Bearer t0ken",
		calls: {
			create_task: {
				params: { content: "Buy tea", due_string: "tomorrow", labels: ["shop"] },
				sends: "POST https://api.todoist.com/api/v1/tasks",
				json: { content: "Buy tea", due_string: "tomorrow", labels: ["shop"] },
				answers: { body: { id: "6X", content: "Buy tea" } },
				output: { id: "6X", content: "Buy tea" },
			},
			quick_add: {
				params: { text: "Buy milk tomorrow p1" },
				sends: "POST https://api.todoist.com/api/v1/tasks/quick",
				json: { text: "Buy milk tomorrow p1" },
				answers: { body: { id: "6X", content: "Buy milk" } },
				output: { id: "6X", content: "Buy milk" },
			},
			find_tasks: {
				params: { query: "today | overdue" },
				sends: "GET https://api.todoist.com/api/v1/tasks/filter?query=today%20%7C%20overdue&limit=50",
				answers: { body: { results: [], next_cursor: null } },
				output: { results: [], next_cursor: null },
			},
			list_tasks: {
				params: { project_id: "6P", limit: 2, cursor: "c" },
				sends: "GET https://api.todoist.com/api/v1/tasks?project_id=6P&limit=2&cursor=c",
				answers: { body: { results: [{ id: "6X", content: "a", due: null }], next_cursor: "d" } },
				output: { results: [{ id: "6X", content: "a", due: null }], next_cursor: "d" },
			},
			update_task: {
				params: { task_id: "6X", priority: 4 },
				sends: "POST https://api.todoist.com/api/v1/tasks/6X",
				json: { priority: 4 },
				answers: { body: { id: "6X", content: "a", priority: 4 } },
				output: { id: "6X", content: "a", priority: 4 },
			},
			close_task: {
				params: { task_id: "6X" },
				sends: "POST https://api.todoist.com/api/v1/tasks/6X/close",
				answers: { status: 204, body: "" },
				output: { closed: true },
			},
			list_projects: {
				params: {},
				sends: "GET https://api.todoist.com/api/v1/projects?limit=50",
				answers: { body: { results: [{ id: "6P", name: "Inbox" }], next_cursor: null } },
				output: { results: [{ id: "6P", name: "Inbox" }], next_cursor: null },
			},
		},
	},
	mastodon: {
		fields: { host: "social.example", token: "t0ken" },
		authorization: "Bearer t0ken",
		calls: {
			post_status: {
				params: { status: "Hello", idempotency_key: "k1", language: "en" },
				sends: "POST https://social.example/api/v1/statuses",
				headers: { "idempotency-key": "k1" },
				json: { status: "Hello", visibility: "public", language: "en" },
				answers: { body: { id: "1", url: "https://social.example/@a/1", content: "<p>Hello</p>" } },
				output: { id: "1", url: "https://social.example/@a/1", content: "<p>Hello</p>" },
			},
			delete_status: {
				params: { id: "1" },
				sends: "DELETE https://social.example/api/v1/statuses/1",
				answers: { body: { id: "1", text: "Hello" } },
				output: { id: "1", text: "Hello" },
			},
			home_timeline: {
				params: { since_id: "1" },
				sends: "GET https://social.example/api/v1/timelines/home?limit=20&since_id=1",
				answers: { body: [] },
				output: [],
			},
			tag_timeline: {
				params: { hashtag: "tee/grün", limit: 5 },
				sends: "GET https://social.example/api/v1/timelines/tag/tee%2Fgr%C3%BCn?limit=5",
				answers: { body: [] },
				output: [],
			},
			search: {
				params: { q: "@a@b", type: "accounts" },
				sends: "GET https://social.example/api/v2/search?q=%40a%40b&type=accounts&limit=20",
				answers: { body: { accounts: [], statuses: [], hashtags: [] } },
				output: { accounts: [], statuses: [], hashtags: [] },
			},
			my_account: {
				params: {},
				sends: "GET https://social.example/api/v1/accounts/verify_credentials",
				answers: { body: { id: "7", acct: "a" } },
				output: { id: "7", acct: "a" },
			},
		},
	},
	deepl: {
		fields: { server: "api-free", api_key: "k:fx" },
		authorization: "DeepL-Auth-Key k:fx",
		calls: {
			translate: {
				params: { text: ["Hello"], target_lang: "DE", context: "a greeting" },
				sends: "POST https://api-free.deepl.com/v2/translate",
				json: { text: ["Hello"], target_lang: "DE", context: "a greeting" },
				answers: { body: { translations: [{ detected_source_language: "EN", text: "Hallo" }] } },
				output: [{ detected_source_language: "EN", text: "Hallo" }],
			},
			usage: {
				params: {},
				sends: "GET https://api-free.deepl.com/v2/usage",
				answers: { body: { character_count: 5, character_limit: 500000 } },
				output: { character_count: 5, character_limit: 500000 },
			},
			languages: {
				params: { type: "source" },
				sends: "GET https://api-free.deepl.com/v2/languages?type=source",
				answers: { body: [{ language: "DE", name: "German" }] },
				output: [{ language: "DE", name: "German" }],
			},
		},
	},
	matrix: {
		fields: { host: "matrix.example", token: "t0ken" },
		authorization: "Bearer t0ken",
		calls: {
			send_text: {
				params: { room_id: "!a:b.example", transaction_id: "t/1", body: "Hi" },
				sends: "PUT https://matrix.example/_matrix/client/v3/rooms/!a%3Ab.example/send/m.room.message/t%2F1",
				json: { msgtype: "m.notice", body: "Hi" },
				answers: { body: { event_id: "$e" } },
				output: { event_id: "$e" },
			},
			send_html: {
				params: { room_id: "!a:b.example", transaction_id: "2", body: "Hi", html: "<b>Hi</b>" },
				sends: "PUT https://matrix.example/_matrix/client/v3/rooms/!a%3Ab.example/send/m.room.message/2",
				json: {
					msgtype: "m.notice",
					body: "Hi",
					format: "org.matrix.custom.html",
					formatted_body: "<b>Hi</b>",
				},
				answers: { body: { event_id: "$e" } },
				output: { event_id: "$e" },
			},
			messages: {
				params: { room_id: "!a:b.example", limit: 2 },
				sends: "GET https://matrix.example/_matrix/client/v3/rooms/!a%3Ab.example/messages?dir=b&limit=2",
				answers: { body: { chunk: [], start: "s" } },
				output: { chunk: [], start: "s" },
			},
			joined_rooms: {
				params: {},
				sends: "GET https://matrix.example/_matrix/client/v3/joined_rooms",
				answers: { body: { joined_rooms: ["!a:b.example"] } },
				output: ["!a:b.example"],
			},
		},
	},
};

test("every operation of every recipe is checked", () => {
	const operations = market.flatMap((manifest) =>
		manifest.kind === "recipe"
			? Object.keys(manifest.recipe.operations).map((name) => `${manifest.id}.${name}`)
			: [],
	);
	const checked = Object.entries(SERVICES).flatMap(([id, { calls }]) =>
		Object.keys(calls).map((name) => `${id}.${name}`),
	);
	assert.deepEqual(checked.sort(), operations.sort());
});

for (const [id, { fields, authorization, calls }] of Object.entries(SERVICES)) {
	describe(id, () => {
		for (const [operation, expected] of Object.entries(calls)) {
			test(`${operation} sends the request that the service's documentation requires`, async () => {
				const { sent, output } = await call(id, operation, fields, expected);
				const [request] = sent;
				assert.equal(sent.length, 1);
				assert.equal(`${request?.method} ${request?.url.href}`, expected.sends);
				assert.equal(request?.headers.authorization, authorization);
				for (const [name, value] of Object.entries(expected.headers ?? {}))
					assert.equal(request?.headers[name], value);
				assert.deepEqual(readBody(request), expected.json);
				assert.deepEqual(output, expected.output);
			});
		}
	});
}

async function call(id: string, operation: string, fields: Record<string, string>, expected: Expected) {
	const manifest = market.find((one) => one.id === id);
	assert.ok(manifest !== undefined);
	const component = createManifestComponents(manifest).find((one) => one.id === `${id}.${operation}`);
	assert.ok(component !== undefined);
	const sent: HttpRequest[] = [];
	const clock = { now: () => Date.now() };
	const placeholders = createPlaceholders();
	const [auth] = Object.entries(manifest.auth_recipes ?? {});
	const http = createOutbound({
		clock,
		placeholders,
		tokens: createTokens({ clock, sharesPromises: true }),
		credential: async () =>
			auth === undefined ? null : { recipe: authRecipe(id, auth), fields, key: "mine" },
		async send(request) {
			sent.push(request);
			const { status = 200, body = "" } = expected.answers ?? {};
			const isText = typeof body === "string";
			return {
				status,
				headers: { "content-type": isText ? "text/plain" : "application/json" },
				body: new TextEncoder().encode(isText ? body : JSON.stringify(body)),
			};
		},
	});
	const output = component.output.parse(
		await component.run({
			params: component.params.parse(expected.params) as JsonObject,
			meter: new Meter(MAX_NODE_UNITS),
			step: ":test",
			startedAt: 0,
			announced: null,
			announce: async () => {},
			attempt: 1,
			isCancelled: false,
			needsTurn: false,
			turn: async () => {},
			expressions: {},
			node: { id: "call", credential: auth === undefined ? undefined : "mine", timeoutMs: undefined },
			signal: AbortSignal.timeout(10_000),
			abort() {},
			effects: { clock, http, credentialText: placeholders.text } as Partial<Effects> as Effects,
			log() {},
			emit() {},
		}),
	);
	return { sent, output };
}

const authRecipe = (id: string, [name, recipe]: [string, WriteAuthRecipe]) => ({
	...recipe,
	id: `${id}.${name}`,
});

function readBody(request: HttpRequest | undefined): Json | undefined {
	const body = request?.body ?? null;
	if (body === null) return undefined;
	assert.ok(typeof body === "string" || body instanceof Uint8Array);
	return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body));
}
