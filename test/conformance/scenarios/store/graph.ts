import assert from "node:assert/strict";
import { FoundTriplets, Neighbors, NodeSources, Refreshed, Traversal } from "@tripline/contract/graph";
import type { Scenario, World } from "../../scenario.ts";

/** `a-knows-b` is one triplet; all come from the same version of one source. */
async function ingestAll(world: World, uri: string, hash: string, statements: readonly string[]) {
	const candidates = statements.map((text) => {
		const [subject, predicate, object] = text.split("-");
		return { subject, predicate, object };
	});
	const body = { owner_id: world.owner, source: { uri, hash }, candidates };
	assert.equal((await world.call("POST", "/triplets/ingest/batch", { body })).status, 200);
}

type Query = Record<string, string | number>;

async function listNeighbors(world: World, name: string, query: Query = {}) {
	const answer = await world.expect(200, Neighbors, "GET", `/graph/neighbors/${encodeURIComponent(name)}`, {
		query: { owner_id: world.owner, ...query },
	});
	return answer.neighbors.map((each) => `${each.direction} ${each.triplet.predicate} ${each.name}`).sort();
}

const traverse = (world: World, name: string, query: Query = {}) =>
	world.expect(200, Traversal, "GET", "/graph/traverse", {
		query: { owner_id: world.owner, name, ...query },
	});

async function listReached(world: World, name: string, query: Query = {}) {
	return (await traverse(world, name, query)).nodes.map((node) => `${node.name} ${node.depth}`);
}

const sources = (world: World, name: string, query: Query = {}) =>
	world.expect(200, NodeSources, "GET", `/graph/source/${encodeURIComponent(name)}`, {
		query: { owner_id: world.owner, ...query },
	});

