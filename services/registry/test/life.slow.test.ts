import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hashManifest, toCanonicalJson } from "@tripline/components/installed/canonical";
import { market } from "../src/market/market.ts";
import { callingManifest, doublingManifest, toManifest } from "./manifests.ts";
import { ADMIN, openRegistry, TOKEN } from "./open-registry.ts";

describe("a component's life cycle", () => {
	test("goes from submission through review to the market, installs and statistics", async (context) => {
		const { call, submit, review } = await openRegistry(context);
		const sha256 = await hashManifest(toManifest(doublingManifest()));

		const submitted = await submit(doublingManifest(), undefined, { sha256 });
		assert.equal(submitted.status, 201);
		const { id, checks, publisher_token } = submitted.body;
		assert.deepEqual(
			[submitted.body.status, submitted.body.component, submitted.body.version, submitted.body.sha256],
			["pending", "number-doubler", "1.0.0", sha256],
		);
		assert.match(publisher_token, /^tlr_[\w-]{43}$/);
		assert.deepEqual(
			checks.map((check: { name: string; ok: boolean }) => [check.name, check.ok]),
			["size", "hash", "publisher", "name", "version", "manifest", "hosts", "trial"].map((name) => [
				name,
				true,
			]),
		);
		assert.equal((await call("GET", "/components")).body.components.length, 0);
		assert.equal((await call("GET", "/components/number-doubler/1.0.0")).status, 404);

		const waiting = await call("GET", "/submissions", { headers: { authorization: `Bearer ${ADMIN}` } });
		assert.deepEqual(
			waiting.body.submissions.map((each: { id: string; component: string }) => [each.id, each.component]),
			[[id, "number-doubler"]],
		);
		const reviewed = await review(id, { decision: "approve", reason: "Useful" });
		assert.deepEqual(
			[reviewed.status, reviewed.body.status, reviewed.body.reason],
			[200, "approved", "Useful"],
		);
		const seen = await call("GET", `/submissions/${id}`);
		assert.deepEqual([seen.body.status, seen.body.manifest.code], ["approved", doublingManifest().code]);
		assert.ok(!JSON.stringify(seen.body).includes("token"));

		const { components, next_cursor } = (await call("GET", "/components")).body;
		assert.equal(next_cursor, null);
		assert.deepEqual(components, [
			{
				id: "number-doubler",
				version: "1.0.0",
				title: "Number doubler",
				description: "Doubles a number.",
				kind: "code",
				publisher: "acme",
				license: "MIT",
				tags: ["numbers"],
				hosts: [],
				credentials: [],
				downloads: 0,
				updated_at: "2026-11-15T12:00:00.000Z",
				sha256,
			},
		]);
		const version = await call("GET", "/components/number-doubler/1.0.0");
		assert.equal(version.body.sha256, sha256);
		assert.equal(await hashManifest(version.body.manifest), sha256);
		assert.match(version.headers.get("cache-control") ?? "", /immutable/);

		for (let nth = 0; nth < 3; nth++) {
			const counted = await call("POST", "/components/number-doubler/installs", {
				body: { version: "1.0.0" },
			});
			assert.deepEqual([counted.status, counted.body], [202, { counted: true }]);
		}
		assert.equal((await call("GET", "/components/number-doubler")).body.downloads, 3);
		assert.deepEqual((await call("GET", "/stats")).body, {
			totals: { components: 1, versions: 1, installs: 3 },
			components: [{ id: "number-doubler", installs: 3 }],
			days: [{ date: "2026-11-15", installs: 3, components: [{ id: "number-doubler", installs: 3 }] }],
		});
	});

	test("a recipe with its own auth recipe is published and hashed with its defaults filled in", async (context) => {
		const { call, published } = await openRegistry(context);
		await published(callingManifest());
		const { manifest, sha256 } = (await call("GET", "/components/acme-tickets/1.0.0")).body;
		assert.equal(toCanonicalJson(manifest), toCanonicalJson(toManifest(callingManifest())));
		assert.equal(manifest.auth_recipes["acme-key"].inject.token, "{token}");
		assert.equal(await hashManifest(manifest), sha256);
	});

	test("a rejected submission has a reason, and the version can be submitted again", async (context) => {
		const { call, submit, review } = await openRegistry(context);
		const first = await submit(doublingManifest(), TOKEN);
		const rejected = await review(first.body.id, { decision: "reject", reason: "Say what for" });
		assert.deepEqual([rejected.status, rejected.body.status], [200, "rejected"]);
		const seen = (await call("GET", `/submissions/${first.body.id}`)).body;
		assert.deepEqual([seen.status, seen.reason], ["rejected", "Say what for"]);
		assert.equal((await call("GET", "/components")).body.components.length, 0);
		assert.equal((await submit(doublingManifest(), TOKEN)).status, 201);
	});

	test("versions are listed in the order of their numbers", async (context) => {
		const { call, clock, published } = await openRegistry(context);
		for (const version of ["1.0.0", "1.2.0", "1.10.0"]) {
			clock.time += 60_000;
			await published(doublingManifest({ version, title: `Doubler ${version}` }));
		}
		const component = (await call("GET", "/components/number-doubler")).body;
		assert.deepEqual(
			[component.version, component.title, component.updated_at, component.manifest.version],
			["1.10.0", "Doubler 1.10.0", "2026-11-15T12:03:00.000Z", "1.10.0"],
		);
		assert.deepEqual(
			component.versions.map((each: { version: string }) => each.version),
			["1.10.0", "1.2.0", "1.0.0"],
		);
		const first = (await call("GET", "/components/number-doubler/1.0.0")).body;
		assert.deepEqual([first.manifest.title, first.sha256], ["Doubler 1.0.0", component.versions[2].sha256]);
	});

	test("a waiting submission and its claim on the name expire after 30 days", async (context) => {
		const { call, clock, submit } = await openRegistry(context);
		const { body } = await submit(doublingManifest(), TOKEN);
		assert.equal(body.expires_at, "2026-12-15T12:00:00.000Z");
		clock.time += 30 * 24 * 60 * 60 * 1000 - 1;
		assert.equal((await call("GET", `/submissions/${body.id}`)).status, 200);
		clock.time += 1;
		assert.equal((await call("GET", `/submissions/${body.id}`)).status, 404);
		const headers = { authorization: `Bearer ${ADMIN}` };
		assert.deepEqual((await call("GET", "/submissions", { headers })).body.submissions, []);
		assert.equal((await submit(doublingManifest({ publisher: "other" }))).status, 201);
	});

	test("bundled components are on the market from the start, and stay", async (context) => {
		const brought = [
			toManifest(doublingManifest({ publisher: "tripline" })),
			toManifest(doublingManifest({ publisher: "tripline", version: "1.1.0" })),
		];
		const { call, published, submit } = await openRegistry(context, { market: brought });
		await published(callingManifest());
		const { components } = (await call("GET", "/components?sort=recent")).body;
		assert.deepEqual(
			components.map((each: { id: string; version: string; updated_at: string | null }) => [
				each.id,
				each.version,
				each.updated_at,
			]),
			[
				["acme-tickets", "1.0.0", "2026-11-15T12:00:00.000Z"],
				["number-doubler", "1.1.0", null],
			],
		);
		const old = await call("GET", "/components/number-doubler/1.0.0");
		assert.equal(old.body.sha256, await hashManifest(brought[0] as never));
		assert.equal(
			(await call("POST", "/components/number-doubler/installs", { body: { version: "1.1.0" } })).status,
			202,
		);
		for (const publisher of ["tripline", "Tripline", "trip1ine", "tripline.", "tripline  "]) {
			const answer = await submit(doublingManifest({ publisher, version: "2.0.0" }));
			assert.equal(answer.status, 422, publisher);
			assert.ok(answer.body.issues.some((issue: { path: string }) => issue.path === "publisher"));
		}
	});

	test("all bundled components pass the registry's checks", async (context) => {
		const { call, published } = await openRegistry(context);
		for (const manifest of market) await published(manifest);
		const { components } = (await call("GET", "/components?limit=100")).body;
		assert.equal(components.length, market.length);
	});
});
