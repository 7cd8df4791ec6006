import assert from "node:assert/strict";
import { createVerify, generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import { TerminalError } from "@tripline/engine/terminal-error";
import { createTokens } from "../../src/auth/tokens.ts";
import {
	type Answers,
	open,
	openOutbound,
	type Seen,
	type Stored,
	secret,
	toAuthRecipe,
} from "../outbound/network.ts";

const CLIENT_SECRET = "cl1ent/s3cret+value";
const oauth = (inject: object = {}, fields: Record<string, string> = {}): Stored => ({
	recipe: toAuthRecipe("oauth", {
		type: "oauth2_client_credentials",
		fields: [open("client_id"), secret("client_secret"), { ...open("scope"), optional: true }],
		hosts: ["api.test"],
		inject: { token_url: "https://auth.test/oauth/token", scope: "{scope}", ...inject },
	}),
	fields: { client_id: "me:1", client_secret: CLIENT_SECRET, ...fields },
});

const isTokenCall = ({ url }: Seen) => new URL(url).host === "auth.test";
const tokenJson = (value: string, more: object = { expires_in: 3600 }) => ({
	headers: { "content-type": "application/json" },
	body: JSON.stringify({ access_token: value, token_type: "Bearer", ...more }),
});

/** Issues token-1, token-2 and so on, and responds 200 with the Authorization header of the call. */
function service(options: { more?: object; accepts?: (authorization: string) => boolean } = {}): Answers {
	let issued = 0;
	return (seen) => {
		if (isTokenCall(seen)) return tokenJson(`token-number-${++issued}`, options.more);
		const authorization = seen.headers.authorization ?? "";
		return { status: options.accepts?.(authorization) === false ? 401 : 200 };
	};
}

const CALL = { method: "GET", url: "https://api.test/v1", credential: "own" };
const listAuthorizations = (seen: readonly Seen[]) =>
	seen.filter((one) => !isTokenCall(one)).map(({ headers }) => headers.authorization);
const listTokenCalls = (seen: readonly Seen[]) => seen.filter(isTokenCall).length;

describe("OAuth client credentials", () => {
	test("are exchanged for a token, which authorizes the call", async () => {
		await using outbound = await openOutbound(service(), {
			own: oauth({ audience: "https://api.test/" }, { scope: "a b" }),
		});
		await outbound.http(CALL);
		const [asked, call] = outbound.seen;
		assert.equal(asked?.method, "POST");
		assert.equal(asked?.url, "https://auth.test/oauth/token");
		assert.equal(asked?.headers["content-type"], "application/x-www-form-urlencoded");
		assert.equal(
			asked?.body.toString(),
			"grant_type=client_credentials&scope=a+b&audience=https%3A%2F%2Fapi.test%2F",
		);
		const basic = Buffer.from("me%3A1:cl1ent%2Fs3cret%2Bvalue").toString("base64");
		assert.equal(asked?.headers.authorization, `Basic ${basic}`);
		assert.equal(call?.headers.authorization, "Bearer token-number-1");
	});

	test("may go in the body", async () => {
		await using outbound = await openOutbound(service(), { own: oauth({ client_auth: "body" }) });
		await outbound.http(CALL);
		const form = new URLSearchParams(outbound.seen[0]?.body.toString());
		assert.equal(form.get("client_id"), "me:1");
		assert.equal(form.get("client_secret"), CLIENT_SECRET);
		assert.equal(outbound.seen[0]?.headers.authorization, undefined);
	});

	test("many callers at once make one token request", async () => {
		await using outbound = await openOutbound(service(), { own: oauth() });
		await Promise.all(Array.from({ length: 40 }, () => outbound.http(CALL)));
		assert.equal(listTokenCalls(outbound.seen), 1);
		assert.deepEqual(new Set(listAuthorizations(outbound.seen)), new Set(["Bearer token-number-1"]));
	});

	test("a token is used until shortly before it expires", async () => {
		await using outbound = await openOutbound(service(), { own: oauth() });
		await outbound.http(CALL);
		outbound.time.now += (3600 - 61) * 1000;
		await outbound.http(CALL);
		outbound.time.now += 2_000;
		await outbound.http(CALL);
		assert.deepEqual(listAuthorizations(outbound.seen), [
			"Bearer token-number-1",
			"Bearer token-number-1",
			"Bearer token-number-2",
		]);
	});

	test("a short-lived token is renewed a tenth of its lifetime early; without a lifetime it lasts five minutes", async () => {
		for (const [more, life] of [
			[{ expires_in: "100" }, 90],
			[{}, 270],
			[{ expires_in: 0 }, 0],
			[{ expires_in: "soon" }, 270],
			[{ expires_in: 1e12 }, 86_400 - 60],
		] as const) {
			await using outbound = await openOutbound(service({ more }), { own: oauth() });
			await outbound.http(CALL);
			outbound.time.now += Math.max(life - 1, 0) * 1000;
			await outbound.http(CALL);
			assert.equal(listTokenCalls(outbound.seen), life === 0 ? 2 : 1, JSON.stringify(more));
			outbound.time.now += 2_000;
			await outbound.http(CALL);
			assert.equal(listTokenCalls(outbound.seen), life === 0 ? 3 : 2, JSON.stringify(more));
		}
	});

	test("a rejected cached token is renewed once, by one of many callers", async () => {
		let isRevoked = false;
		const accepts = (authorization: string) => !(isRevoked && authorization.endsWith("-1"));
		await using outbound = await openOutbound(service({ accepts }), { own: oauth() });
		await outbound.http(CALL);
		isRevoked = true;
		const answers = await Promise.all(
			Array.from({ length: 10 }, () =>
				outbound.http({ ...CALL, method: "POST", body: { kind: "text", text: "x" } }),
			),
		);
		assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
		assert.equal(listTokenCalls(outbound.seen), 2);
		assert.equal(outbound.seen.at(-1)?.body.toString(), "x");
	});

	test("a rejected new token is not renewed: the response is 401", async () => {
		await using outbound = await openOutbound(service({ accepts: () => false }), { own: oauth() });
		assert.equal((await outbound.http(CALL)).status, 401);
		assert.equal(outbound.seen.length, 2);
		assert.equal((await outbound.http(CALL)).status, 401);
		assert.equal(outbound.seen.length, 2 + 3, "one more try with a fresh one");
	});

	test("a failure is not cached", async () => {
		let isDown = true;
		const answers = service();
		await using outbound = await openOutbound(
			(seen) => (isTokenCall(seen) && isDown ? { status: 503 } : answers(seen)),
			{
				own: oauth(),
			},
		);
		const first = await Promise.allSettled([outbound.http(CALL), outbound.http(CALL)]);
		for (const outcome of first) {
			assert.ok(outcome.status === "rejected" && !(outcome.reason instanceof TerminalError));
			assert.match(outcome.reason.message, /token endpoint of credential "own" at auth.test answered 503/);
		}
		isDown = false;
		assert.equal((await outbound.http(CALL)).status, 200);
		assert.equal(listTokenCalls(outbound.seen), 2);
	});

	const bad: [string, ReturnType<Answers>, RegExp][] = [
		[
			"an error with its code",
			{ status: 400, body: JSON.stringify({ error: "invalid_client", error_description: CLIENT_SECRET }) },
			/^the token endpoint of credential "own" at auth.test answered 400 \(invalid_client\)$/,
		],
		[
			"an error with a code that is none",
			{ status: 401, body: JSON.stringify({ error: `<${CLIENT_SECRET}>` }) },
			/answered 401$/,
		],
		[
			"an error whose code is the secret in hex",
			{ status: 400, body: JSON.stringify({ error: Buffer.from(CLIENT_SECRET).toString("hex") }) },
			/answered 400$/,
		],
		["a redirect", { status: 302, headers: { location: "https://evil.test/" } }, /answered 302$/],
		["no token", { body: "{}" }, /returned no access token$/],
		["a token that is no text", { body: '{"access_token":{"a":1}}' }, /returned no access token$/],
		[
			"a token with a line break",
			{ body: JSON.stringify({ access_token: "a\r\nb" }) },
			/returned no access token$/,
		],
		["no JSON", { body: "<html>" }, /returned no access token$/],
		["JSON that is no object", { body: "null" }, /returned no access token$/],
		["another kind of token", tokenJson("x", { token_type: "mac" }), /not a bearer token$/],
		[
			"too much",
			{ body: "x".repeat(100_000) },
			/could not be reached: auth.test answered with more than 65536 bytes/,
		],
	];
	for (const [what, reply, message] of bad) {
		test(`a token endpoint that returns ${what} fails the call, which is not sent`, async () => {
			await using outbound = await openOutbound(() => reply, { own: oauth() });
			await assert.rejects(outbound.http(CALL), (error: Error) => {
				assert.match(error.message, message);
				assert.equal(error instanceof TerminalError, !message.source.includes("larger"));
				assert.ok(!error.message.includes(CLIENT_SECRET));
				return true;
			});
			assert.equal(outbound.seen.length, 1);
		});
	}

	test("are not sent to the token endpoint before the call's host is allowed", async () => {
		await using outbound = await openOutbound(service(), { own: oauth() });
		await assert.rejects(
			outbound.http({ ...CALL, url: "https://evil.test/" }),
			/may be sent only to api.test/,
		);
		assert.equal(outbound.seen.length, 0);
	});

	test("are sent to a token endpoint over https only", async () => {
		for (const [token_url, message] of [
			["http://auth.test/token", /token endpoint auth.test over plain http/],
			["ftp://auth.test/token", /no valid token endpoint/],
			["https://me@auth.test/token", /no valid token endpoint/],
			["http://10.0.0.1/token", /not a public address/],
		] as const) {
			await using outbound = await openOutbound(service(), { own: oauth({ token_url }) });
			await assert.rejects(outbound.http(CALL), (error: Error) => {
				assert.ok(error instanceof TerminalError);
				assert.match(error.message, message);
				return true;
			});
			assert.equal(outbound.seen.length, 0);
		}
	});

	test("can set the token endpoint with fields", async () => {
		const scope = "tenant/../x";
		for (const [token_url, value, expected] of [
			["https://auth.test/{scope}/token", scope, "https://auth.test/tenant%2F..%2Fx/token"],
			["{scope}", "https://auth.test/own?a=1", "https://auth.test/own?a=1"],
		] as const) {
			await using outbound = await openOutbound(service(), {
				own: oauth({ token_url, scope: "s" }, { scope: value }),
			});
			await outbound.http(CALL);
			assert.equal(outbound.seen[0]?.url, expected);
		}
	});

	test("a token is redacted from responses", async () => {
		const issue = service();
		await using outbound = await openOutbound(
			(seen) =>
				isTokenCall(seen) ? issue(seen) : { body: `${seen.wire} ${btoa(seen.headers.authorization ?? "")}` },
			{ own: oauth() },
		);
		const body = Buffer.from((await outbound.http(CALL)).body).toString();
		assert.ok(body.includes("Bearer [redacted]"));
		assert.ok(!body.includes("token-number"));
		assert.ok(!body.includes(Buffer.from("token-number-1").toString("base64").slice(4, 12)));
	});
});

describe("service account", () => {
	const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
	const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
	const account = (fields: Record<string, string> = {}): Stored => ({
		recipe: toAuthRecipe("google", {
			type: "service_account_jwt",
			fields: [open("client_email"), secret("private_key"), open("scope"), open("subject"), open("kid")],
			hosts: ["api.test"],
			inject: {
				token_url: "https://auth.test/token",
				scope: "{scope}",
				subject: "{subject}",
				key_id: "{kid}",
			},
		}),
		fields: { client_email: "bot@x.test", private_key: pem, scope: "read write", ...fields },
	});
	const part = (text: string | undefined) => JSON.parse(Buffer.from(text ?? "", "base64url").toString());

	test("exchanges a signed assertion for a token", async () => {
		for (const fields of [
			{},
			{ private_key: pem.replaceAll("\n", "\\n") },
			{ private_key: pem.replaceAll("\n", "\r\n") },
		]) {
			await using outbound = await openOutbound(service(), { own: account(fields) });
			await outbound.http(CALL);
			const form = new URLSearchParams(outbound.seen[0]?.body.toString());
			assert.equal(form.get("grant_type"), "urn:ietf:params:oauth:grant-type:jwt-bearer");
			const [header, claims, signature = ""] = form.get("assertion")?.split(".") ?? [];
			assert.deepEqual(part(header), { alg: "RS256", typ: "JWT" });
			const iat = Math.floor(outbound.time.now / 1000);
			assert.deepEqual(part(claims), {
				iss: "bot@x.test",
				scope: "read write",
				aud: "https://auth.test/token",
				iat,
				exp: iat + 3600,
			});
			const verify = createVerify("RSA-SHA256").update(`${header}.${claims}`);
			assert.ok(verify.verify(publicKey, signature, "base64url"));
			assert.equal(outbound.seen[1]?.headers.authorization, "Bearer token-number-1");
		}
	});

	test("can set a subject and a key id", async () => {
		await using outbound = await openOutbound(service(), {
			own: account({ subject: "user@x.test", kid: "key-1" }),
		});
		await outbound.http(CALL);
		const [header, claims] =
			new URLSearchParams(outbound.seen[0]?.body.toString()).get("assertion")?.split(".") ?? [];
		assert.equal(part(header).kid, "key-1");
		assert.equal(part(claims).sub, "user@x.test");
	});

	const keys: [string, string, RegExp][] = [
		[
			"of another form",
			privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
			/PKCS#1 format: convert it to PKCS#8/,
		],
		[
			"that is none",
			"hello, this is my key and it is not one that anybody could use",
			/cannot be read: it must be an RSA key/,
		],
		["that is cut off", pem.slice(0, 300), /cannot be read/],
		["that is broken", pem.replace(/[A-Z]{2}/g, "!!"), /cannot be read/],
		[
			"of another kind",
			generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
			/cannot be read/,
		],
	];
	for (const [what, private_key, message] of keys) {
		test(`a key ${what} is an error that does not reveal the key`, async () => {
			await using outbound = await openOutbound(service(), { own: account({ private_key }) });
			await assert.rejects(outbound.http(CALL), (error: Error) => {
				assert.ok(error instanceof TerminalError);
				assert.match(error.message, message);
				assert.ok(!error.message.includes(private_key.slice(40, 60)));
				return true;
			});
			assert.equal(outbound.seen.length, 0);
		});
	}
});

describe("cached tokens", () => {
	const never = new AbortController().signal;
	const clock = { now: () => 0 };

	test("a cancelled caller does not affect the others", async () => {
		const tokens = createTokens({ clock, sharesPromises: true });
		const leave = new AbortController();
		let give: (value: { value: string; lifetimeMs: number }) => void = () => {};
		const issue = () => new Promise<{ value: string; lifetimeMs: number }>((resolve) => (give = resolve));
		const gone = tokens.get("k", issue, leave.signal);
		const stays = tokens.get("k", issue, never);
		leave.abort(new Error("gone"));
		await assert.rejects(gone, /gone/);
		give({ value: "t", lifetimeMs: 1000 });
		assert.deepEqual(await stays, { value: "t", isKept: false });
		assert.deepEqual(await tokens.get("k", issue, never), { value: "t", isKept: true });
	});

	test("without shared promises only finished tokens are shared", async () => {
		const tokens = createTokens({ clock, sharesPromises: false });
		const signals: AbortSignal[] = [];
		const issue = async (signal: AbortSignal) => {
			signals.push(signal);
			return { value: `t${signals.length}`, lifetimeMs: 1000 };
		};
		const own = new AbortController().signal;
		await Promise.all([tokens.get("k", issue, never), tokens.get("k", issue, own)]);
		assert.deepEqual(signals, [never, own]);
		assert.equal((await tokens.get("k", issue, never)).isKept, true);
	});

	test("are separate per key and limited in number", async () => {
		const tokens = createTokens({ clock, sharesPromises: true });
		let issued = 0;
		const issue = async () => ({ value: String(++issued), lifetimeMs: 1000 });
		for (let index = 0; index < 1_001; index++) await tokens.get(`k${index}`, issue, never);
		assert.equal((await tokens.get("k1000", issue, never)).isKept, true);
		assert.equal((await tokens.get("k0", issue, never)).isKept, false);
	});

	test("are dropped only if they have not been replaced", async () => {
		const tokens = createTokens({ clock, sharesPromises: true });
		const issue = async () => ({ value: "new", lifetimeMs: 1000 });
		await tokens.get("k", issue, never);
		tokens.drop("k", "old");
		assert.equal((await tokens.get("k", issue, never)).isKept, true);
		tokens.drop("k", "new");
		assert.equal((await tokens.get("k", issue, never)).isKept, false);
	});
});
