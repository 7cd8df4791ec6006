import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Kv } from "@tripline/platform/kv";
import { createRegistry } from "../src/app.ts";
import { doublingManifest, toManifest } from "./manifests.ts";
import { ADMIN, openRegistry, TOKEN } from "./open-registry.ts";

const NAMES = [
	"alpha-list",
	"bravo-text",
	"charlie-web",
	"delta-money",
	"echo-dates",
	"foxtrot-maps",
	"golf-mail",
];
const market = NAMES.map((id, nth) =>
	toManifest(
		doublingManifest({
			id,
			publisher: "tripline",
			title: `Tool ${id}`,
			description: nth % 2 === 0 ? "Works on *lists* of numbers." : "Does something else.",
			tags: nth < 3 ? ["tools", "first"] : ["tools"],
		}),
	),
);

const listIds = (body: { components: { id: string }[] }) => body.components.map(({ id }) => id);

describe("the market's list", () => {
	test("is searched by words in id, title, description and tags", async (context) => {
		const { call } = await openRegistry(context, { market });
		const findIds = async (search: string) => listIds((await call("GET", `/components?${search}`)).body);
		assert.deepEqual(await findIds("q=ALPHA"), ["alpha-list"]);
		assert.deepEqual(await findIds("q=lists%20first"), ["alpha-list", "charlie-web"]);
		assert.deepEqual(await findIds("q=tool+golf"), ["golf-mail"]);
		assert.deepEqual(await findIds("q=nothing"), []);
		assert.deepEqual(await findIds("q=(a%2B)%2B%24"), []);
		assert.deepEqual(await findIds("tag=first"), NAMES.slice(0, 3));
		assert.deepEqual(await findIds("tag=firs"), []);
		assert.deepEqual(await findIds("q="), NAMES);
	});

	test("is sorted by downloads or by time", async (context) => {
		const { call, clock, published } = await openRegistry(context, { market });
		for (const [id, times] of [
			["golf-mail", 3],
			["bravo-text", 1],
		] as const) {
			for (let nth = 0; nth < times; nth++)
				await call("POST", `/components/${id}/installs`, { body: { version: "1.0.0" } });
		}
		assert.deepEqual(listIds((await call("GET", "/components?limit=3")).body), [
			"golf-mail",
			"bravo-text",
			"alpha-list",
		]);
		await published(doublingManifest());
		clock.time += 60_000;
		await published(doublingManifest({ id: "newest-of-all" }));
		const recent = listIds((await call("GET", "/components?sort=recent&limit=3")).body);
		assert.deepEqual(recent, ["newest-of-all", "number-doubler", "alpha-list"]);
	});

	test("is paged so that each component appears once, even while downloads change", async (context) => {
		const { call } = await openRegistry(context, { market });
		for (const sort of ["downloads", "recent"]) {
			const seen: string[] = [];
			let cursor = "";
			do {
				const { status, body } = await call(
					"GET",
					`/components?sort=${sort}&limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`,
				);
				assert.equal(status, 200);
				seen.push(...listIds(body));
				cursor = body.next_cursor ?? "";
				await call("POST", "/components/alpha-list/installs", { body: { version: "1.0.0" } });
			} while (cursor !== "");
			assert.deepEqual([...seen].sort(), NAMES);
		}
	});

	test("refuses invalid queries", async (context) => {
		const { call } = await openRegistry(context, { market });
		const { next_cursor } = (await call("GET", "/components?limit=1&sort=recent")).body;
		for (const search of [
			"limit=0",
			"limit=101",
			"limit=x",
			"sort=name",
			"cursor=",
			"cursor=x",
			"cursor=W10",
			`cursor=${next_cursor}`,
			"cursor=%FF",
			"tag=a&tag=b",
			"unknown=1",
			`q=${"x".repeat(201)}`,
		]) {
			const { status } = await call("GET", `/components?${search}`);
			assert.equal(status, search === "cursor=%FF" ? 400 : 422, search);
		}
	});

	test("costs two reads, and none while cached", async (context) => {
		let reads = 0;
		const counting = (kv: Kv): Kv => ({
			...kv,
			get(key) {
				reads++;
				return kv.get(key);
			},
		});
		const { call, clock, published } = await openRegistry(context, { market, kv: counting });
		await published(doublingManifest());
		clock.time += 60_000;
		reads = 0;
		await call("GET", "/components");
		assert.equal(reads, 2);
		await call("GET", "/components?q=x");
		assert.equal(reads, 2);
	});

	test("shows another instance's approvals after a short time", async (context) => {
		const { call, clock, published, restart: restarted } = await openRegistry(context, { market });
		const other = restarted();
		assert.equal(listIds((await call("GET", "/components", {}, other)).body).length, 7);
		await published(doublingManifest());
		assert.equal((await call("GET", "/components/number-doubler/1.0.0", {}, other)).status, 200);
		clock.time += 10_000;
		assert.equal(listIds((await call("GET", "/components", {}, other)).body).length, 8);
	});

	test("is restored after the index was lost", async (context) => {
		const { call, components, published, restart: restarted } = await openRegistry(context);
		await published(doublingManifest());
		await published(doublingManifest({ version: "1.1.0" }));
		await published(doublingManifest({ id: "second-thing" }));
		await components.delete("index");
		await published(doublingManifest({ id: "third-thing" }));
		const { body } = await call("GET", "/components", {}, restarted());
		assert.deepEqual(listIds(body), ["number-doubler", "second-thing", "third-thing"]);
		assert.equal(body.components[0].version, "1.1.0");
	});

	test("prefers a published component over a bundled one of the same name from a later release", async (context) => {
		const { call, published, registry, ...parts } = await openRegistry(context);
		await published(doublingManifest());
		const later = createRegistry({
			...parts,
			sandbox: { run: () => Promise.reject(), close: async () => {} },
			market: async () => [
				toManifest(doublingManifest({ publisher: "tripline", code: "return 4;", version: "3.0.0" })),
			],
			log: () => {},
			version: "later",
			settings: { accessToken: undefined, adminToken: undefined, statisticsMs: 1000 },
			ready: async () => true,
		});
		const component = (await call("GET", "/components/number-doubler", {}, later)).body;
		assert.deepEqual([component.publisher, component.version], ["acme", "1.0.0"]);
		assert.equal((await call("GET", "/components/number-doubler/3.0.0", {}, later)).status, 404);
		assert.equal((await call("GET", "/components/number-doubler/1.0.0", {}, later)).status, 200);
	});
});

describe("the list of waiting submissions", () => {
	test("is paged", async (context) => {
		const { call, submit } = await openRegistry(context);
		for (const id of NAMES) assert.equal((await submit(doublingManifest({ id }), TOKEN)).status, 201);
		const headers = { authorization: `Bearer ${ADMIN}` };
		const seen: string[] = [];
		let cursor = "";
		do {
			const { body } = await call("GET", `/submissions?limit=3${cursor === "" ? "" : `&cursor=${cursor}`}`, {
				headers,
			});
			seen.push(...body.submissions.map((each: { component: string }) => each.component));
			cursor = body.next_cursor ?? "";
		} while (cursor !== "");
		assert.deepEqual(seen, NAMES);
		assert.equal((await call("GET", "/submissions?cursor=!", { headers })).status, 422);
	});
});
