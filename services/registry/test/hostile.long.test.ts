import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { doublingManifest } from "./manifests.ts";
import { openRegistry, TOKEN } from "./open-registry.ts";
import { buildExamples, FAILED_CHECKS, NO_MANIFEST, nestObject } from "./refusals.ts";

describe("hostile submissions", () => {
	for (const [group, refusals] of [
		["that are not manifests", NO_MANIFEST],
		["that fail a check", FAILED_CHECKS],
	] as const) {
		test(`${group} are refused with the reason, and nothing is stored`, async (context) => {
			const { submit, published, call, submissions, components } = await openRegistry(context);
			await published(doublingManifest({ id: "text-tool", publisher: "bob", version: "2.0.0" }));
			const before = [await submissions.list({ prefix: "" }), await components.list({ prefix: "" })];
			for (const [what, manifest, status, why, more] of refusals) {
				const answer = await submit(manifest, TOKEN, more);
				const told = JSON.stringify(answer.body);
				assert.equal(answer.status, status, `${what}: ${told}`);
				assert.match(told, why, what);
				assert.equal(typeof answer.body.error, "string", what);
			}
			assert.deepEqual(
				[await submissions.list({ prefix: "" }), await components.list({ prefix: "" })],
				before,
			);
			assert.equal((await call("GET", "/components")).body.components.length, 1);
			assert.equal((await submit(doublingManifest(), TOKEN)).status, 201);
		});
	}

	test("bodies that are too large, too deeply nested or not JSON are refused", async (context) => {
		const { call, submit } = await openRegistry(context);
		const large = doublingManifest({ params: { type: "object", description: "x".repeat(300_000) } });
		assert.equal((await submit(large)).status, 413);
		assert.equal((await submit(doublingManifest({ description: "x".repeat(2_000_000) }))).status, 413);
		assert.equal((await submit(doublingManifest({ params: nestObject(70) }))).status, 400);
		assert.equal(
			(await submit(doublingManifest({ examples: buildExamples({ params: { n: "\ud800" } }) }))).status,
			400,
		);
		for (const raw of ["", "{", "[".repeat(100_000), '{"manifest":1e999}', "nul"]) {
			assert.equal(
				(await call("POST", "/submissions", { raw: raw === "" ? " " : raw })).status,
				400,
				raw.slice(0, 9),
			);
		}
	});

	test("names of prototype properties are ordinary names", async (context) => {
		const { call, published } = await openRegistry(context);
		await published(doublingManifest({ id: "constructor", tags: ["valueof"] }));
		assert.equal((await call("GET", "/components/constructor")).body.id, "constructor");
		assert.equal(
			(await call("POST", "/components/constructor/installs", { body: { version: "1.0.0" } })).status,
			202,
		);
		for (const id of [
			"__proto__",
			"toString",
			"hasownproperty",
			"index",
			"%2e%2e",
			"constructor@1.0.0",
			"component%3Aconstructor",
		]) {
			assert.equal((await call("GET", `/components/${id}`)).status, 404, id);
			assert.equal((await call("GET", `/components/${id}/1.0.0`)).status, 404, id);
			assert.equal(
				(await call("POST", `/components/${id}/installs`, { body: { version: "1.0.0" } })).status,
				404,
				id,
			);
		}
		assert.deepEqual((await call("GET", "/stats")).body.components, [{ id: "constructor", installs: 1 }]);
	});

	test("a publisher's name belongs to the holder of its token", async (context) => {
		const { submit, published } = await openRegistry(context);
		const first = await submit(doublingManifest());
		const token = first.body.publisher_token;
		const next = doublingManifest({ id: "other-thing" });
		for (const wrong of [
			undefined,
			"x",
			`${token}x`,
			token.slice(1),
			"null",
			"undefined",
			"[]",
			TOKEN,
			`${token}, ${token}`,
		]) {
			assert.equal((await submit(next, wrong)).status, 403, String(wrong));
			assert.equal((await submit({ ...next, publisher: "ACME " }, wrong)).status, 403, String(wrong));
		}
		const second = await submit(next, token);
		assert.deepEqual([second.status, second.body.publisher_token], [201, undefined]);
		await published(doublingManifest({ id: "own-token", publisher: "carol" }), TOKEN);
		assert.equal(
			(await submit(doublingManifest({ id: "own-token", publisher: "carol", version: "1.0.1" }))).status,
			403,
		);
	});

	test("a name used by another publisher's waiting submission is taken", async (context) => {
		const { submit } = await openRegistry(context);
		await submit(doublingManifest());
		const answer = await submit(doublingManifest({ publisher: "mallory", version: "9.0.0" }));
		assert.equal(answer.status, 422);
		assert.match(JSON.stringify(answer.body.issues), /another publisher/);
	});

	test("a published or waiting version cannot be submitted again, not even unchanged", async (context) => {
		const { call, published, submit } = await openRegistry(context);
		await published(doublingManifest());
		const before = (await call("GET", "/components/number-doubler/1.0.0")).body;
		for (const again of [doublingManifest(), doublingManifest({ title: "Other" })]) {
			const answer = await submit(again, TOKEN);
			assert.equal(answer.status, 409);
			assert.match(answer.body.error, /cannot change/);
		}
		assert.deepEqual((await call("GET", "/components/number-doubler/1.0.0")).body, before);
		const waiting = await submit(doublingManifest({ version: "1.1.0" }), TOKEN);
		const again = await submit(doublingManifest({ version: "1.1.0" }), TOKEN);
		assert.equal(again.status, 409);
		assert.ok(again.body.error.includes(waiting.body.id));
	});

	test("of many parallel submissions of one version, one is accepted", async (context) => {
		const { submit, submissions } = await openRegistry(context);
		const answers = await Promise.all(
			Array.from({ length: 8 }, (_, nth) => submit(doublingManifest({ title: `Number ${nth}` }), TOKEN)),
		);
		assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409, 409, 409]);
		assert.equal((await submissions.list({ prefix: "submission:" })).keys.length, 1);
	});

	test("of many new publishers that claim a name in parallel, one gets it", async (context) => {
		const { submit } = await openRegistry(context);
		const answers = await Promise.all(
			Array.from({ length: 6 }, (_, nth) =>
				submit(doublingManifest({ id: `number-tool-${"abcdef"[nth]?.repeat(3)}` })),
			),
		);
		assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 403, 403, 403, 403, 403]);
	});

	test("submissions are checked a few at a time", async (context) => {
		const { submit } = await openRegistry(context);
		const answers = await Promise.all(Array.from({ length: 12 }, () => submit(doublingManifest(), TOKEN)));
		const refused = answers.filter(({ status }) => status === 429);
		assert.equal(refused.length, 4);
		assert.equal(refused[0]?.headers.get("retry-after"), "5");
	});

	test("at most 20 submissions of a publisher, and 1000 in total, wait for review", async (context) => {
		const { submit, submissions } = await openRegistry(context);
		for (let nth = 0; nth < 20; nth++)
			assert.equal((await submit(doublingManifest({ version: `1.0.${nth}` }), TOKEN)).status, 201);
		const over = await submit(doublingManifest({ version: "2.0.0" }), TOKEN);
		assert.deepEqual([over.status, over.headers.get("retry-after")], [429, "3600"]);
		const other = { id: "something-else", publisher: "other" };
		assert.equal((await submit(doublingManifest(other))).status, 201);
		for (let nth = 21; nth < 1000; nth++) await submissions.put(`pending:filler@1.0.${nth}/x/${nth}`, "{}");
		const full = await submit(doublingManifest({ id: "one-too-many", publisher: "third" }));
		assert.equal(full.status, 429);
		assert.match(full.body.error, /wait for review/);
	});
});
