import assert from "node:assert/strict";
import { DeletedAnswer, EntryPage } from "@tripline/contract/entries";
import { RecordAnswer, RecordPage } from "@tripline/contract/records";
import { EnsuredTemplate } from "@tripline/contract/templates";
import type { Scenario, World } from "../../scenario.ts";

const slots = [
	{ name: "title", type: "string", required: true },
	{ name: "count", type: "integer" },
	{ name: "state", type: "string", required: true, default: "open" },
	{ name: "tags", type: "array" },
	{ name: "extra", type: "any" },
];

async function ensure(world: World, name = "task", owner: string | undefined = world.owner) {
	const body = { owner_id: owner, name, slots };
	return (await world.expect(201, EnsuredTemplate, "POST", "/templates", { body })).template;
}

const create = (world: World, values: object, template = "task") =>
	world.expect(201, RecordAnswer, "POST", "/records", { body: { owner_id: world.owner, template, values } });

export const records: readonly Scenario[] = [
	{
		name: "a new kind of data is a template, and its records are entries",
		cites: ["STORE-TEMPLATE-NOT-TABLE", "STORE-INTERNAL-TYPES"],
		async run(world) {
			const template = await ensure(world);
			const { record } = await create(world, { title: "write", tags: ["a"] });
			assert.deepEqual(record.values, { title: "write", tags: ["a"], state: "open" });
			assert.equal(record.template, "task");
			assert.equal(record.template_id, template.id);
			const page = await world.expect(200, EntryPage, "GET", "/entries", {
				query: { owner_id: world.owner, entry_type: "value" },
			});
			assert.deepEqual(
				page.entries.map((entry) => entry.id),
				[record.id],
			);
		},
	},
	{
		name: "PATCH /records/{id} changes the given slots and keeps the others",
		cites: ["STORE-RECORD-PATCH"],
		async run(world) {
			await ensure(world);
			const { record } = await create(world, { title: "write", count: 1, extra: { deep: [1] } });
			const body = { owner_id: world.owner, values: { count: 2, extra: null } };
			const patched = await world.expect(200, RecordAnswer, "PATCH", `/records/${record.id}`, { body });
			assert.deepEqual(patched.record.values, { title: "write", count: 2, state: "open", extra: null });
			const read = await world.expect(200, RecordAnswer, "GET", `/records/${record.id}`);
			assert.deepEqual(read.record, patched.record);
		},
	},
	{
		name: "parallel changes to different slots are all kept",
		cites: ["STORE-RECORD-PATCH"],
		async run(world) {
			await ensure(world);
			const { record } = await create(world, { title: "t" });
			const changes = [{ count: 7 }, { state: "done" }, { tags: ["x"] }, { extra: 1 }, { title: "u" }];
			await Promise.all(
				changes.map((values) =>
					world.expect(200, RecordAnswer, "PATCH", `/records/${record.id}`, { body: { values } }),
				),
			);
			const read = await world.expect(200, RecordAnswer, "GET", `/records/${record.id}`);
			assert.deepEqual(read.record.values, Object.assign({}, ...changes));
		},
	},
	{
		name: "unknown slots, wrong types and missing required slots are all reported, and nothing is written",
		cites: [],
		async run(world) {
			await ensure(world);
			const body = {
				owner_id: world.owner,
				template: "task",
				values: { count: 1.5, tags: "a", colour: "red" },
			};
			const { issues } = await world.refuse(422, "POST", "/records", { body });
			assert.deepEqual(issues?.map((issue) => issue.path).sort(), [
				"values.colour",
				"values.count",
				"values.tags",
				"values.title",
			]);
			const query = { owner_id: world.owner, template: "task" };
			const page = await world.expect(200, RecordPage, "GET", "/records", { query });
			assert.deepEqual(page.records, []);
			const { record } = await create(world, { title: "t" });
			const patch = { values: { title: null, state: 5, colour: 1 } };
			const refused = await world.refuse(422, "PATCH", `/records/${record.id}`, { body: patch });
			assert.equal(refused.issues?.length, 3);
		},
	},
	{
		name: "a slot added later has its default in older records",
		cites: ["STORE-TEMPLATE-PATCH"],
		async run(world) {
			const template = await ensure(world);
			const { record } = await create(world, { title: "t" });
			await world.call("PATCH", `/templates/${template.id}`, {
				body: { slots: [{ name: "priority", type: "integer", required: true, default: 3 }] },
			});
			const read = await world.expect(200, RecordAnswer, "GET", `/records/${record.id}`);
			assert.equal(read.record.values.priority, 3);
		},
	},
	{
		name: "records are listed newest first, in pages, of one template and one owner",
		cites: ["STORE-ENTRY-ISOLATION"],
		async run(world) {
			await ensure(world);
			await ensure(world, "other");
			for (const title of ["a", "b", "c"]) await create(world, { title });
			await create(world, { title: "no" }, "other");
			const query = { owner_id: world.owner, template: "task", limit: 2 };
			const first = await world.expect(200, RecordPage, "GET", "/records", { query });
			assert.deepEqual(
				first.records.map((record) => record.values.title),
				["c", "b"],
			);
			const rest = await world.expect(200, RecordPage, "GET", "/records", {
				query: { ...query, cursor: first.next_cursor ?? "" },
			});
			assert.deepEqual(
				rest.records.map((record) => record.values.title),
				["a"],
			);
			assert.equal(rest.next_cursor, null);
		},
	},
	{
		name: "a record of a shared template is visible only to its owner",
		cites: ["STORE-ENTRY-ISOLATION"],
		async run(world) {
			const name = `shared-${world.owner}`;
			const body = { name, slots };
			const shared = await world.expect(201, EnsuredTemplate, "POST", "/templates", { body });
			const { record } = await create(world, { title: "mine" }, shared.template.id);
			const other = { query: { owner_id: "somebody-else" } };
			await world.refuse(404, "GET", `/records/${record.id}`, other);
			await world.refuse(404, "DELETE", `/records/${record.id}`, other);
			await world.refuse(404, "PATCH", `/records/${record.id}`, {
				body: { owner_id: "somebody-else", values: { title: "theirs" } },
			});
			const theirs = await world.expect(200, RecordPage, "GET", "/records", {
				query: { owner_id: "somebody-else", template: name },
			});
			assert.deepEqual(theirs.records, []);
		},
	},
	{
		name: "a record cannot use an unknown template or another owner's",
		cites: [],
		async run(world) {
			const theirs = await ensure(world, "theirs", `${world.owner}-other`);
			for (const template of [theirs.id, "theirs", "none", "01920000-0000-7000-8000-000000000000"]) {
				const body = { owner_id: world.owner, template, values: { title: "t" } };
				const { issues } = await world.refuse(422, "POST", "/records", { body });
				assert.equal(issues?.[0]?.path, "template");
			}
		},
	},
	{
		name: "a deleted record cannot be read any more",
		cites: [],
		async run(world) {
			await ensure(world);
			const { record } = await create(world, { title: "t" });
			const query = { owner_id: world.owner };
			await world.expect(200, DeletedAnswer, "DELETE", `/records/${record.id}`, { query });
			await world.refuse(404, "GET", `/records/${record.id}`, { query });
			await world.refuse(404, "DELETE", `/records/${record.id}`, { query });
		},
	},
	{
		name: "an entry that is not a record cannot be reached through /records",
		cites: [],
		async run(world) {
			const answer = await world.call("POST", "/entries", {
				body: { owner_id: world.owner, entry_type: "note", page_name: "p", content: "" },
			});
			const id = (answer.body as { entry: { id: string } }).entry.id;
			await world.refuse(404, "GET", `/records/${id}`);
			await world.refuse(404, "DELETE", `/records/${id}`);
		},
	},
];
