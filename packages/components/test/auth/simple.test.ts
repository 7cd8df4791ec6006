import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { open, openOutbound, type Stored, secret, toAuthRecipe } from "../outbound/network.ts";

const hosts = ["api.test"];
const createStored = (recipe: object, fields: Record<string, string>): Stored => ({
	recipe: toAuthRecipe("own", { hosts, ...recipe } as Parameters<typeof toAuthRecipe>[1]),
	fields,
});

async function sendWith(credential: Stored, url = "https://api.test/v1?key=old&a=b%20c&key=older") {
	await using outbound = await openOutbound(() => ({}), { own: credential });
	await outbound.http({ method: "GET", url, credential: "own" });
	const [request] = outbound.seen;
	assert.ok(request);
	return request;
}

describe("auth recipes without tokens", () => {
	test("bearer, with its default and with text around the field", async () => {
		const fields = [secret("token")];
		const plain = await sendWith(createStored({ type: "bearer", fields }, { token: "t" }));
		assert.equal(plain.headers.authorization, "Bearer t");
		const around = createStored({ type: "bearer", fields, inject: { token: "v1.{token}" } }, { token: "t" });
		assert.equal((await sendWith(around)).headers.authorization, "Bearer v1.t");
	});

	test("basic, as in RFC 7617", async () => {
		const basic = (username: string, password: string) =>
			sendWith(
				createStored(
					{ type: "basic", fields: [open("username"), secret("password")] },
					{ username, password },
				),
			);
		assert.equal(
			(await basic("Aladdin", "open sesame")).headers.authorization,
			"Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
		);
		assert.equal((await basic("test", "123£")).headers.authorization, "Basic dGVzdDoxMjPCow==");
		await assert.rejects(basic("a:b", "c"), /"own" has a colon in its user name/);
	});

	test("basic with a fixed user name or password, or without a value", async () => {
		const fields = [secret("key"), { ...secret("other"), optional: true }];
		const inject = { username: "{key}", password: "{other}" };
		const request = await sendWith(createStored({ type: "basic", fields, inject }, { key: "sk_1" }));
		assert.equal(request.headers.authorization, `Basic ${btoa("sk_1:")}`);
	});

	test("header: several, in lower case", async () => {
		const inject = { headers: { "X-Key": "{key}", Authorization: "Bot {key}/{id}" } };
		const fields = [secret("key"), open("id")];
		const request = await sendWith(createStored({ type: "header", fields, inject }, { key: "k", id: "i" }));
		assert.equal(request.headers["x-key"], "k");
		assert.equal(request.headers.authorization, "Bot k/i");
	});

	test("query: replaces existing parameters, keeps the rest as written", async () => {
		const inject = { query: { key: "{key}", none: "{none}" } };
		const fields = [secret("key"), { ...secret("none"), optional: true }];
		const request = await sendWith(createStored({ type: "query", fields, inject }, { key: "a&b=c d" }));
		assert.equal(request.url, "https://api.test/v1?a=b%20c&key=a%26b%3Dc%20d");
	});

	test("path: prefixes the URL's path, which cannot leave it", async () => {
		const fields = [secret("token")];
		const inject = { prefix: "/bot{token}/" };
		const url = "https://api.test/getMe?a=1";
		const telegram = await sendWith(
			createStored({ type: "path", fields, inject }, { token: "123:AB-c" }),
			url,
		);
		assert.equal(telegram.url, "https://api.test/bot123:AB-c/getMe?a=1");
		const odd = await sendWith(createStored({ type: "path", fields, inject }, { token: "a/../?b#c" }), url);
		assert.equal(odd.url, "https://api.test/bota%2F..%2F%3Fb%23c/getMe?a=1");
	});

	test("path: the prefix can stand behind the start of a path, as in Telegram's downloads", async () => {
		const inject = { prefix: "/bot{token}", after: ["/file"] };
		const stored = createStored({ type: "path", fields: [secret("token")], inject }, { token: "123:AB-c" });
		for (const [path, expected] of [
			["/file/documents/a.pdf", "/file/bot123:AB-c/documents/a.pdf"],
			["/file/bot123:AB-c/documents/a.pdf", "/file/bot123:AB-c/documents/a.pdf"],
			["/file", "/bot123:AB-c/file"],
			["/files/a.pdf", "/bot123:AB-c/files/a.pdf"],
			["/getMe", "/bot123:AB-c/getMe"],
		] as const)
			assert.equal((await sendWith(stored, `https://api.test${path}`)).url, `https://api.test${expected}`);
	});

	test("a credential without its field fails with a clear message", async () => {
		const empty = createStored({ type: "bearer", fields: [secret("token")] }, { other: "x" });
		await assert.rejects(sendWith(empty), /credential "own" has no token: set its field token/);
	});
});
