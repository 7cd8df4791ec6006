import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { buildAuthorizeQuery, CALLBACK, openServer, SECRET } from "./open-server.ts";
import { FORBIDDEN } from "./redirect-uris.ts";

describe("attacks on the login", () => {
	for (const redirect_uri of FORBIDDEN) {
		it(`sends no code to ${JSON.stringify(redirect_uri.slice(0, 80))}, even with the owner secret`, async (context) => {
			const { call, post, kv } = await openServer(context);
			for (const response of [
				await call(`/authorize?${buildAuthorizeQuery({ redirect_uri })}`),
				await post("/authorize", buildAuthorizeQuery({ redirect_uri, owner_secret: SECRET })),
				await post(
					"/authorize",
					buildAuthorizeQuery({ redirect_uri, owner_secret: SECRET, response_type: "token" }),
				),
			]) {
				assert.equal(response.status, 400);
				assert.equal(response.headers.get("location"), null);
			}
			assert.deepEqual((await kv.list({ prefix: "" })).keys, []);
		});
	}

	for (const owner_secret of [
		...["null", "undefined", "[object Object]", "true", "*", "%", "' or '1'='1", "\u0000", `${SECRET}\u0000`],
		...[SECRET.normalize("NFKD").replaceAll("e", "é"), `${SECRET}${SECRET}`, SECRET.slice(0, -1), " "],
	]) {
		it(`issues no code for the secret ${JSON.stringify(owner_secret)}`, async (context) => {
			const { post, kv } = await openServer(context);
			const response = await post("/authorize", buildAuthorizeQuery({ owner_secret }));
			assert.equal(response.status, 401);
			assert.deepEqual((await kv.list({ prefix: "" })).keys, []);
		});
	}

	for (const [what, query] of [
		["a second, foreign redirect_uri", `${buildAuthorizeQuery()}&redirect_uri=https%3A%2F%2Fevil.com`],
		[
			"a foreign redirect_uri before the good one",
			`redirect_uri=https%3A%2F%2Fevil.com&${buildAuthorizeQuery()}`,
		],
		[
			"a list of redirect URIs",
			`${buildAuthorizeQuery({ redirect_uri: undefined })}&redirect_uri[]=${encodeURIComponent(CALLBACK)}`,
		],
		[
			"line breaks in the redirect URI",
			String(buildAuthorizeQuery({ redirect_uri: `${CALLBACK}\r\nset-cookie: a=b` })),
		],
	] as const) {
		it(`does not redirect for ${what}`, async (context) => {
			const { call, post } = await openServer(context);
			const secret = new URLSearchParams({ owner_secret: SECRET });
			for (const response of [
				await call(`/authorize?${query}`),
				await post(`/authorize?${query}`, secret),
				await post("/authorize", new URLSearchParams(`${query}&${secret}`)),
			]) {
				assert.equal(response.status, 400);
				assert.equal(response.headers.get("location"), null);
			}
		});
	}

	it("cannot inject lines into the response headers", async (context) => {
		const { post } = await openServer(context);
		const response = await post(
			"/authorize",
			buildAuthorizeQuery({ owner_secret: SECRET, state: "a%0d%0aset-cookie:b=c", response_type: "x" }),
		);
		assert.equal(response.status, 302);
		assert.equal(response.headers.get("set-cookie"), null);
		const broken = await post(
			"/authorize",
			buildAuthorizeQuery({ owner_secret: SECRET, state: "a\r\nset-cookie: b=c" }),
		);
		assert.equal(broken.headers.get("set-cookie"), null);
		assert.match(broken.headers.get("location") ?? "", /error=invalid_request/);
	});
});
