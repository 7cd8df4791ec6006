import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { OutboundBody, OutboundCall } from "../../src/outbound/call.ts";
import { type Answers, open, openOutbound, type Stored, secret, toAuthRecipe } from "./network.ts";

const VALUE = 'c4n4ry/+ "\\&é:x';
const github = toAuthRecipe("github", {
	type: "bearer",
	fields: [secret("token")],
	hosts: ["api.github.com", "*.githubusercontent.com"],
});
const shop = toAuthRecipe("shop", {
	type: "header",
	fields: [open("host"), secret("key"), { ...secret("extra"), optional: true }],
	hosts: ["{host}", "{host}.backup.example.com"],
	inject: { headers: { "X-Key": "{key}", "x-extra": "{extra}" } },
});
const credentials: Record<string, Stored> = {
	gh: { recipe: github, fields: { token: "gh-token-value" } },
	odd: { recipe: { ...github, hosts: ["api.github.com"] }, fields: { token: VALUE } },
	lines: { recipe: github, fields: { token: "one\r\nx-evil: 1" } },
	shop: { recipe: shop, fields: { host: "Shop.Example.com:8443", key: "shop-key-value" } },
	star: { recipe: shop, fields: { host: "*.evil.example", key: "shop-key-value" } },
	local: { recipe: shop, fields: { host: "127.0.0.1:8080", key: "shop-key-value" } },
	hook: {
		recipe: toAuthRecipe("hook", { type: "signature", fields: [secret("secret")], hosts: [] }),
		fields: { secret: "signing-secret" },
	},
};

const ok: Answers = () => ({ body: "ok" });
const GITHUB = "https://api.github.com/user";

type Making = (text: (name: string, field?: string) => string) => Partial<OutboundCall>;

async function sendRequest(make: Making) {
	await using outbound = await openOutbound(ok, credentials);
	const answer = await outbound.http({ method: "POST", url: GITHUB, ...make(outbound.text) });
	const [request] = outbound.seen;
	assert.ok(request && outbound.seen.length === 1);
	return { request, answer, loads: outbound.loads };
}

async function sendForError(make: Making): Promise<string> {
	await using outbound = await openOutbound(ok, credentials);
	const call = outbound.http({ method: "POST", url: GITHUB, ...make(outbound.text) });
	const error = await call.then(
		() => assert.fail("was sent"),
		(error: unknown) => error,
	);
	assert.ok(error instanceof TerminalError, String(error));
	assert.equal(outbound.seen.length, 0, "nothing is sent");
	assert.equal(
		outbound.text("x").length > 0 && error.message.includes(outbound.text("x").slice(0, 40)),
		false,
	);
	return error.message;
}

