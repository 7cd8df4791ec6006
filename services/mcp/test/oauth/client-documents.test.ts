import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type HttpAnswer, type HttpRequest, OutboundRefused } from "@tripline/platform/http";
import { buildAuthorizeQuery, CALLBACK, openServer, readRedirect, SECRET } from "./open-server.ts";

const ID = "https://claude.ai/oauth/mcp-client.json";
const DOCUMENT = {
	client_id: ID,
	client_name: "Claude",
	redirect_uris: [CALLBACK, "http://localhost/callback"],
};

const answer = (body: unknown, changes: Partial<HttpAnswer> = {}): HttpAnswer => ({
	status: 200,
	headers: { "content-type": "application/json" },
	body: new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body)),
	...changes,
});

function serveDocument(send: (request: HttpRequest) => HttpAnswer) {
	const requests: HttpRequest[] = [];
	return {
		requests,
		send: async (request: HttpRequest) => {
			requests.push(request);
			return send(request);
		},
	};
}

describe("client ID metadata documents", () => {
	it("name the client and its redirect URIs", async (context) => {
		const { send, requests } = serveDocument(() => answer(DOCUMENT));
		const { call, post } = await openServer(context, { send });
		const response = await call(`/authorize?${buildAuthorizeQuery({ client_id: ID })}`);
		assert.equal(response.status, 200);
		assert.match(await response.text(), /<bdi>Claude<\/bdi>[\s\S]*belongs to <bdi>claude\.ai<\/bdi>/);
		const local = buildAuthorizeQuery({
			client_id: ID,
			redirect_uri: "http://localhost:1234/callback",
			owner_secret: SECRET,
		});
		assert.notEqual(readRedirect(await post("/authorize", local)).get("code"), null);
		const other = buildAuthorizeQuery({ client_id: ID, redirect_uri: "https://claude.ai/other" });
		assert.equal((await call(`/authorize?${other}`)).status, 400);
		assert.equal(requests[0]?.url.href, ID);
		assert.equal(requests[0]?.timeoutMs, 5_000);
		assert.equal(requests[0]?.maxBytes, 65_536);
	});

	it("are cached for five minutes", async (context) => {
		const { send, requests } = serveDocument(() => answer(DOCUMENT));
		const { call, clock } = await openServer(context, { send });
		for (let count = 0; count < 3; count++)
			await call(`/authorize?${buildAuthorizeQuery({ client_id: ID })}`);
		assert.equal(requests.length, 1);
		clock.time += 300_000;
		await call(`/authorize?${buildAuthorizeQuery({ client_id: ID })}`);
		assert.equal(requests.length, 2);
	});

	it("are cached in a bounded number", async (context) => {
		const { send, requests } = serveDocument(({ url }) => answer({ ...DOCUMENT, client_id: url.href }));
		const { call } = await openServer(context, { send });
		for (const index of [...Array(51).keys(), 50, 0])
			await call(`/authorize?${buildAuthorizeQuery({ client_id: `${ID}/${index}` })}`);
		assert.equal(requests.length, 52);
	});

	for (const [what, given, reason] of [
		["not found", answer("{}", { status: 404 }), /status 404/],
		["a redirect", answer("", { status: 302, headers: { location: "https://evil.com/" } }), /status 302/],
		["a web page", answer(DOCUMENT, { headers: { "content-type": "text/html" } }), /content type/],
		["without a type", answer(DOCUMENT, { headers: {} }), /content type/],
		["no JSON", answer("{"), /not a JSON object/],
		["a list", answer("[]"), /not a JSON object/],
		["no UTF-8", answer("", { body: new Uint8Array([0x7b, 0xff, 0x7d]) }), /not a JSON object/],
		["another's", answer({ ...DOCUMENT, client_id: `${ID}x` }), /client_id is not the URL of the document/],
		["without a client_id", answer({ ...DOCUMENT, client_id: undefined }), /client_id/],
		["with a secret", answer({ ...DOCUMENT, client_secret: "x" }), /client_secret/],
		["without redirect_uris", answer({ client_id: ID }), /redirect_uris/],
		["with other redirect_uris", answer({ ...DOCUMENT, redirect_uris: [7] }), /redirect_uris/],
		[
			"without this redirect_uri",
			answer({ ...DOCUMENT, redirect_uris: [] }),
			/redirect_uri is not registered/,
		],
	] as const) {
		it(`show an error page if the document is ${what}`, async (context) => {
			const { send } = serveDocument(() => given);
			const { call, post } = await openServer(context, { send });
			for (const response of [
				await call(`/authorize?${buildAuthorizeQuery({ client_id: ID })}`),
				await post("/authorize", buildAuthorizeQuery({ client_id: ID, owner_secret: SECRET })),
			]) {
				assert.equal(response.status, 400);
				assert.equal(response.headers.get("location"), null);
				assert.match(await response.text(), reason);
			}
		});
	}

	it("are fetched again after a failure", async (context) => {
		let down = true;
		const { send } = serveDocument(() => {
			if (down) throw new OutboundRefused("claude.ai answered with more than 65536 bytes");
			return answer(DOCUMENT);
		});
		const { call } = await openServer(context, { send });
		const refused = await call(`/authorize?${buildAuthorizeQuery({ client_id: ID })}`);
		assert.equal(refused.status, 400);
		assert.match(await refused.text(), /more than 65536 bytes/);
		down = false;
		assert.equal((await call(`/authorize?${buildAuthorizeQuery({ client_id: ID })}`)).status, 200);
	});

	it("are not fetched from other hosts or from unusual URLs", async (context) => {
		const { send, requests } = serveDocument(() => answer(DOCUMENT));
		const { call } = await openServer(context, { send });
		for (const client_id of [
			...[
				"https://evil.com/client.json",
				"https://claude.ai.evil.com/c",
				"http://claude.ai/c",
				"https://claude.ai/",
			],
			...[
				"https://claude.ai",
				"https://claude.ai/a/../b",
				"https://claude.ai:8443/c",
				"https://u@claude.ai/c",
			],
			...["https://localhost/c", "http://169.254.169.254/c", "https://claude.ai/c#x", "https://CLAUDE.ai/c"],
		]) {
			assert.equal((await call(`/authorize?${buildAuthorizeQuery({ client_id })}`)).status, 200, client_id);
		}
		const nowhere = buildAuthorizeQuery({ client_id: ID, redirect_uri: "https://evil.com/" });
		assert.equal((await call(`/authorize?${nowhere}`)).status, 400);
		assert.equal(requests.length, 0);
	});
});
