import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AppendedEntry, DeletedAnswer, Entry, EntryPage } from "@tripline/contract/entries";
import { Belief, FoundTriplets, Neighbors, NodeSources, Traversal } from "@tripline/contract/graph";
import { GuiTakenPage } from "@tripline/contract/gui";
import { Suggestions } from "@tripline/contract/search";
import * as z from "zod";
import { greeting, startWorld } from "./world.ts";

const world = await startWorld();
const OneEntry = z.object({ entry: Entry });

const createEntry = async (page_name: string, content: string, as = "acme") => {
	const body = { entry_type: "note", page_name, content };
	return (await world.expect(201, AppendedEntry, "POST", "/gui/entries", { body, as })).entry;
};

describe("the console's entries", () => {
	test("creates, shows, replaces and deletes an entry", async () => {
		const entry = await createEntry("a page", "text");
		const path = `/gui/entries/${entry.id}`;
		assert.deepEqual((await world.expect(200, OneEntry, "GET", path)).entry, entry);
		const body = { content: "new text", metadata_json: '{"tags":["a"]}' };
		const replaced = (await world.expect(200, OneEntry, "PUT", path, { body })).entry;
		assert.deepEqual([replaced.id, replaced.page_name, replaced.content], [entry.id, "a page", "new text"]);
		const text = { content: "only the text" };
		const edited = (await world.expect(200, OneEntry, "PUT", path, { body: text })).entry;
		assert.deepEqual([edited.content, edited.metadata_json], ["only the text", body.metadata_json]);
		await world.expect(200, DeletedAnswer, "DELETE", path);
		await world.refuse(404, "GET", path);
		await world.refuse(404, "PUT", path, { body });
		await world.refuse(404, "DELETE", path);
	});

	test("does not overwrite an existing page, and returns the id of its entry", async () => {
		const entry = await createEntry("taken", "first");
		const body = { entry_type: "note", page_name: "taken", content: "second" };
		const { id } = await world.expect(409, GuiTakenPage, "POST", "/gui/entries", { body });
		assert.equal(id, entry.id);
		const shown = await world.expect(200, OneEntry, "GET", `/gui/entries/${id}`);
		assert.equal(shown.entry.content, "first");
	});

	test("lists knowledge entries in pages, optionally of one type", async () => {
		const as = "lister";
		for (const page of ["a", "b", "c"]) await createEntry(page, page, as);
		await world.call("PUT", "/gui/workflows/hidden", { body: greeting("hidden"), as });
		const listPages = async (query: string) => {
			const page = await world.expect(200, EntryPage, "GET", `/gui/entries?${query}`, { as });
			return { names: page.entries.map((entry) => entry.page_name), cursor: page.next_cursor };
		};
		const first = await listPages("limit=2");
		assert.deepEqual(first.names, ["c", "b"]);
		assert.deepEqual((await listPages(`limit=2&cursor=${first.cursor}`)).names, ["a"]);
		assert.deepEqual((await listPages("entry_type=note&page_name=b")).names, ["b"]);
		assert.deepEqual((await listPages("entry_type=other")).names, []);
	});

	test("internal types cannot be listed, read or written", async () => {
		const internal = ["workflow", "execution_log", "credential", "vault_key", "oauth_code", "value"];
		for (const type of internal) {
			const { issues } = await world.refuse(422, "GET", `/gui/entries?entry_type=${type}`);
			assert.equal(issues?.[0]?.path, "entry_type");
			const body = { entry_type: type, page_name: "p", content: "" };
			await world.refuse(422, "POST", "/gui/entries", { body });
		}
		const { entry } = await world.store.entries.append({
			owner_id: "acme",
			entry_type: "credential",
			page_name: "p",
			content: "",
		});
		const path = `/gui/entries/${entry.id}`;
		await world.refuse(404, "GET", path);
		await world.refuse(404, "PUT", path, { body: { content: "x" } });
		await world.refuse(404, "DELETE", path);
	});

	test("another tenant's entries are not found", async () => {
		const entry = await createEntry("secret page", "words of mine");
		const path = `/gui/entries/${entry.id}`;
		const as = "other";
		await world.refuse(404, "GET", path, { as });
		await world.refuse(404, "PUT", path, { as, body: { content: "stolen" } });
		await world.refuse(404, "DELETE", path, { as });
		const body = { entry_type: "note", page_name: "p", content: "", owner_id: "acme" };
		await world.refuse(422, "POST", "/gui/entries", { as, body });
		const { suggestions } = await world.expect(200, Suggestions, "POST", "/gui/search", {
			as,
			body: { q: "words of mine" },
		});
		assert.deepEqual(suggestions, []);
	});

	test("refuses hostile bodies", async () => {
		const entry = await createEntry("hostile", "");
		const path = `/gui/entries/${entry.id}`;
		for (const body of [
			{},
			{ content: 5 },
			{ content: "", metadata_json: "[]" },
			{ content: "", page_name: "x" },
		]) {
			await world.refuse(422, "PUT", path, { body });
		}
		await world.refuse(400, "PUT", path, { raw: '{"content":"\\ud800"}' });
		await world.refuse(400, "PUT", path, { raw: "{" });
		await world.refuse(422, "GET", "/gui/entries/not-an-id");
		await world.refuse(422, "GET", "/gui/entries?limit=1000");
	});

	test("search finds entries by an incomplete word, and workflows only on request", async () => {
		await createEntry("Quarterly report", "figures of the quarter");
		await world.call("PUT", "/gui/workflows/weekly-digest", { body: greeting("weekly-digest") });
		const found = async (body: object) =>
			(await world.expect(200, Suggestions, "POST", "/gui/search", { body })).suggestions;
		assert.equal((await found({ q: "quart" }))[0]?.page_name, "Quarterly report");
		assert.equal((await found({ q: "digest", entry_types: ["workflow"] }))[0]?.page_name, "weekly-digest");
		assert.equal((await found({ q: "digest" })).length, 0);
		for (const body of [
			{},
			{ q: "" },
			{ q: "x", limit: 0 },
			{ q: "x", entry_types: ["credential"] },
			{ q: "x", owner_id: "b" },
		]) {
			await world.refuse(422, "POST", "/gui/search", { body });
		}
	});
});