describe("a credential in a call", () => {
	test("replaces its placeholder, encoded for its place, and is loaded once", async () => {
		const { request, loads } = await sendRequest((text) => ({
			url: `${GITHUB}/${text("odd")}?a=${text("odd", "token")}`,
			query: { b: `<${text("odd")}>` },
			body: { kind: "json", value: { [text("odd")]: [`x${text("odd")}`] } },
		}));
		const url = new URL(request.url);
		assert.equal(decodeURIComponent(url.pathname), `/user/${VALUE}`);
		assert.equal(url.searchParams.get("a"), VALUE);
		assert.equal(url.searchParams.get("b"), `<${VALUE}>`);
		assert.deepEqual(JSON.parse(request.body.toString()), { [VALUE]: [`x${VALUE}`] });
		assert.deepEqual(loads, ["odd"]);
	});

	const bodies: [string, (text: string) => OutboundBody, (body: string) => unknown][] = [
		[
			"form",
			(text) => ({ kind: "form", fields: { a: [text] } }),
			(body) => new URLSearchParams(body).get("a"),
		],
		["text", (text) => ({ kind: "text", text }), (body) => body],
		[
			"multipart",
			(text) => ({ kind: "multipart", parts: [{ name: "a", text }] }),
			(body) => /\r\n\r\n(.*)\r\n--/.exec(body)?.[1],
		],
	];
	for (const [kind, body, read] of bodies) {
		test(`is put into a ${kind} body`, async () => {
			const { request } = await sendRequest((text) => ({ body: body(text("odd")) }));
			assert.equal(read(request.body.toString()), VALUE);
		});
	}

	test("is put into a header", async () => {
		const { request } = await sendRequest((text) => ({ headers: { authorization: `token ${text("gh")}` } }));
		assert.equal(request.headers.authorization, "token gh-token-value");
	});

	test("cannot break out of a header", async () => {
		const message = await sendForError((text) => ({ headers: { "x-a": text("lines") } }));
		assert.match(message, /header x-a contains a line break/);
		assert.match(
			await sendForError(() => ({ credential: "lines" })),
			/authorization from credential "lines" contains a line/,
		);
	});

	test("cannot break out of a part's name", async () => {
		const { request } = await sendRequest((text) => ({
			body: { kind: "multipart", parts: [{ name: text("lines"), text: "x", filename: text("odd") }] },
		}));
		assert.ok(request.body.toString().includes('name="one%0D%0Ax-evil: 1"; filename="c4n4ry/+ %22'));
	});

	test("does not replace text that only looks like a placeholder", async () => {
		const { request, loads } = await sendRequest((text) => ({
			body: { kind: "text", text: text("gh").replace(/^credential./, "credentialz") },
		}));
		assert.match(request.body.toString(), /^credentialz/);
		assert.deepEqual(loads, []);
	});

	test("authorizes by its recipe when the call names it", async () => {
		const { request } = await sendRequest(() => ({ credential: "gh", headers: { Authorization: "mine" } }));
		assert.equal(request.headers.authorization, "Bearer gh-token-value");
	});

	test("omits values of empty optional fields", async () => {
		const { request } = await sendRequest(() => ({
			credential: "shop",
			url: "https://shop.example.com:8443/",
		}));
		assert.equal(request.headers["x-key"], "shop-key-value");
		assert.equal("x-extra" in request.headers, false);
	});

	test("can set its host with a field that is not secret", async () => {
		const { request } = await sendRequest((text) => ({
			credential: "shop",
			url: `https://${text("shop", "host")}/v1`,
			hosts: ["{host}"],
		}));
		assert.equal(request.url, "https://shop.example.com:8443/v1");
		assert.match(
			await sendForError((text) => ({ url: `https://${text("gh")}.githubusercontent.com/` })),
			/secret cannot be part of the url's host/,
		);
	});

	test("is sent over plain http only to this machine and its network", async () => {
		const { request } = await sendRequest(() => ({ credential: "local", url: "http://127.0.0.1:8080/" }));
		assert.equal(request.headers["x-key"], "shop-key-value");
		assert.match(
			await sendForError(() => ({ credential: "gh", url: "http://api.github.com/" })),
			/"gh" may not be sent to api.github.com over plain http, where others on the network can read it: use https/,
		);
	});

	const elsewhere = [
		"https://evil.example/",
		"https://api.github.com.evil.example/",
		"https://evilapi.github.com/",
		"https://github.com/",
		"https://api.github.com:8443/",
		"https://api.github.com./",
		"https://githubusercontent.com/",
		"https://evilgithubusercontent.com/",
		"https://api.github.com%2eevil.example/",
		"https:\\\\evil.example/api.github.com",
	];
	for (const url of elsewhere) {
		test(`is not sent to ${url}, by name or by placeholder`, async () => {
			const host = new URL(url).host;
			const message = `credential "gh" may be sent only to api.github.com, *.githubusercontent.com, not to ${host}`;
			assert.equal(await sendForError(() => ({ credential: "gh", url })), message);
			assert.equal(await sendForError((text) => ({ url, headers: { "x-a": text("gh") } })), message);
			assert.equal(await sendForError((text) => ({ url: `${url}?a=${text("gh")}` })), message);
			assert.equal(
				await sendForError((text) => ({ url, body: { kind: "json", value: [text("gh")] } })),
				message,
			);
		});
	}

	test("is sent to every name below a starred host", async () => {
		for (const host of ["raw.githubusercontent.com", "a.b.githubusercontent.com"]) {
			const { request } = await sendRequest(() => ({ credential: "gh", url: `https://${host}/` }));
			assert.equal(request.headers.authorization, "Bearer gh-token-value");
		}
	});

	test("is bound to the host in its field, which cannot be a pattern", async () => {
		const url = "https://a.evil.example/";
		assert.match(await sendForError(() => ({ credential: "star", url })), /has no allowed hosts/);
		assert.match(
			await sendForError(() => ({ credential: "shop", url: "https://shop.example.com/" })),
			/not to shop/,
		);
	});

	test("is not sent if any of several credentials is not allowed at the host", async () => {
		const make: Making = (text) => ({ credential: "gh", headers: { "x-key": text("shop", "key") } });
		assert.match(await sendForError(make), /credential "shop" may be sent only to shop.example.com:8443/);
	});

	test("for signed webhooks cannot authorize a request", async () => {
		assert.match(await sendForError(() => ({ credential: "hook" })), /"hook" has no allowed hosts/);
		assert.match(
			await sendForError((text) => ({ headers: { "x-a": text("hook") } })),
			/"hook" has no allowed hosts/,
		);
	});

	const mistakes: [string, Making, string][] = [
		[
			"that is not there",
			() => ({ credential: "a b" }),
			'there is no credential "a b": add it in the console: Credentials > Add credential, a type that fits the service (or with PUT /credentials/a%20b)',
		],
		[
			"that is not there, by placeholder",
			(text) => ({ headers: { "x-a": text("nope") } }),
			'there is no credential "nope": add it in the console: Credentials > Add credential, a type that fits the service (or with PUT /credentials/nope)',
		],
		[
			"of another recipe",
			() => ({ credential: "gh", authRecipes: ["shop", "slack"] }),
			'credential "gh" has the auth recipe "github", but shop or slack is required here',
		],
		[
			"with several secrets, without a field",
			(text) => ({ url: "https://shop.example.com:8443/", headers: { "x-a": text("shop") } }),
			'credential "shop" has several fields: choose one of host, key, extra',
		],
		[
			"without that field",
			(text) => ({ headers: { "x-a": text("gh", "__proto__") } }),
			'credential "gh" has no field "__proto__": it has token',
		],
		[
			"without a value for an optional field",
			(text) => ({ url: "https://shop.example.com:8443/", headers: { "x-a": text("shop", "extra") } }),
			'credential "shop" has no value for its field "extra"',
		],
		[
			"as a header's name",
			(text) => ({ headers: { [text("gh")]: "x" } }),
			"a credential cannot be a header name",
		],
		[
			"in base64",
			(text) => ({ body: { kind: "base64", data: text("gh") } }),
			"a credential cannot stand in base64 data",
		],
	];
	for (const [what, make, message] of mistakes) {
		test(`${what} is a clear error`, async () => {
			assert.equal(await sendForError(make), message);
		});
	}

	test("never appears in an error of the port, nor does a placeholder", async () => {
		await using outbound = await openOutbound(ok, credentials);
		const text = outbound.text("gh");
		const url = `https://${text}:70000/`;
		await assert.rejects(outbound.http({ method: "GET", url }), /url must be complete/);
		const { createOutbound } = await import("../../src/outbound/create.ts");
		const { createPlaceholders } = await import("../../src/outbound/placeholders.ts");
		const http = createOutbound({
			send: async ({ headers, url }) => {
				throw new Error(`bad ${headers.authorization} at ${url.href}`, { cause: headers });
			},
			clock: Date,
			tokens: { get: () => assert.fail(), drop: () => {} },
			placeholders: createPlaceholders(),
			credential: async () => ({ recipe: github, fields: { token: "gh-token-value" }, key: "k" }),
		});
		const call = http({ method: "GET", url: GITHUB, credential: "gh" }, new AbortController().signal);
		await assert.rejects(call, (error: Error) => {
			assert.equal(error.message, `bad Bearer [redacted] at ${GITHUB}`);
			assert.equal(error.cause, undefined);
			return true;
		});
	});
});