export const graph: readonly Scenario[] = [
	{
		name: "neighbors can be listed in both directions, or filtered by direction and predicate",
		cites: [],
		async run(world) {
			await ingestAll(world, "doc", "1", ["a-knows-b", "c-knows-a", "a-likes-d", "a-knows-a", "b-knows-c"]);
			assert.deepEqual(await listNeighbors(world, "a"), [
				"in knows c",
				"out knows a",
				"out knows b",
				"out likes d",
			]);
			assert.deepEqual(await listNeighbors(world, "a", { direction: "in" }), ["in knows a", "in knows c"]);
			assert.deepEqual(await listNeighbors(world, "a", { predicate: "LIKES" }), ["out likes d"]);
			assert.deepEqual(await listNeighbors(world, "a", { direction: "out", predicate: "knows" }), [
				"out knows a",
				"out knows b",
			]);
			assert.deepEqual(await listNeighbors(world, "nobody"), []);
		},
	},
	{
		name: "names match after NFKC, trimming and case folding, in any script",
		cites: [],
		async run(world) {
			await ingestAll(world, "doc", "1", ["Straße-in-Köln", "ＡＢＣ-是-字母", "Σίσυφος-pushes-rock"]);
			for (const name of ["STRASSE", " straße ", "Strasse"]) {
				assert.deepEqual(await listNeighbors(world, name), ["out in Köln"], name);
			}
			assert.deepEqual(await listNeighbors(world, "abc"), ["out 是 字母"]);
			assert.deepEqual(await listNeighbors(world, "ΣΊΣΥΦΟΣ"), ["out pushes rock"]);
			assert.deepEqual(await listNeighbors(world, "ko\u0308ln"), ["in in Straße"]);
		},
	},
	{
		name: "a traversal is breadth-first, visits each node once and ends in a cycle",
		cites: [],
		async run(world) {
			await ingestAll(world, "doc", "1", ["a-r-b", "b-r-c", "c-r-a", "c-r-d", "d-r-e", "x-r-b"]);
			assert.deepEqual(await listReached(world, "a", { direction: "out", depth: 1 }), ["a 0", "b 1"]);
			assert.deepEqual(await listReached(world, "a", { direction: "out", depth: 3 }), [
				"a 0",
				"b 1",
				"c 2",
				"d 3",
			]);
			assert.deepEqual(await listReached(world, "a", { direction: "out", depth: 5 }), [
				"a 0",
				"b 1",
				"c 2",
				"d 3",
				"e 4",
			]);
			assert.deepEqual((await listReached(world, "a", { direction: "both", depth: 2 })).sort(), [
				"a 0",
				"b 1",
				"c 1",
				"d 2",
				"x 2",
			]);
			const all = await traverse(world, "a", { depth: 5 });
			assert.equal(new Set(all.triplets.map((triplet) => triplet.id)).size, 6);
			assert.equal(all.triplets.length, 6);
		},
	},
	{
		name: "a traversal cut by the limit says so",
		cites: [],
		async run(world) {
			await ingestAll(
				world,
				"doc",
				"1",
				Array.from({ length: 30 }, (_, index) => `hub-r-n${index}`),
			);
			const cut = await traverse(world, "hub", { limit: 10, depth: 3 });
			assert.equal(cut.triplets.length, 10);
			assert.equal(cut.truncated, true);
			const whole = await traverse(world, "hub", { limit: 30, depth: 3 });
			assert.equal(whole.triplets.length, 30);
			assert.equal(whole.truncated, false);
		},
	},
	{
		name: "only active triplets are returned; includeDeprecated adds the others",
		cites: [
			"KNOW-NEIGHBORS-ACTIVE-ONLY",
			"KNOW-NEIGHBORS-INCLUDE-DEPRECATED",
			"KNOW-TRAVERSE-ACTIVE-ONLY",
			"KNOW-TRAVERSE-INCLUDE-DEPRECATED",
			"KNOW-SOURCE-ACTIVE-ONLY",
		],
		async run(world) {
			await ingestAll(world, "doc", "v1", ["a-r-old"]);
			await ingestAll(world, "doc", "v2", ["a-r-new"]);
			assert.deepEqual(await listNeighbors(world, "a"), ["out r new"]);
			assert.deepEqual(await listNeighbors(world, "a", { includeDeprecated: "true" }), [
				"out r new",
				"out r old",
			]);
			assert.deepEqual(await listReached(world, "a"), ["a 0", "new 1"]);
			assert.deepEqual((await listReached(world, "a", { includeDeprecated: "true" })).sort(), [
				"a 0",
				"new 1",
				"old 1",
			]);
			const hashes = async (query: Query) =>
				(await sources(world, "a", query)).sources.map((source) => source.content_hash);
			assert.deepEqual(await hashes({}), ["v2"]);
			assert.deepEqual(await hashes({ includeDeprecated: "true" }), ["v2", "v1"]);
		},
	},
	{
		name: "active triplets are found by their words; includeDeprecated adds the others",
		cites: ["KNOW-GRAPH-SEARCH-ACTIVE-ONLY", "KNOW-GRAPH-SEARCH-INCLUDE-DEPRECATED"],
		async run(world) {
			await ingestAll(world, "doc", "v1", ["Ada-works at-Initech", "Ada-likes-green tea", "台北-位於-台灣"]);
			await ingestAll(world, "doc", "v2", ["Ada-works at-Acme", "Ada-likes-green tea", "台北-位於-台灣"]);
			await ingestAll({ ...world, owner: `${world.owner}-other` }, "doc", "1", ["Ada-works at-Secret"]);
			const find = async (q: string, query: Query = {}) => {
				const answer = await world.expect(200, FoundTriplets, "GET", "/graph/search", {
					query: { owner_id: world.owner, q, ...query },
				});
				return answer.triplets.map(({ object, content_hash }) => `${object} ${content_hash}`);
			};
			assert.deepEqual(await find("working"), ["Acme v2"]);
			assert.deepEqual(await find("initech"), []);
			assert.deepEqual(await find("initech", { includeDeprecated: "true" }), ["Initech v1"]);
			assert.deepEqual((await find("ada")).sort(), ["Acme v2", "green tea v2"]);
			assert.deepEqual(await find("ada", { predicate: "LIKES" }), ["green tea v2"]);
			assert.deepEqual((await find("green tea", { includeDeprecated: "true" })).sort(), [
				"green tea v1",
				"green tea v2",
			]);
			assert.deepEqual(await find("台北"), ["台灣 v2"]);
			assert.deepEqual(await find("secret"), []);
			for (const bad of ["", "q=", "q=a&limit=101", "q=a&depth=1", `q=${"x".repeat(1001)}`, "q=%07"]) {
				await world.refuse(422, "GET", `/graph/search?owner_id=${world.owner}&${bad}`);
			}
		},
	},
	{
		name: "a deleted triplet is no longer found by its words, even if it was deprecated",
		cites: [],
		async run(world) {
			await ingestAll(world, "doc", "v1", ["Ada-works at-Initech"]);
			await ingestAll(world, "doc", "v2", ["Ada-works at-Acme"]);
			const query = { owner_id: world.owner, q: "ada", includeDeprecated: "true" };
			const { triplets } = await world.expect(200, FoundTriplets, "GET", "/graph/search", { query });
			assert.equal(triplets.length, 2);
			for (const { id } of triplets) {
				await world.call("DELETE", `/entries/${id}`, { query: { owner_id: world.owner } });
			}
			const left = await world.expect(200, FoundTriplets, "GET", "/graph/search", { query });
			assert.deepEqual(left.triplets, []);
		},
	},
	{
		name: "the sources of a node, as subject and as object, are listed once each",
		cites: [
			"KNOW-SOURCE-LOOKUP",
			"KNOW-SOURCE-DEDUPLICATED",
			"KNOW-SOURCE-URI",
			"KNOW-SOURCE-ANCHOR",
			"KNOW-SOURCE-BLOCK-ID",
			"KNOW-SOURCE-CONTENT-HASH",
		],
		async run(world) {
			const ingest = (subject: string, object: string, source: object) =>
				world.call("POST", "/triplets/ingest", {
					body: { owner_id: world.owner, subject, predicate: "r", object, source },
				});
			await ingest("n", "a", { uri: "doc:1", hash: "h1" });
			await ingest("n", "b", { uri: "doc:1", hash: "h1" });
			await ingest("c", "N", { uri: "doc:2", hash: "h2", anchor: "#x", block_id: "b1" });
			await ingest("other", "thing", { uri: "doc:3", hash: "h3" });
			assert.deepEqual(await sources(world, "n"), {
				name: "n",
				sources: [
					{ uri: "doc:2", anchor: "#x", block_id: "b1", content_hash: "h2" },
					{ uri: "doc:1", anchor: null, block_id: null, content_hash: "h1" },
				],
			});
			assert.deepEqual((await sources(world, "nobody")).sources, []);
		},
	},
	{
		name: "a node is returned with its gloss",
		cites: ["KNOW-ENTITY-GLOSS"],
		async run(world) {
			const body = {
				owner_id: world.owner,
				subject: "Ada",
				predicate: "wrote",
				object: "Notes",
				source: { uri: "doc", hash: "1" },
				gloss: { subject: "a mathematician" },
			};
			await world.call("POST", "/triplets/ingest", { body });
			const { nodes } = await traverse(world, "ADA");
			assert.deepEqual(
				nodes.map((node) => node.gloss),
				["a mathematician", null],
			);
			const query = { owner_id: world.owner };
			const answer = await world.expect(200, Neighbors, "GET", "/graph/neighbors/ada", { query });
			assert.equal(answer.gloss, "a mathematician");
		},
	},
	{
		name: "another owner's nodes are not found",
		cites: ["STORE-ENTRY-ISOLATION"],
		async run(world) {
			await ingestAll({ ...world, owner: `${world.owner}-other` }, "doc", "1", ["a-r-secret"]);
			assert.deepEqual(await listNeighbors(world, "a"), []);
			assert.deepEqual(await listReached(world, "secret"), ["secret 0"]);
			assert.deepEqual((await sources(world, "a")).sources, []);
		},
	},
	{
		name: "a deleted triplet is no longer in the graph",
		cites: [],
		async run(world) {
			await ingestAll(world, "doc", "1", ["a-r-b", "a-r-c"]);
			const { triplets } = await traverse(world, "a");
			const gone = triplets.find((triplet) => triplet.object === "b");
			const query = { owner_id: world.owner };
			assert.equal((await world.call("DELETE", `/entries/${gone?.id}`, { query })).status, 200);
			assert.deepEqual(await listNeighbors(world, "a", { includeDeprecated: "true" }), ["out r c"]);
		},
	},
	{
		name: "without an owner, the graph uses the self-hosted namespace",
		cites: [],
		environment: { MULTI_TENANT: "false", NAMESPACE: "home" },
		async run(world) {
			const body = { subject: "s", predicate: "p", object: "o", source: { uri: "u", hash: "h" } };
			assert.equal((await world.call("POST", "/triplets/ingest", { body })).status, 201);
			const named = await world.expect(200, Neighbors, "GET", "/graph/neighbors/s", {
				query: { owner_id: "home" },
			});
			const unnamed = await world.expect(200, Neighbors, "GET", "/graph/neighbors/s");
			assert.equal(named.neighbors.length, 1);
			assert.deepEqual(unnamed, named);
		},
	},
	{
		name: "in multi-tenant mode a graph request without an owner is rejected",
		cites: [],
		environment: { MULTI_TENANT: "true" },
		async run(world) {
			const body = { subject: "s", predicate: "p", object: "o", source: { uri: "u", hash: "h" } };
			for (const [method, path, options] of [
				["POST", "/triplets/ingest", { body }],
				["POST", "/triplets/ingest/batch", { body: { source: body.source, candidates: [] } }],
				["GET", "/graph/neighbors/s", {}],
				["GET", "/graph/traverse?name=s", {}],
				["GET", "/graph/source/s", {}],
				["GET", "/graph/why?subject=a&predicate=b&object=c", {}],
				["POST", "/graph/refresh", { body: {} }],
			] as const) {
				const { issues } = await world.refuse(422, method, path, options);
				assert.equal(issues?.[0]?.path, "owner_id", path);
			}
		},
	},
	{
		name: "invalid depths, directions, limits, names and parameters are rejected",
		cites: [],
		async run(world) {
			const path = `/graph/traverse?owner_id=${world.owner}&name=a`;
			for (const bad of [
				"depth=0",
				"depth=6",
				"depth=1000",
				"depth=-1",
				"depth=x",
				"direction=up",
				"limit=0",
				"limit=-5",
				"limit=1001",
				"includeDeprecated=yes",
				"predicate=",
				"predicate=%07",
				`predicate=${"x".repeat(513)}`,
				"name=b",
				"q=1",
			]) {
				await world.refuse(422, "GET", `${path}&${bad}`);
			}
			await world.refuse(422, "GET", `/graph/traverse?owner_id=${world.owner}`);
			await world.refuse(422, "GET", `/graph/neighbors/%20?owner_id=${world.owner}`);
			await world.refuse(422, "GET", `/graph/source/${"x".repeat(600)}?owner_id=${world.owner}`);
			await world.refuse(422, "GET", `/graph/why?owner_id=${world.owner}&subject=a&predicate=b`);
		},
	},
	{
		name: "quotes, percent signs and SQL in a name are treated as text",
		cites: [],
		async run(world) {
			for (const name of ["'; drop table triplets; --", '"x"', "%", "_", "a\\b", "?1"]) {
				const body = { owner_id: world.owner, subject: name, predicate: name, object: "o" };
				const source = { uri: name, hash: name };
				assert.equal(
					(await world.call("POST", "/triplets/ingest", { body: { ...body, source } })).status,
					201,
				);
				assert.deepEqual(await listNeighbors(world, name, { predicate: name }), [`out ${name} o`]);
			}
		},
	},
	{
		name: "refresh forwards nothing if no ingest URL is set",
		cites: ["KNOW-REFRESH-FORWARDED", "KNOW-REFRESH-UNSET"],
		async run(world) {
			const body = { owner_id: world.owner, uri: "doc:1" };
			assert.deepEqual(await world.expect(200, Refreshed, "POST", "/graph/refresh", { body }), {
				forwarded: false,
			});
		},
	},
	{
		name: "a run, and so a schedule or a webhook, cannot refresh",
		cites: ["KNOW-REFRESH-BY-PERSON", "KNOW-REFRESH-NO-SCHEDULE", "KNOW-REFRESH-NO-WEBHOOK"],
		async run(world) {
			const headers = { "x-execution-id": "01920000-0000-7000-8000-000000000000" };
			const body = { owner_id: world.owner };
			await world.refuse(403, "POST", "/graph/refresh", { body, headers });
			await world.refuse(405, "GET", "/graph/refresh");
		},
	},
];
