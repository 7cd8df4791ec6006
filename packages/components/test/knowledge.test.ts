import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import type { Entry } from "@tripline/contract/entries";
import { INTERNAL_ENTRY_TYPES } from "@tripline/contract/entry-types";
import type { Json } from "@tripline/contract/json";
import { openKnowledge } from "./open-knowledge.ts";
import { runForError, runForOutput } from "./run-node.ts";

async function open(context: TestContext) {
	const { knowledge, close } = await openKnowledge("tenant");
	context.after(close);
	const setting = { effects: { knowledge } };
	return {
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
		}
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
