import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { consoleCallback, findRedirectProblem } from "../../src/oauth/redirect-uri.ts";
import { buildAuthorizeQuery, json, ORIGIN, openServer, readRedirect, SECRET } from "./open-server.ts";

const OWN = `${ORIGIN}/console/callback`;
const SET = { environment: { MCP_URL: ORIGIN } };

/** Redirect URIs of attackers who want the code sent to another page of the same host. */
const ATTACKS = [
	`${ORIGIN}/`,
	`${ORIGIN}/callback`,
	`${ORIGIN}/console`,
	`${OWN}/`,
	`${OWN}/../../webhooks/x/trigger`,
	`${OWN}2`,
	`${OWN}%2f..`,
	`${OWN}.html`,
	`${OWN}?`,
	`${OWN}?next=https://evil.com`,
	`${OWN}#`,
	`${OWN};x`,
	`${ORIGIN}/console//callback`,
	`${ORIGIN}/console/%63allback`,
	`${ORIGIN}/Console/callback`,
	`${ORIGIN}:443/console/callback`,
	`${ORIGIN}:8443/console/callback`,
	`${ORIGIN}./console/callback`,
	OWN.replace("https:", "http:"),
	OWN.replace("https:", "HTTPS:"),
	OWN.replace("//", "//owner@"),
	OWN.replace("//", "//evil.com@"),
	OWN.replace("tripline.example", "TRIPLINE.example"),
	OWN.replace("tripline.example", "tripline.example.evil.com"),
	OWN.replace("tripline.example", "other.tripline.example"),
	OWN.replace("tripline.example", "eviltripline.example"),
	OWN.replace("tripline.example", "tripline.example\\@evil.com"),
];

describe("the console's own redirect", () => {
	it("is registered and gets a code, which is exchanged for a token", async (context) => {
		const { post, call, tokenFor } = await openServer(context, SET);
		const registered = await post("/register", JSON.stringify({ redirect_uris: [OWN] }), { headers: json });
		assert.equal(registered.status, 201);
		const { client_id } = (await registered.json()) as { client_id: string };
		assert.equal(
			(await call(`/authorize?${buildAuthorizeQuery({ client_id, redirect_uri: OWN })}`)).status,
			200,
		);
		const given = await post(
			"/authorize",
			buildAuthorizeQuery({ client_id, redirect_uri: OWN, owner_secret: SECRET }),
		);
		assert.equal(given.status, 302);
		assert.ok(given.headers.get("location")?.startsWith(`${OWN}?code=`));
		assert.ok(readRedirect(given).get("code"));
		assert.ok(await tokenFor());
	});

	it("gets a login page; every other client gets one that asks for access", async (context) => {
		const { call } = await openServer(context, SET);
		const readPage = async (redirect_uri: string) =>
			(await call(`/authorize?${buildAuthorizeQuery({ redirect_uri })}`)).text();
		assert.match(await readPage(OWN), /<h1>Log in to Tripline<\/h1>/);
		for (const other of ["http://localhost:9999/console/callback", "http://localhost:9999/callback"])
			assert.match(await readPage(other), / wants access to Tripline<\/h1>/);
	});

	for (const redirect_uri of ATTACKS) {
		it(`does not allow ${redirect_uri}`, async (context) => {
			const { call, post, kv } = await openServer(context, SET);
			const registered = await post("/register", JSON.stringify({ redirect_uris: [redirect_uri] }), {
				headers: json,
			});
			assert.equal(registered.status, 400);
			for (const response of [
				await call(`/authorize?${buildAuthorizeQuery({ redirect_uri })}`),
				await post("/authorize", buildAuthorizeQuery({ redirect_uri, owner_secret: SECRET })),
			]) {
				assert.equal(response.status, 400);
				assert.equal(response.headers.get("location"), null);
			}
			assert.deepEqual((await kv.list({ prefix: "" })).keys, []);
		});
	}

	it("is built from the configured address, whatever host a request names", async (context) => {
		const { call } = await openServer(context, SET);
		const unset = await openServer(context);
		const forged = "https://evil.com";
		const redirect_uri = `${forged}/console/callback`;
		for (const [asked, origin] of [
			[call, forged],
			[unset.call, forged],
			[unset.call, ORIGIN],
		] as const) {
			const headers = { host: "evil.com", "x-forwarded-host": "evil.com" };
			const path = `/authorize?${buildAuthorizeQuery({ redirect_uri: `${origin}/console/callback` })}`;
			assert.equal((await asked(path, { origin, headers })).status, 400);
		}
		const own = `/authorize?${buildAuthorizeQuery({ redirect_uri: OWN })}`;
		assert.equal((await call(own, { origin: forged })).status, 200);
		assert.equal((await call(`/authorize?${buildAuthorizeQuery({ redirect_uri })}`)).status, 400);
	});

	it("exists only for https, with the configured port", () => {
		assert.equal(consoleCallback(undefined), null);
		assert.equal(consoleCallback("http://192.0.2.1:8484"), null);
		assert.equal(consoleCallback("https://Tripline.example:443"), OWN);
		const own = consoleCallback("https://tripline.example:8443");
		assert.equal(findRedirectProblem("https://tripline.example:8443/console/callback", [], own), null);
		assert.notEqual(findRedirectProblem(OWN, [], own), null);
	});
});
