import assert from "node:assert/strict";
import { AppendedEntry, DeletedAnswer, Entry, EntryPage, UpsertedEntry } from "@tripline/contract/entries";
import * as z from "zod";
import type { Scenario, World } from "../../scenario.ts";

const note = (world: World, fields: object = {}) => ({
	entry_type: "note",
	owner_id: world.owner,
	page_name: "page",
	content: "text",
	...fields,
});

const list = (world: World, query: Record<string, string> = {}) =>
	world.expect(200, EntryPage, "GET", "/entries", { query: { owner_id: world.owner, ...query } });

export const entries: readonly Scenario[] = [
	{
		name: "PUT /entries creates an entry, returns 201 with created true, and it can be read",
		cites: [
			"STORE-HTTP-ONLY",
			"STORE-JSON-BODIES",
			"STORE-ENTRY-PUT",
			"STORE-ENTRY-PUT-SUCCESS",
			"STORE-ENTRY-PUT-ENTRY",
			"STORE-ENTRY-PUT-CREATED-TRUE",
			"STORE-ENTRY-UPSERT-CREATES",
			"STORE-ENTRY-TYPE",
			"STORE-ENTRY-OWNER",
			"STORE-ENTRY-PAGE",
			"STORE-ENTRY-CONTENT",
			"STORE-ENTRY-METADATA",
		],
		async run(world) {
			const body = note(world, { content: "多行\ntext 🧵", metadata_json: '{"tags":["a"]}' });
			const put = await world.expect(201, UpsertedEntry, "PUT", "/entries", { body });
			assert.equal(put.success, true);
			assert.equal(put.created, true);
			const { id: _, created_at: __, updated_at: ___, ...fields } = put.entry;
			assert.deepEqual(fields, body);
			assert.deepEqual((await list(world)).entries, [put.entry]);
		},
	},
	{
		name: "PUT /entries again updates the same entry and returns 200 with created false",
		cites: ["STORE-ENTRY-PUT-CREATED-FALSE", "STORE-ENTRY-UPSERT-KEY"],
		async run(world) {
			const first = await world.expect(201, UpsertedEntry, "PUT", "/entries", { body: note(world) });
			const again = await world.expect(200, UpsertedEntry, "PUT", "/entries", {
				body: note(world, { content: "new", metadata_json: '{"v":2}' }),
			});
			assert.equal(again.created, false);
			assert.equal(again.entry.id, first.entry.id);
			assert.equal(again.entry.content, "new");
			assert.equal(again.entry.metadata_json, '{"v":2}');
			assert.equal(again.entry.created_at, first.entry.created_at);
			assert.equal((await list(world)).entries.length, 1);
		},
	},
	{
		name: "entries with a different owner, page or type are different entries",
		cites: ["STORE-ENTRY-UPSERT-KEY", "STORE-ENTRY-ISOLATION"],
		async run(world) {
			const put = (fields: object) =>
				world.expect(201, UpsertedEntry, "PUT", "/entries", { body: note(world, fields) });
			await put({});
			await put({ page_name: "other" });
			await put({ entry_type: "other" });
			await put({ owner_id: `${world.owner}-other`, content: "theirs" });
			const mine = await list(world);
			assert.equal(mine.entries.length, 3);
			assert.ok(mine.entries.every((entry) => entry.content === "text"));
		},
	},
	{
		name: "of several matching entries the oldest is updated",
		cites: ["STORE-ENTRY-UPSERT-OLDEST"],
		async run(world) {
			const append = (content: string) =>
				world.expect(201, AppendedEntry, "POST", "/entries", { body: note(world, { content }) });
			const oldest = await append("one");
			await append("two");
			const put = await world.expect(200, UpsertedEntry, "PUT", "/entries", {
				body: note(world, { content: "updated" }),
			});
			assert.equal(put.entry.id, oldest.entry.id);
			assert.deepEqual(
				(await list(world)).entries.map((entry) => entry.content),
				["two", "updated"],
			);
		},
	},
	{
		name: "after the oldest entry is deleted, the next oldest is updated",
		cites: ["STORE-ENTRY-UPSERT-OLDEST"],
		async run(world) {
			const put = await world.expect(201, UpsertedEntry, "PUT", "/entries", { body: note(world) });
			const later = await world.expect(201, AppendedEntry, "POST", "/entries", { body: note(world) });
			const query = { owner_id: world.owner };
			await world.expect(200, DeletedAnswer, "DELETE", `/entries/${put.entry.id}`, { query });
			const next = await world.expect(200, UpsertedEntry, "PUT", "/entries", { body: note(world) });
			assert.equal(next.entry.id, later.entry.id);
		},
	},
	{
		name: "an entry appended while the clock was behind does not replace the one that PUT created",
		cites: ["STORE-ENTRY-UPSERT-OLDEST"],
		async run(world) {
			await world.target.setNow(Date.UTC(2026, 5, 1));
			const put = await world.expect(201, UpsertedEntry, "PUT", "/entries", { body: note(world) });
			await world.target.setNow(Date.UTC(2026, 4, 1));
			await world.expect(201, AppendedEntry, "POST", "/entries", { body: note(world) });
			const again = await world.expect(200, UpsertedEntry, "PUT", "/entries", { body: note(world) });
			assert.equal(again.entry.id, put.entry.id);
		},
	},
	{
		name: "fifty parallel PUT /entries of one key create one entry, with created true exactly once",
		cites: ["STORE-WORKFLOW-ENTRY-UNIQUE", "STORE-HOLDS-WORKFLOWS", "STORE-ENTRY-PUT-CREATED-TRUE"],
		async run(world) {
			const answers = await Promise.all(
				Array.from({ length: 50 }, (_, index) =>
					world.call("PUT", "/entries", {
						body: note(world, { entry_type: "workflow", content: `version ${index}` }),
					}),
				),
			);
			const bodies = answers.map((answer) => UpsertedEntry.parse(answer.body));
			assert.equal(bodies.filter((body) => body.created).length, 1);
			assert.equal(answers.filter((answer) => answer.status === 201).length, 1);
			assert.equal(new Set(bodies.map((body) => body.entry.id)).size, 1);
			assert.equal((await list(world, { entry_type: "workflow" })).entries.length, 1);
		},
	},
	{
		name: "POST /entries always appends",
		cites: [],
		async run(world) {
			for (let count = 0; count < 3; count++) {
				await world.expect(201, AppendedEntry, "POST", "/entries", { body: note(world) });
			}
			assert.equal((await list(world)).entries.length, 3);
		},
	},
	{
		name: "created_at and updated_at are Unix seconds",
		cites: ["STORE-ENTRY-CREATED-AT"],
		async run(world) {
			await world.target.setNow(1_790_000_000_999);
			const made = await world.expect(201, UpsertedEntry, "PUT", "/entries", { body: note(world) });
			assert.equal(made.entry.created_at, 1_790_000_000);
			await world.target.setNow(1_790_000_007_000);
			const changed = await world.expect(200, UpsertedEntry, "PUT", "/entries", { body: note(world) });
			assert.equal(changed.entry.created_at, 1_790_000_000);
			assert.equal(changed.entry.updated_at, 1_790_000_007);
		},
	},
	{
		name: "metadata_json of a new entry is an empty object by default",
		cites: ["STORE-ENTRY-METADATA"],
		async run(world) {
			const put = await world.expect(201, UpsertedEntry, "PUT", "/entries", { body: note(world) });
			assert.equal(put.entry.metadata_json, "{}");
			const once = note(world, { page_name: "once", if_absent: true });
			const made = await world.expect(201, UpsertedEntry, "PUT", "/entries", { body: once });
			assert.equal(made.entry.metadata_json, "{}");
			const posted = await world.expect(201, AppendedEntry, "POST", "/entries", { body: note(world) });
			assert.equal(posted.entry.metadata_json, "{}");
		},
	},
	{
		name: "an entry keeps its metadata_json if PUT omits it, and {} empties it",
		cites: ["STORE-ENTRY-PUT", "STORE-ENTRY-METADATA"],
		async run(world) {
			const metadata_json = '{"tags": ["a"], "v":1}';
			const { entry } = await world.expect(201, UpsertedEntry, "PUT", "/entries", {
				body: note(world, { metadata_json }),
			});
			const putForEntry = async (path: string, fields: object) => {
				const { entry_type: _, page_name: __, ...body } = note(world, fields);
				const whole = path === "/entries" ? note(world, fields) : body;
				const answer = await world.expect(200, z.object({ entry: Entry }), "PUT", path, { body: whole });
				assert.deepEqual((await list(world)).entries, [answer.entry]);
				return [answer.entry.content, answer.entry.metadata_json];
			};
			for (const path of ["/entries", `/entries/${entry.id}`]) {
				const content = `text of ${path}`;
				assert.deepEqual(await putForEntry(path, { content }), [content, metadata_json]);
			}
			for (const path of ["/entries", `/entries/${entry.id}`]) {
				assert.deepEqual(await putForEntry(path, { metadata_json: "{}" }), ["text", "{}"]);
				assert.deepEqual(await putForEntry(path, {}), ["text", "{}"]);
				assert.deepEqual(await putForEntry(path, { metadata_json }), ["text", metadata_json]);
			}
		},
	},
	{
		name: "an appended entry also keeps its metadata_json if PUT omits it",
		cites: ["STORE-ENTRY-UPSERT-OLDEST", "STORE-ENTRY-METADATA"],
		async run(world) {
			const { entry } = await world.expect(201, AppendedEntry, "POST", "/entries", {
				body: note(world, { metadata_json: '{"v":1}' }),
			});
			const put = await world.expect(200, UpsertedEntry, "PUT", "/entries", {
				body: note(world, { content: "new" }),
			});
			assert.deepEqual(put.entry, {
				...entry,
				content: "new",
				updated_at: put.entry.updated_at,
			});
		},
	},
	{
		name: "parallel PUT /entries without metadata_json never overwrite the metadata that another wrote",
		cites: ["STORE-ENTRY-PUT"],
		async run(world) {
			await world.call("PUT", "/entries", { body: note(world, { metadata_json: '{"v":0}' }) });
			for (let version = 1; version <= 5; version++) {
				const texts = Array.from({ length: 10 }, (_, nth) => note(world, { content: `${version}.${nth}` }));
				const metadata_json = JSON.stringify({ v: version });
				const bodies = texts.toSpliced(5, 0, note(world, { metadata_json }));
				const answers = await Promise.all(bodies.map((body) => world.call("PUT", "/entries", { body })));
				assert.ok(answers.every(({ status }) => status === 200));
				assert.equal((await list(world)).entries[0]?.metadata_json, metadata_json);
			}
		},
	},
	{
		name: "writing only a workflow's description keeps its graph, schedule and event trigger",
		cites: ["STORE-HOLDS-WORKFLOWS", "STORE-ENTRY-METADATA"],
		async run(world) {
			const noon = Date.UTC(2026, 6, 1, 12);
			await world.target.setNow(noon);
			const scheduled = { graph: { nodes: [], edges: [] }, config: {}, cron_expr: "*/5 * * * *" };
			const listening = { graph: {}, config: { trigger: { type: "event", event: "order.*" } } };
			const workflow = (page_name: string, fields: object) =>
				note(world, { entry_type: "workflow", page_name, ...fields });
			for (const [page_name, metadata] of Object.entries({ scheduled, listening })) {
				const body = workflow(page_name, { metadata_json: JSON.stringify(metadata) });
				await world.expect(201, UpsertedEntry, "PUT", "/entries", { body });
			}
			const findListed = async () => {
				const due = await list(world, { cron: "due", now: String(noon / 1000 + 300) });
				const heard = await list(world, { entry_type: "workflow", listens: "true" });
				return [due, heard].map(({ entries: [entry] }) => entry && [entry.page_name, entry.next_run_at]);
			};
			const before = await findListed();
			assert.deepEqual(before, [
				["scheduled", noon / 1000 + 300],
				["listening", undefined],
			]);
			// After it is due: a time that has come must not be lost.
			await world.target.setNow(noon + 400_000);
			const change = async (fields: object) => {
				const changed: string[] = [];
				for (const page_name of ["scheduled", "listening"]) {
					const body = workflow(page_name, { content: "what it does", ...fields });
					const { entry } = await world.expect(200, UpsertedEntry, "PUT", "/entries", { body });
					changed.push(entry.metadata_json);
				}
				return changed;
			};
			const kept = [scheduled, listening].map((metadata) => JSON.stringify(metadata));
			assert.deepEqual(await change({}), kept);
			assert.deepEqual(await findListed(), before);
			assert.deepEqual(await change({ metadata_json: "{}" }), ["{}", "{}"]);
			assert.deepEqual(await findListed(), [undefined, undefined]);
		},
	},
	{
		name: "an entry can be read and deleted only with its id and its owner",
		cites: ["STORE-ENTRY-ISOLATION"],
		async run(world) {
			const { entry } = await world.expect(201, UpsertedEntry, "PUT", "/entries", { body: note(world) });
			const path = `/entries/${entry.id}`;
			const mine = { query: { owner_id: world.owner } };
			const theirs = { query: { owner_id: "somebody-else" } };
			const read = await world.expect(200, z.object({ entry: Entry }), "GET", path, mine);
			assert.deepEqual(read.entry, entry);
			await world.refuse(404, "GET", path, theirs);
			await world.refuse(404, "DELETE", path, theirs);
			await world.refuse(422, "GET", path);
			await world.refuse(422, "DELETE", path);
			await world.expect(200, DeletedAnswer, "DELETE", path, mine);
			await world.refuse(404, "GET", path, mine);
			await world.refuse(404, "DELETE", path, mine);
		},
	},
];
