import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import type { Entry } from "@tripline/contract/entries";
import { INTERNAL_ENTRY_TYPES } from "@tripline/contract/entry-types";
import type { Json } from "@tripline/contract/json";
import { openKnowledge } from "./open-knowledge.ts";
import { runForError, runForOutput } from "./run-node.ts";

async function open(context: TestContext) {
	const { client, knowledge, close } = await openKnowledge("tenant");
	context.after(close);
	const setting = { effects: { knowledge } };
	return {
		client,
		run: (component: string, params: { [name: string]: Json }) => runForOutput(component, params, setting),
		fail: (component: string, params: { [name: string]: Json }) => runForError(component, params, setting),
	};
}

describe("knowledge components", () => {
	test("what kb_upsert writes, kb_get reads and kb_search finds", async (context) => {
		const { run } = await open(context);
		const first = (await run("kb_upsert", {
			page_name: "Tea",
			content: "Green tea",
			metadata: { hot: true },
		})) as {
			created: boolean;
			entry: Entry;
		};
		assert.equal(first.created, true);
		assert.equal(first.entry.owner_id, "tenant");
		assert.equal(first.entry.metadata_json, '{"hot":true}');
		const again = await run("kb_upsert", {
			page_name: "Tea",
			content: "Black tea",
			metadata_json: '{"a": 1}',
		});
		assert.equal((again as { created: boolean }).created, false);
		const entry = (await run("kb_get", { page_name: "Tea" })) as Entry;
		assert.deepEqual(
			{ id: entry.id, content: entry.content, metadata_json: entry.metadata_json },
			{ id: first.entry.id, content: "Black tea", metadata_json: '{"a": 1}' },
		);
		const found = (await run("kb_search", { q: "black", entry_types: ["note"] })) as {
			suggestions: { id: string }[];
		};
		assert.deepEqual(
			found.suggestions.map(({ id }) => id),
			[first.entry.id],
		);
	});

	test("kb_upsert without metadata keeps the entry's metadata", async (context) => {
		const { run } = await open(context);
		const upsert = async (params: { [name: string]: Json }) => {
			const written = (await run("kb_upsert", { page_name: "Tea", ...params })) as { entry: Entry };
			return [written.entry.content, written.entry.metadata_json];
		};
		assert.deepEqual(await upsert({ content: "a" }), ["a", "{}"]);
		assert.deepEqual(await upsert({ content: "b", metadata: { hot: true } }), ["b", '{"hot":true}']);
		assert.deepEqual(await upsert({ content: "c" }), ["c", '{"hot":true}']);
		assert.deepEqual(await upsert({ content: "d", metadata: {} }), ["d", "{}"]);
	});

	test("kb_neighbors lists ingested triplets, and deprecated ones only on request", async (context) => {
		const { run } = await open(context);
		const ingest = (object: string, hash: string) =>
			run("kb_ingest_triplet", {
				subject: "Ada",
				predicate: "works at",
				object,
				source: { uri: "team", hash },
			});
		assert.equal(((await ingest("Acme", "1")) as { action: string }).action, "created");
		assert.equal(((await ingest("Acme", "1")) as { action: string }).action, "unchanged");
		assert.equal(((await ingest("Beta", "2")) as { action: string }).action, "replaced");
		const listNeighborNames = async (params: { [name: string]: Json }) => {
			const { neighbors } = (await run("kb_neighbors", { name: "ada", ...params })) as {
				neighbors: { name: string }[];
			};
			return neighbors.map(({ name }) => name).sort();
		};
		assert.deepEqual(await listNeighborNames({}), ["Beta"]);
		assert.deepEqual(await listNeighborNames({ includeDeprecated: true }), ["Acme", "Beta"]);
		assert.deepEqual(await listNeighborNames({ direction: "in" }), []);
		assert.deepEqual(await listNeighborNames({ predicate: "likes" }), []);
	});

	test("internal entries cannot be read, written or searched", async (context) => {
		const { fail } = await open(context);
		for (const entry_type of INTERNAL_ENTRY_TYPES) {
			const refused = /"entry_type[s.0]*" is \w+, a type that the service keeps for itself/;
			assert.match(await fail("kb_get", { page_name: "x", entry_type }), refused);
			assert.match(await fail("kb_upsert", { page_name: "x", entry_type, content: "" }), refused);
			assert.match(await fail("kb_search", { q: "x", entry_types: [entry_type] }), refused);
			assert.match(await fail("kb_list", { entry_type }), refused);
			assert.match(await fail("kb_delete", { page_name: "x", entry_type }), refused);
		}
	});

	test("kb_delete does not delete internal entries or triplets by their ids", async (context) => {
		const { client, run, fail } = await open(context);
		const owner_id = "tenant";
		for (const entry_type of INTERNAL_ENTRY_TYPES) {
			const { entry } = await client.entries.append({ owner_id, entry_type, page_name: "x", content: "" });
			const error = `the type of entry ${entry.id} is ${entry_type}, a type that the service keeps for itself; use another`;
			assert.equal(await fail("kb_delete", { id: entry.id }), error);
			assert.notEqual(await client.entries.getById(owner_id, entry.id), null);
		}
		const source = { uri: "u", hash: "1" };
		const { triplet } = await client.triplets.ingest({
			owner_id,
			subject: "a",
			predicate: "b",
			object: "c",
			source,
		});
		assert.match(
			await fail("kb_delete", { id: triplet.id }),
			/is triplet, a type that kb_ingest_triplet writes/,
		);
		const theirs = await client.entries.append({
			owner_id: "other",
			entry_type: "note",
			page_name: "x",
			content: "",
		});
		assert.deepEqual(await run("kb_delete", { id: theirs.entry.id }), { deleted: 0 });
		assert.notEqual(await client.entries.getById("other", theirs.entry.id), null);
	});

	test("kb_delete deletes all entries of a page, or the one with an id", async (context) => {
		const { client, run, fail } = await open(context);
		const append = (page_name: string, entry_type = "note") =>
			client.entries.append({ owner_id: "tenant", entry_type, page_name, content: "" });
		for (let count = 0; count < 120; count++) await append("Tea");
		await append("Tea", "guide");
		const { entry } = await append("Coffee");
		assert.deepEqual(await run("kb_delete", { page_name: "Tea" }), { deleted: 120 });
		assert.equal(await run("kb_get", { page_name: "Tea" }), null);
		assert.notEqual(await run("kb_get", { page_name: "Tea", entry_type: "guide" }), null);
		assert.deepEqual(await run("kb_delete", { id: entry.id }), { deleted: 1 });
		assert.deepEqual(await run("kb_delete", { id: entry.id }), { deleted: 0 });
		assert.equal(await fail("kb_delete", {}), 'parameter "page_name" is required');
		for (const given of ["page_name", "entry_type"]) {
			const error = await fail("kb_delete", { id: entry.id, [given]: "note" });
			assert.equal(error, `parameter "${given}" must be left out when id is given`);
		}
	});

	test("kb_list lists by type, metadata and time, in pages", async (context) => {
		const { run, fail } = await open(context);
		for (let index = 0; index < 5; index++) {
			const metadata = { even: index % 2 === 0, tags: ["all", `t${index}`] };
			await run("kb_upsert", { page_name: `p${index}`, entry_type: "task", content: "", metadata });
		}
		await run("kb_upsert", { page_name: "note", content: "" });
		const list = async (params: { [name: string]: Json }) => {
			const page = (await run("kb_list", params)) as { entries: Entry[]; next_cursor: string | null };
			return { names: page.entries.map(({ page_name }) => page_name), cursor: page.next_cursor };
		};
		const of = { entry_type: "task" };
		assert.deepEqual(await list({ ...of, metadata: { even: true } }), {
			names: ["p4", "p2", "p0"],
			cursor: null,
		});
		assert.deepEqual((await list({ ...of, metadata: { even: true, tags: "t2" } })).names, ["p2"]);
		assert.deepEqual((await list({ metadata: { tags: null } })).names, ["note"]);
		assert.equal((await list({})).names.length, 6);
		const first = await list({ ...of, order: "oldest", limit: 3 });
		assert.deepEqual(first.names, ["p0", "p1", "p2"]);
		assert.deepEqual(await list({ ...of, order: "oldest", limit: 3, cursor: first.cursor }), {
			names: ["p3", "p4"],
			cursor: null,
		});
		assert.deepEqual((await list({ since: "2999-01-01T00:00:00Z" })).names, []);
		assert.equal((await list({ until: "2999-01-01T00:00:00Z" })).names.length, 6);
		assert.equal(await fail("kb_list", { cursor: "?" }), "cursor: is not a cursor of this list");
		for (const params of [{ metadata: { a: [1] } }, { metadata: [] }, { since: "yesterday" }, { limit: 0 }]) {
			assert.match(await fail("kb_list", params), /^parameter/);
		}
	});

	test("a filter that finds little is continued until the page is full", async (context) => {
		const { client, run } = await open(context);
		const large = "x".repeat(300_000);
		for (let index = 0; index < 7; index++) {
			const metadata_json = JSON.stringify({ wanted: index < 2, large: index < 2 ? "" : large });
			await client.entries.append({
				owner_id: "tenant",
				entry_type: "t",
				page_name: `p${index}`,
				content: "",
				metadata_json,
			});
		}
		const page = (await run("kb_list", { entry_type: "t", metadata: { wanted: true }, limit: 2 })) as {
			entries: Entry[];
		};
		assert.deepEqual(
			page.entries.map(({ page_name }) => page_name),
			["p1", "p0"],
		);
	});

	test("kb_why tells who states a fact, and who no longer does", async (context) => {
		const { run } = await open(context);
		const ingest = (object: string, hash: string) =>
			run("kb_ingest_triplet", {
				subject: "Ada",
				predicate: "works at",
				object,
				source: { uri: "team", hash },
			});
		await ingest("Acme", "1");
		await ingest("Beta", "2");
		const ask = async (object: string) => {
			const why = await run("kb_why", { subject: "ada", predicate: "Works at", object });
			const { believed, because, superseded, no_longer } = why as {
				believed: boolean;
				because: { source_uri: string }[];
				superseded: { object: string }[];
				no_longer: object[];
			};
			return [
				believed,
				because.map((each) => each.source_uri),
				superseded.map((each) => each.object),
				no_longer.length,
			];
		};
		assert.deepEqual(await ask("Beta"), [true, ["team"], ["Acme"], 0]);
		assert.deepEqual(await ask("Acme"), [false, [], [], 1]);
		assert.deepEqual(await ask("Nobody"), [false, [], [], 0]);
	});

	test("record_save creates a template and its records, and record_list lists them", async (context) => {
		const { run, fail } = await open(context);
		const slots = [
			{ name: "title", type: "string", required: true },
			{ name: "state", type: "string", default: "unread" },
		];
		const save = async (params: { [name: string]: Json }) =>
			(await run("record_save", params)) as { created: boolean; record: { id: string; values: object } };
		assert.match(
			await fail("record_save", { template: "book", values: {} }),
			/^template: there is no template "book"/,
		);
		const first = await save({ template: "book", slots, values: { title: "Emma" } });
		assert.deepEqual([first.created, first.record.values], [true, { title: "Emma", state: "unread" }]);
		await save({ template: "book", values: { title: "Middlemarch" } });
		const changed = await save({ id: first.record.id, values: { state: "read" } });
		assert.deepEqual([changed.created, changed.record.values], [false, { title: "Emma", state: "read" }]);
		const list = async (params: { [name: string]: Json }) => {
			const page = await run("record_list", { template: "book", ...params });
			return (page as { records: { values: { title: string } }[] }).records.map(({ values }) => values.title);
		};
		assert.deepEqual(await list({}), ["Middlemarch", "Emma"]);
		assert.deepEqual(await list({ order: "oldest" }), ["Emma", "Middlemarch"]);
		assert.deepEqual(await list({ values: { state: "unread" } }), ["Middlemarch"]);
		assert.equal(
			await fail("record_save", { template: "book", values: { title: 1 } }),
			"values.title: must be of type string",
		);
		assert.equal(await fail("record_save", { template: "book", values: {} }), "values.title: is required");
		assert.equal(await fail("record_save", { values: {} }), 'parameter "template" is required');
		for (const given of [{ template: "book" }, { slots }]) {
			const error = await fail("record_save", { id: first.record.id, values: {}, ...given });
			assert.match(error, /must be left out when id is given/);
		}
	});

	test("record_save does not write the graph's own templates", async (context) => {
		const { fail } = await open(context);
		assert.match(await fail("record_save", { template: "triplet", values: {} }), /triplets\/ingest/);
	});

	test("checks an entry type from a template at run time", async (context) => {
		const { knowledge, close } = await openKnowledge("tenant");
		context.after(close);
		const error = await runForError(
			"kb_upsert",
			{ page_name: "x", entry_type: "{{input.type}}", content: "" },
			{ effects: { knowledge }, input: { type: "workflow" } },
		);
		assert.match(error, /a type that the service keeps for itself/);
	});

	test("metadata is given in one form, and must be an object", async (context) => {
		const { fail } = await open(context);
		const page = { page_name: "x", content: "" };
		assert.match(
			await fail("kb_upsert", { ...page, metadata: {}, metadata_json: "{}" }),
			/must be left out when metadata/,
		);
		assert.match(await fail("kb_upsert", { ...page, metadata: [] }), /must be an object, but is a list/);
		assert.match(await fail("kb_upsert", { ...page, metadata_json: "[]" }), /must be a JSON object/);
	});

	test("rejects text that a database cannot store", async () => {
		const params = { page_name: "x", content: "{{input.text}}" };
		for (const text of ["a\u0000", "\uD800"]) {
			assert.match(
				await runForError("kb_upsert", params, { input: { text } }),
				/"content" text must not contain/,
			);
		}
	});

	test("a run without a namespace fails with a clear message", async () => {
		assert.equal(await runForError("kb_get", { page_name: "x" }), "this run has no namespace");
	});
});
