import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, test } from "node:test";
import { Failed } from "@tripline/contract/failures";
import type { Handshake, Signature } from "@tripline/contract/webhook-trigger";
import { describeSignature, signCall, toStoredSecret } from "../../../test/webhook-senders.ts";
import { listHandshakeMethods } from "../src/domain/webhook-settings.ts";
import { answerHandshake } from "../src/http/verification/handshakes.ts";

const NOW = 1_700_000_000_000;
const SECONDS = String(NOW / 1000);
const URL_ = "https://example.com/webhooks/named/shop/orders/trigger";
const SECRET = "a secret of some length";
const secrets: Readonly<Record<string, string>> = {
	hook: SECRET,
	discord: toStoredSecret("discord", SECRET),
	verify: "my verify token",
};

interface Sent {
	readonly method?: string;
	readonly query?: string;
	readonly body?: string;
	readonly headers?: Readonly<Record<string, string>>;
}

const answer = (
	handshake: Handshake,
	{ method = "POST", query = "", body = "", headers = {} }: Sent,
	signature: Signature | null = null,
) =>
	answerHandshake({
		handshake,
		signature,
		request: {
			method,
			url: URL_ + query,
			headers: new Headers(headers),
			body: new TextEncoder().encode(body),
		},
		revealSecret: async (name) => secrets[name] ?? null,
		now: NOW,
	});

const sign = (scheme: Signature["scheme"], body: string, secret = SECRET, seconds = SECONDS): Sent =>
	signCall(scheme, { secret, url: URL_, body, seconds });

const hmac = (text: string) => createHmac("sha256", SECRET).update(text);

const TEXT = {
	"content-type": "text/plain; charset=utf-8",
	"x-content-type-options": "nosniff",
	"cache-control": "no-store",
};
const JSON_ = { ...TEXT, "content-type": "application/json; charset=utf-8" };

async function assertRefused(
	promise: Promise<unknown>,
	kind: "unauthorized" | "bad_request",
	reason?: RegExp,
): Promise<void> {
	await assert.rejects(promise, (error) => {
		assert.ok(error instanceof Failed, String(error));
		assert.equal(error.failure.kind, kind);
		if (reason !== undefined) assert.match(error.message, reason);
		assert.ok(!error.message.includes(SECRET));
		return true;
	});
}

describe("Slack", () => {
	const handshake = { scheme: "slack" } as const;
	const signature = { scheme: "slack", credential: "hook" } as const;
	const body =
		'{"type":"url_verification","token":"x","challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P"}';

	test("gets its challenge back as text", async () => {
		assert.deepEqual(await answer(handshake, sign("slack", body), signature), {
			status: 200,
			text: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P",
			headers: TEXT,
		});
	});

	test("may sign with a secret of the handshake's own credential", async () => {
		const own = { scheme: "slack", credential: "verify" } as const;
		const sent = sign("slack", body, "my verify token");
		assert.equal((await answer(own, sent, signature))?.status, 200);
		await assertRefused(answer(own, sign("slack", body), signature), "unauthorized");
	});

	test("a forged, stale or unsigned handshake is refused", async () => {
		const forged = [
			{ body },
			sign("slack", body, "another"),
			sign("slack", body, SECRET, String(NOW / 1000 - 301)),
			{ ...sign("slack", body), body: body.replace("3eZ", "4eZ") },
		];
		for (const sent of forged)
			await assertRefused(answer(handshake, sent, signature), "unauthorized", /not signed/);
	});

	test("other calls are no handshakes, whether they are signed or not", async () => {
		const others = [
			'{"type":"event_callback"}',
			"",
			"[]",
			"null",
			"payload=%7B%7D",
			'{"type":"url_verification"',
		];
		for (const other of others) assert.equal(await answer(handshake, { body: other }, signature), null);
		assert.equal(await answer(handshake, { ...sign("slack", body), method: "GET" }, signature), null);
		const long = `${body.slice(0, -1)},"pad":"${"x".repeat(16 * 1024)}"}`;
		assert.equal(await answer(handshake, sign("slack", long), signature), null);
		const deep = `${body.slice(0, -1)},"deep":${"[".repeat(100)}${"]".repeat(100)}}`;
		assert.equal(await answer(handshake, sign("slack", deep), signature), null);
	});

	test("without the credential nothing passes", async () => {
		const missing = { scheme: "slack", credential: "none" } as const;
		await assertRefused(answer(handshake, sign("slack", body), missing), "unauthorized", /does not exist/);
		await assertRefused(answer(handshake, sign("slack", body)), "unauthorized", /does not exist/);
	});
});

