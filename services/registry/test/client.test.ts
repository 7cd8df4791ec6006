import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hashManifest } from "@tripline/components/installed/canonical";
import { systemClock } from "@tripline/platform/clock";
import { mount } from "@tripline/web/mount";
import { RegistryRefused, RegistryUnavailable, registryClient } from "../src/client.ts";
import { doublingManifest, toManifest } from "./manifests.ts";
import { openRegistry } from "./open-registry.ts";

const market = [toManifest(doublingManifest({ publisher: "tripline" }))];
const baseUrl = "http://registry";

describe("the registry's client", () => {
	test("lists, reads and counts installs, over HTTP and in process", async (context) => {
		const { call, registry } = await openRegistry(context, { market });
		for (const [nth, transport] of [{ fetch: registry.fetch }, { answer: registry.answer }].entries()) {
			const client = registryClient({ ...transport, baseUrl, token: "any-token-at-all" });
			const { components } = await client.list({ q: "double", sort: "recent", limit: 5 });
			assert.deepEqual(
				components.map(({ id }) => id),
				["number-doubler"],
			);
			const version = await client.version("number-doubler", "1.0.0");
			assert.equal(version?.sha256, await hashManifest(market[0] as never));
			assert.equal((await client.component("number-doubler"))?.versions.length, 1);
			await client.countInstall("number-doubler", "1.0.0");
			assert.equal((await call("GET", "/stats")).body.totals.installs, nth + 1);
			assert.equal(await client.version("number-doubler", "2.0.0"), null);
			assert.equal(await client.version("../submissions", "\ud800"), null);
			assert.equal(await client.component("a/b?c#d"), null);
			await assert.rejects(
				client.countInstall("unknown", "1.0.0"),
				(error) => error instanceof RegistryRefused && error.status === 404,
			);
			await assert.rejects(
				client.list({ limit: 1000 }),
				(error) => error instanceof RegistryRefused && error.issues.length === 1,
			);
		}
	});

	test("reaches a registry mounted under a path", async (context) => {
		const { registry } = await openRegistry(context, { market });
		const other = (await openRegistry(context, { market: [] })).registry;
		const deps = { clock: systemClock, log: () => {} };
		const { answer } = mount(other, [{ app: registry, under: "/registry" }], deps);
		const client = registryClient({ answer, baseUrl: "http://registry/registry" });
		assert.equal((await client.list()).components.length, 1);
	});

	test("distinguishes an unusable response from a refusal", async () => {
		const answers: (() => Response)[] = [
			() => new Response("not json"),
			() => Response.json({ other: 1 }),
			() => Response.json({ error: "down" }, { status: 503 }),
			() => Response.json({ error: "slow down" }, { status: 429 }),
			() => new Response(null, { status: 302, headers: { location: "http://elsewhere" } }),
			() => new Response(new Uint8Array(9 * 1024 * 1024)),
			() => {
				throw new TypeError("fetch failed");
			},
		];
		for (const answer of answers) {
			const client = registryClient({ baseUrl, fetch: async () => answer() });
			await assert.rejects(client.component("number-doubler"), RegistryUnavailable);
		}
	});
});

describe("the registry's API", () => {
	test("is described in OpenAPI, with every route and health check", async (context) => {
		const { call, registry } = await openRegistry(context, { market });
		const { body } = await call("GET", "/openapi.json");
		assert.deepEqual(Object.keys(body.paths).sort(), [
			"/components",
			"/components/{id}",
			"/components/{id}/installs",
			"/components/{id}/{version}",
			"/docs",
			"/healthz",
			"/openapi.json",
			"/readyz",
			"/stats",
			"/submissions",
			"/submissions/{id}",
			"/submissions/{id}/review",
		]);
		assert.equal((await registry.fetch(new Request(`${baseUrl}/docs`))).status, 200);
		assert.deepEqual((await call("GET", "/healthz")).body, { status: "ok" });
		assert.equal((await call("GET", "/nothing")).status, 404);
		assert.equal((await call("DELETE", "/components/number-doubler")).status, 405);
	});

	test("reports that it is not ready", async (context) => {
		const { call } = await openRegistry(context, { ready: async () => false });
		assert.equal((await call("GET", "/readyz")).status, 503);
	});

	test("reveals no secret in responses or log lines", async (context) => {
		const { call, lines, submit, review } = await openRegistry(context);
		const token = "canary-publisher-token-0123456789abcdef";
		const { body } = await submit(doublingManifest(), token);
		const told = [
			body,
			(await review(body.id)).body,
			(await call("GET", `/submissions/${body.id}`)).body,
			(await call("GET", "/components/number-doubler")).body,
		];
		const everything = JSON.stringify(told) + lines.join("\n");
		for (const secret of [token, "admin-token-of-the-tests", "token_sha256"])
			assert.ok(!everything.includes(secret), secret);
	});
});
