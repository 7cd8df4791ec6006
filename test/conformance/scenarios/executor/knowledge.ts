import assert from "node:assert/strict";
import { UpsertedEntry } from "@tripline/contract/entries";
import { RecordAnswer } from "@tripline/contract/records";
import { RunResult } from "@tripline/contract/workflows";
import type { Scenario, World } from "../../scenario.ts";
import { createWorkflow, getNamedPath, listStored, run, save } from "./saving.ts";

const SLOTS = [
	{ name: "title", type: "string", required: true },
	{ name: "state", type: "string", default: "unread" },
];

/** Runs one node with these settings in the namespace. */
async function runNode(world: World, settings: object, status = 200, headers: Record<string, string> = {}) {
	const body = createWorkflow("job", settings);
	const saved = await world.executor.call("POST", "/webhooks/named", { body, headers });
	assert.ok(saved.status === 201 || saved.status === 200, JSON.stringify(saved.body));
	return world.executor.expect(status, RunResult, "POST", getNamedPath("job", "trigger"), {
		body: {},
		headers,
	});
}

async function putNote(world: World, page_name: string, metadata: object, fields: object = {}) {
	const body = {
		owner_id: world.owner,
		entry_type: "task",
		page_name,
		content: "",
		metadata_json: JSON.stringify(metadata),
		...fields,
	};
	return (await world.expect(201, UpsertedEntry, "PUT", "/entries", { body })).entry;
}

const listNames = async (world: World, settings: object) => {
	const { data } = await runNode(world, { component: "kb_list", entry_type: "task", ...settings });
	return (data as { entries: { page_name: string }[] }).entries.map(({ page_name }) => page_name);
};

/** Another tenant, who knows every id. */
const other = (world: World) => ({ "x-service-api-key": `${world.owner}-other` });

export const knowledgeNodes: readonly Scenario[] = [
	{
		name: "kb_list gives the namespace's entries by type and metadata, in order and in pages",
		cites: [],
		async run(world) {
			for (const index of [0, 1, 2, 3])
				await putNote(world, `t${index}`, { open: index !== 1, tags: [`g${index % 2}`] });
			await putNote(world, "theirs", { open: true }, { owner_id: `${world.owner}-other` });
			assert.deepEqual(await listNames(world, { metadata: { open: true } }), ["t3", "t2", "t0"]);
			assert.deepEqual(await listNames(world, { metadata: { open: true, tags: "g0" }, order: "oldest" }), [
				"t0",
				"t2",
			]);
			assert.deepEqual(await listNames(world, { limit: 1 }), ["t3"]);
			await save(world, {
				...createWorkflow("two pages", {}),
				triplets: ["first >> then >> second"],
				config: {
					first: { component: "kb_list", entry_type: "task", limit: 3 },
					second: { component: "kb_list", entry_type: "task", limit: 3, cursor: "{{first.next_cursor}}" },
				},
			});
			const { data } = await run(world, "two pages");
			const { entries, next_cursor } = data as { entries: { page_name: string }[]; next_cursor: null };
			assert.deepEqual([entries.map(({ page_name }) => page_name), next_cursor], [["t0"], null]);
		},
	},
	{
		name: "kb_list without a type gives user knowledge, and no internal entry",
		cites: [],
		async run(world) {
			await putNote(world, "task", {});
			await putNote(world, "note", {}, { entry_type: "note" });
			await runNode(world, { component: "state_set", name: "hidden", value: 1 });
			const { data } = await runNode(world, { component: "kb_list" });
			const { entries } = data as { entries: { page_name: string }[] };
			assert.deepEqual(entries.map(({ page_name }) => page_name).sort(), ["note", "task"]);
		},
	},
	{
		name: "kb_delete deletes by page and by id, only in its namespace and never internal entries",
		cites: [],
		async run(world) {
			const { id } = await putNote(world, "a", {});
			await putNote(world, "b", {});
			const byId = { component: "kb_delete", id };
			const byPage = { component: "kb_delete", entry_type: "task", page_name: "b" };
			for (const settings of [byId, byPage]) {
				assert.deepEqual((await runNode(world, settings, 200, other(world))).data, { deleted: 0 });
			}
			assert.equal((await listStored(world, "task")).length, 2);
			for (const settings of [byId, byPage]) {
				assert.deepEqual((await runNode(world, settings)).data, { deleted: 1 });
				assert.deepEqual((await runNode(world, settings)).data, { deleted: 0 });
			}
			const [workflow] = await listStored(world, "workflow");
			const { error } = await runNode(world, { component: "kb_delete", id: workflow?.id }, 500);
			assert.match(error ?? "", /is workflow, a type that the service keeps for itself/);
			assert.equal((await listStored(world, "workflow")).length, 1);
		},
	},
	{
		name: "kb_why gives the sources of a fact of its namespace",
		cites: [],
		async run(world) {
			const fact = { subject: "Ada", predicate: "works at", object: "Acme" };
			const source = { uri: "https://example.com/team", hash: "1" };
			await runNode(world, { component: "kb_ingest_triplet", ...fact, source });
			const explain = async (headers = {}) => {
				const { data } = await runNode(world, { component: "kb_why", ...fact }, 200, headers);
				const { believed, because } = data as { believed: boolean; because: { source_uri: string }[] };
				return [believed, because.map(({ source_uri }) => source_uri)];
			};
			assert.deepEqual(await explain(), [true, ["https://example.com/team"]]);
			assert.deepEqual(await explain(other(world)), [false, []]);
		},
	},
	{
		name: "record_save and record_list fill and read templates of their own namespace",
		cites: [],
		async run(world) {
			const save = (values: object) => ({ component: "record_save", template: "book", slots: SLOTS, values });
			const { data } = await runNode(world, save({ title: "Emma" }));
			const { record, created } = data as { record: { id: string; values: object }; created: boolean };
			assert.deepEqual([record.values, created], [{ title: "Emma", state: "unread" }, true]);
			const change = { component: "record_save", id: record.id, values: { state: "read" } };
			const denied = await runNode(world, change, 500, other(world));
			assert.equal(denied.error, `only: there is no record ${record.id}`);
			const list = { component: "record_list", template: "book" };
			const unknown = await runNode(world, list, 500, other(world));
			assert.equal(unknown.error, 'only: template: there is no template "book"');
			await runNode(world, save({ title: "Theirs" }), 200, other(world));
			await runNode(world, change);
			await runNode(world, save({ title: "Middlemarch" }));
			const listTitles = async (settings: object) => {
				const answer = await runNode(world, { ...list, ...settings });
				const { records } = answer.data as { records: { values: { title: string } }[] };
				return records.map(({ values }) => values.title);
			};
			assert.deepEqual(await listTitles({}), ["Middlemarch", "Emma"]);
			assert.deepEqual(await listTitles({ values: { state: "read" } }), ["Emma"]);
			assert.deepEqual(await listTitles({ order: "oldest", limit: 1 }), ["Emma"]);
			const query = { owner_id: world.owner };
			const stored = await world.expect(200, RecordAnswer, "GET", `/records/${record.id}`, { query });
			assert.deepEqual(stored.record.values, { title: "Emma", state: "read" });
			const wrong = await runNode(world, save({ title: 7, author: "x" }), 500);
			assert.equal(wrong.error, "only: values.title: must be of type string; values.author: unknown slot");
		},
	},
];