describe("Discord", () => {
	const signature = { scheme: "discord", credential: "discord" } as const;
	const handshake = { scheme: "discord" } as const;

	test("gets a pong for its ping", async () => {
		const reply = await answer(handshake, sign("discord", '{"type":1,"id":"7"}'), signature);
		assert.deepEqual(reply, { status: 200, text: '{"type":1}', headers: JSON_ });
	});

	test("pings with invalid signatures, by which it tests the receiver, are refused", async () => {
		await assertRefused(answer(handshake, sign("discord", '{"type":1}', "x"), signature), "unauthorized");
		await assertRefused(answer(handshake, { body: '{"type":1}' }, signature), "unauthorized");
	});

	test("other interactions are no handshakes", async () => {
		for (const body of ['{"type":2}', '{"type":"1"}', '{"type":true}', '{"data":{"type":1}}'])
			assert.equal(await answer(handshake, sign("discord", body), signature), null);
	});
});

describe("Zoom", () => {
	const handshake = { scheme: "zoom" } as const;
	const signature = { scheme: "zoom", credential: "hook" } as const;
	const build = (plainToken: unknown) =>
		JSON.stringify({ event: "endpoint.url_validation", payload: { plainToken }, event_ts: NOW });

	test("gets its token and the HMAC of it", async () => {
		const reply = await answer(handshake, sign("zoom", build("qgg8vlvZRS6UYooatFL8Aw")), signature);
		const encryptedToken = hmac("qgg8vlvZRS6UYooatFL8Aw").digest("hex");
		assert.deepEqual(JSON.parse(reply?.text ?? ""), { plainToken: "qgg8vlvZRS6UYooatFL8Aw", encryptedToken });
		assert.deepEqual(reply?.headers, JSON_);
	});

	// Computed with Python's hmac module.
	test("the HMAC is that of the secret token", async () => {
		const body = build("qgg8vlvZRS6UYooatFL8Aw");
		const { headers } = sign("zoom", body, "zoom-secret-token");
		const reply = await answerHandshake({
			handshake,
			signature,
			request: {
				method: "POST",
				url: URL_,
				headers: new Headers(headers),
				body: new TextEncoder().encode(body),
			},
			revealSecret: async () => "zoom-secret-token",
			now: NOW,
		});
		const expected = "d9e0d764a78494688ba3f2d5c0ed4ca311394b4834d959759213424d2df961e3";
		assert.equal(JSON.parse(reply?.text ?? "").encryptedToken, expected);
	});

	test("nobody else gets an HMAC, which could sign a call", async () => {
		const forged = build(`v0:${SECONDS}:{}`);
		await assertRefused(answer(handshake, { body: forged }, signature), "unauthorized");
		await assertRefused(answer(handshake, sign("zoom", forged, "x"), signature), "unauthorized");
	});

	test("a token that is no short text is refused", async () => {
		for (const token of [undefined, null, {}, "", "值", "x".repeat(1025), "a\nb"])
			await assertRefused(
				answer(handshake, sign("zoom", build(token)), signature),
				"bad_request",
				/challenge/,
			);
	});
});

describe("Meta", () => {
	const handshake = { scheme: "meta", credential: "verify" } as const;
	const get = (query: string) => answer(handshake, { method: "GET", query });

	test("gets its challenge for the verify token", async () => {
		const query = "?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=my+verify%20token";
		assert.deepEqual(await get(query), { status: 200, text: "1158201444", headers: TEXT });
	});

	test("uses the signature's secret if the handshake names no credential", async () => {
		const query = `?hub.mode=subscribe&hub.challenge=1&hub.verify_token=${encodeURIComponent(SECRET)}`;
		const signature = { scheme: "meta", credential: "hook" } as const;
		assert.equal((await answer({ scheme: "meta" }, { method: "GET", query }, signature))?.text, "1");
	});

	test("another, missing or repeated token is refused", async () => {
		for (const token of [
			"",
			"&hub.verify_token=",
			"&hub.verify_token=My+verify+token",
			"&hub.verify_token=my",
		])
			await assertRefused(get(`?hub.mode=subscribe&hub.challenge=1${token}`), "unauthorized", /token/);
		const twice = "&hub.verify_token=my+verify+token&hub.verify_token=x";
		await assertRefused(get(`?hub.mode=subscribe&hub.challenge=1${twice}`), "unauthorized", /token/);
	});

	test("other calls are no handshakes", async () => {
		assert.equal(await get("?a=1"), null);
		assert.equal(await get("?hub.mode=unsubscribe&hub.challenge=1"), null);
		assert.equal(await answer(handshake, { query: "?hub.mode=subscribe&hub.challenge=1" }), null);
	});
});