describe("the console's graph", () => {
	const say = (subject: string, predicate: string, object: string, hash = "1", uri = "file:a") =>
		world.store.triplets.ingest({ owner_id: "acme", subject, predicate, object, source: { uri, hash } });

	test("is explored from a node and searched, and each fact has its source", async () => {
		await say("Ada", "wrote", "Notes");
		await say("Notes", "about", "Engine");
		await say("Ada", "lives in", "London", "1", "file:b");
		await say("Ada", "lives in", "Paris", "2", "file:b");
		const near = await world.expect(200, Neighbors, "GET", "/gui/graph/neighbors/Ada");
		assert.deepEqual(near.neighbors.map(({ name }) => name).sort(), ["Notes", "Paris"]);
		const all = await world.expect(200, Neighbors, "GET", "/gui/graph/neighbors/Ada?includeDeprecated=true");
		const london = all.neighbors.find(({ name }) => name === "London")?.triplet;
		assert.equal(london?.status, "deprecated");
		assert.ok(london?.superseded_by);
		const walk = await world.expect(
			200,
			Traversal,
			"GET",
			"/gui/graph/traverse?name=Ada&depth=2&direction=out",
		);
		assert.ok(walk.nodes.some(({ name, depth }) => name === "Engine" && depth === 2));
		const search = await world.expect(200, FoundTriplets, "GET", "/gui/graph/search?q=engine&limit=5");
		assert.equal(search.triplets[0]?.object, "Engine");
		const sources = await world.expect(200, NodeSources, "GET", "/gui/graph/source/Ada");
		assert.deepEqual(sources.sources.map(({ uri }) => uri).sort(), ["file:a", "file:b"]);
		const why = await world.expect(
			200,
			Belief,
			"GET",
			"/gui/graph/why?subject=Ada&predicate=lives%20in&object=Paris",
		);
		assert.deepEqual([why.believed, why.superseded[0]?.object], [true, "London"]);
	});

	test("is separate for each tenant", async () => {
		await say("Ada", "knows", "Charles");
		const as = "other";
		const near = await world.expect(200, Neighbors, "GET", "/gui/graph/neighbors/Ada", { as });
		assert.deepEqual(near.neighbors, []);
		const found = await world.expect(200, FoundTriplets, "GET", "/gui/graph/search?q=charles", { as });
		assert.deepEqual(found.triplets, []);
		await world.refuse(422, "GET", "/gui/graph/neighbors/Ada?owner_id=acme", { as });
		await world.refuse(422, "GET", "/gui/graph/traverse?name=Ada&depth=9");
		await world.refuse(422, "GET", "/gui/graph/traverse");
		await world.refuse(422, "GET", "/gui/graph/why?subject=Ada");
		await world.refuse(404, "POST", "/gui/graph/refresh", { body: {} });
	});
});
