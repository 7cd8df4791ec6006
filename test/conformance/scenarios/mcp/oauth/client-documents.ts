import assert from "node:assert/strict";
import type { OutsideAnswer } from "../../../outside.ts";
import type { Scenario, World } from "../../../scenario.ts";
import { login, requestCode } from "../login.ts";
import { approve, assertPage, buildQuery, openPage, requestBothWays } from "./presenting.ts";
import { readStored, toTokenKey } from "./stored.ts";

const REDIRECT = "https://claude.ai/api/mcp/auth_callback";

export const clientDocuments: readonly Scenario[] = [
	{
		name: "a client_id that is the URL of a metadata document on an allowed host is fetched",
		cites: [],
		async run(world) {
			const client_id = serveDocument(world, "good.claude.ai", (id) => ({
				json: { client_id: id, client_name: "Documented", redirect_uris: [REDIRECT] },
			}));
			const asked = buildQuery({ client_id, redirect_uri: REDIRECT });
			const page = await openPage(world, asked);
			assertPage(page, 200, /Documented/);
			assert.match(String(page.body), /Verified: this application belongs to <bdi>good\.claude\.ai<\/bdi>/);
			assert.equal((await approve(world, asked)).status, 302);
			const token = await login(world, { query: { client_id, redirect_uri: REDIRECT } });
			assert.equal((await readStored(world, toTokenKey(token))).client_id, client_id);
			const [sent] = world.target.outside.sentTo("good.claude.ai");
			assert.equal(sent?.method, "GET");
			assert.equal(sent?.url, client_id);
			assert.ok(!("authorization" in (sent?.headers ?? {})) && !("cookie" in (sent?.headers ?? {})));
		},
	},
	{
		name: "a client with a metadata document is redirected only to the URIs in the document",
		cites: [],
		async run(world) {
			const client_id = serveDocument(world, "listed.claude.ai", (id) => ({
				json: {
					client_id: id,
					redirect_uris: [REDIRECT, "http://localhost/callback", "https://evil.example/"],
				},
			}));
			const back = (redirect_uri: string) => requestBothWays(world, buildQuery({ client_id, redirect_uri }));
			for (const uri of [REDIRECT, "http://localhost:50000/callback"]) {
				assert.deepEqual(
					(await back(uri)).map(({ status }) => status),
					[200, 302],
					uri,
				);
			}
			for (const uri of [
				"https://claude.ai/other",
				"http://localhost:50000/other",
				"https://evil.example/",
			]) {
				for (const answer of await back(uri)) assertPage(answer, 400, /redirect_uri/);
			}
		},
	},
	{
		name: "an invalid or mismatched metadata document is rejected, even with the correct secret",
		cites: [],
		async run(world) {
			const fine = { client_name: "X", redirect_uris: [REDIRECT] };
			const cases: Readonly<Record<string, (id: string) => OutsideAnswer>> = {
				mismatch: () => ({ json: { ...fine, client_id: "https://claude.ai/oauth/another" } }),
				slash: (id) => ({ json: { ...fine, client_id: `${id}/` } }),
				moved: (id) => ({
					status: 302,
					headers: { location: `${id}/elsewhere` },
					json: { ...fine, client_id: id },
				}),
				large: (id) => ({ json: { ...fine, client_id: id, more: "x".repeat(70_000) } }),
				missing: (id) => ({ status: 404, json: { ...fine, client_id: id } }),
				html: (id) => ({
					headers: { "content-type": "text/html" },
					body: JSON.stringify({ ...fine, client_id: id }),
				}),
				broken: () => ({ headers: { "content-type": "application/json" }, body: "{" }),
				list: () => ({ json: [] }),
				secretive: (id) => ({ json: { ...fine, client_id: id, client_secret: "shared" } }),
				lonely: (id) => ({ json: { client_id: id } }),
			};
			const keys = await world.target.oauth.keys();
			for (const [name, serve] of Object.entries(cases)) {
				const host = `${name}.claude.ai`;
				const client_id = serveDocument(world, host, serve);
				for (const answer of await requestBothWays(
					world,
					buildQuery({ client_id, redirect_uri: REDIRECT }),
				)) {
					assertPage(answer, 400, /cannot be used/);
				}
				assert.ok(
					world.target.outside.sentTo(host).every(({ url }) => url === client_id),
					name,
				);
			}
			assert.deepEqual(await world.target.oauth.keys(), keys);
		},
	},
	{
		name: "a client_id that is not a URL on an allowed host is only a name, and nothing is fetched",
		cites: [],
		async run(world) {
			const before = world.target.outside.requests.length;
			for (const client_id of [
				"https://evil.example/client.json",
				"https://claude.ai.evil.example/client.json",
				"http://claude.ai/client.json",
				"https://claude.ai/",
				"https://claude.ai:8443/client.json",
				"https://owner@claude.ai/client.json",
				"https://claude.ai/a/../client.json",
				"https://claude.ai/client.json#x",
				"https://localhost/client.json",
				"https://127.0.0.1:1/client.json",
				"https://169.254.169.254/latest/meta-data",
			]) {
				assertPage(await openPage(world, buildQuery({ client_id })), 200, /An application wants access/);
				await requestCode(world, { query: { client_id } });
			}
			assert.equal(world.target.outside.requests.length, before);
		},
	},
	{
		name: "a metadata document is fetched once per login and cached for a few minutes",
		cites: [],
		async run(world) {
			const host = "once.claude.ai";
			const client_id = serveDocument(world, host, (id) => ({
				json: { client_id: id, redirect_uris: [REDIRECT] },
			}));
			const now = Date.now();
			await world.target.setNow(now);
			const asked = buildQuery({ client_id, redirect_uri: REDIRECT });
			await requestBothWays(world, asked);
			await world.target.setNow(now + 4 * 60_000);
			await requestBothWays(world, asked);
			assert.equal(world.target.outside.sentTo(host).length, 1);
			await world.target.setNow(now + 6 * 60_000);
			await requestBothWays(world, asked);
			assert.equal(world.target.outside.sentTo(host).length, 2);
		},
	},
];

/** The id of a client whose document the host serves. */
function serveDocument(world: World, host: string, serve: (id: string) => OutsideAnswer): string {
	const id = `https://${host}/oauth/client-metadata`;
	world.target.outside.serve(host, () => serve(id));
	return id;
}