describe("Microsoft and Dropbox", () => {
	const microsoft = { scheme: "microsoft" } as const;
	const dropbox = { scheme: "dropbox" } as const;

	test("get their text back, decoded", async () => {
		const query = "?validationToken=Validation%3a+Testing+client+application+reachability";
		const expected = {
			status: 200,
			text: "Validation: Testing client application reachability",
			headers: TEXT,
		};
		for (const method of ["POST", "GET"])
			assert.deepEqual(await answer(microsoft, { method, query }), expected);
		const reply = await answer(dropbox, { method: "GET", query: "?challenge=abc" });
		assert.deepEqual(reply, { status: 200, text: "abc", headers: TEXT });
	});

	test("markup is only a text, and more than 1 KiB or other characters are refused", async () => {
		const get = (challenge: string) =>
			answer(dropbox, { method: "GET", query: `?challenge=${encodeURIComponent(challenge)}` });
		assert.deepEqual((await get("<script>alert(1)</script>"))?.headers, TEXT);
		assert.equal((await get("x".repeat(1024)))?.text.length, 1024);
		for (const challenge of ["", "x".repeat(1025), "a\r\nb", "\u0000", "\u007f", "ü", "😀", "\ufeff<"])
			await assertRefused(get(challenge), "bad_request", /1 to 1024 printable ASCII/);
	});

	test("other calls are no handshakes", async () => {
		assert.equal(await answer(microsoft, { body: "{}" }), null);
		assert.equal(await answer(microsoft, { body: "{}", query: "?validationtoken=a" }), null);
		assert.equal(await answer(dropbox, { query: "?challenge=a" }), null);
		assert.equal(await answer(dropbox, { method: "GET", query: "?challenge=a&challenge=b" }), null);
	});
});

describe("custom", () => {
	const handshake = {
		scheme: "custom",
		credential: "hook",
		challenge: "query.crc",
		token: "query.token",
	} as const;
	const token = `token=${encodeURIComponent(SECRET)}`;
	const get = (settings: Partial<Handshake>, query = `?crc=abc&${token}`) =>
		answer({ ...handshake, ...settings }, { method: "GET", query });

	test("answers the challenge, or the HMAC of it, as text or as a field", async () => {
		assert.deepEqual(await get({}), { status: 200, text: "abc", headers: TEXT });
		assert.equal((await get({ answer: "hmac-sha256-hex" }))?.text, hmac("abc").digest("hex"));
		const twitter = { answer: "hmac-sha256-base64", prefix: "sha256=", field: "response_token" } as const;
		const expected = JSON.stringify({ response_token: `sha256=${hmac("abc").digest("base64")}` });
		assert.deepEqual(await get(twitter), { status: 200, text: expected, headers: JSON_ });
	});

	test("reads nested fields of the body", async () => {
		const nested = { challenge: "body.a.b", token: "body.a.t" } as const;
		const send = (body: object) => answer({ ...handshake, ...nested }, { body: JSON.stringify(body) });
		assert.equal((await send({ a: { b: 42, t: SECRET } }))?.text, "42");
		await assertRefused(send({ a: { b: "x" } }), "unauthorized");
		await assertRefused(send({ a: { b: "x", t: { length: 3 } } }), "unauthorized");
		await assertRefused(send({ a: { b: [1], t: SECRET } }), "bad_request");
		for (const body of [{}, { a: 1 }, { a: [{ b: 1 }] }, { "a.b": 1 }]) assert.equal(await send(body), null);
		const inherited = { ...handshake, challenge: "body.constructor" };
		assert.equal(await answer(inherited, { body: "{}" }), null);
	});

	test("a wrong or missing token is refused, and a call without a challenge is no handshake", async () => {
		for (const query of ["?crc=abc", "?crc=abc&token=", "?crc=abc&token=x"])
			for (const way of ["echo", "hmac-sha256-hex"] as const)
				await assertRefused(get({ answer: way }, query), "unauthorized", /token/);
		assert.equal(await get({}, `?${token}`), null);
	});

	test("without a token the workflow's signature is required", async () => {
		const own = { scheme: "custom", challenge: "body.challenge" } as const;
		const signature = { ...describeSignature("custom"), credential: "hook" };
		const body = '{"challenge":"abc"}';
		assert.equal((await answer(own, sign("custom", body), signature))?.text, "abc");
		await assertRefused(answer(own, { body }, signature), "unauthorized", /not signed/);
		await assertRefused(answer(own, sign("custom", body, "x"), signature), "unauthorized", /not signed/);
		await assertRefused(answer(own, { body }), "unauthorized", /neither/);
	});
});

test("a handshake opens the methods that it needs", () => {
	const expected = {
		slack: ["POST"],
		discord: ["POST"],
		zoom: ["POST"],
		meta: ["GET"],
		microsoft: ["POST", "GET"],
		dropbox: ["GET"],
	} as const;
	for (const scheme of Object.keys(expected) as (keyof typeof expected)[])
		assert.deepEqual(listHandshakeMethods({ scheme }), expected[scheme]);
	assert.deepEqual(listHandshakeMethods({ scheme: "custom", challenge: "query.a" }), ["GET"]);
	assert.deepEqual(listHandshakeMethods({ scheme: "custom", challenge: "body.a" }), ["POST"]);
});
