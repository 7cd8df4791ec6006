import assert from "node:assert/strict";
import { AppendedEntry, EntryPage } from "@tripline/contract/entries";
import { RecordAnswer, RecordPage } from "@tripline/contract/records";
import { EnsuredTemplate } from "@tripline/contract/templates";
import type { Scenario, World } from "../../scenario.ts";

type Query = Record<string, string | number | undefined>;

async function append(world: World, content: string, metadata: object | string = {}, fields: object = {}) {
	const metadata_json = typeof metadata === "string" ? metadata : JSON.stringify(metadata);
	const body = {
		entry_type: "note",
		owner_id: world.owner,
		page_name: "page",
		content,
		metadata_json,
		...fields,
	};
	return (await world.expect(201, AppendedEntry, "POST", "/entries", { body })).entry;
}

const listPage = (world: World, query: Query) =>
	world.expect(200, EntryPage, "GET", "/entries", { query: { owner_id: world.owner, ...query } });

const listContents = async (world: World, query: Query) =>
	(await listPage(world, query)).entries.map(({ content }) => content);

/** The contents of every page, and how many entries each had. */
async function listPages(world: World, query: Query) {
	const contents: string[] = [];
	const sizes: number[] = [];
	let cursor: string | null = null;
	do {
		const page: EntryPage = await listPage(world, { ...query, cursor: cursor ?? undefined });
		contents.push(...page.entries.map(({ content }) => content));
		sizes.push(page.entries.length);
		cursor = page.next_cursor;
	} while (cursor !== null);
	return { contents, sizes };
}

const metadata = (filter: unknown) => ({ metadata: JSON.stringify(filter) });

export const filtering: readonly Scenario[] = [
	{
		name: "order=oldest lists entries in the opposite order, with every filter and cursor",
		cites: [],
		async run(world) {
			const start = Date.UTC(2026, 2, 1);
			for (const [index, content] of ["a", "b", "c", "d", "e"].entries()) {
				await world.target.setNow(start + Math.floor(index / 2) * 1000);
				await append(world, content);
			}
			for (const filter of [
				{},
				{ entry_type: "note" },
				{ entry_type: "note", page_name: "page" },
				{ knowledge: "true" },
			]) {
				const query = { ...filter, order: "oldest" };
				assert.deepEqual(await listContents(world, query), ["a", "b", "c", "d", "e"]);
				assert.deepEqual(await listPages(world, { ...query, limit: 2 }), {
					contents: ["a", "b", "c", "d", "e"],
					sizes: [2, 2, 1],
				});
				assert.deepEqual(await listContents(world, { ...filter, order: "newest" }), [
					"e",
					"d",
					"c",
					"b",
					"a",
				]);
			}
			await world.refuse(422, "GET", "/entries", { query: { owner_id: world.owner, order: "best" } });
		},
	},
	{
		name: "a metadata filter compares values with their types, and looks into lists",
		cites: [],
		async run(world) {
			await append(world, "none");
			await append(world, "text one", { n: "1", state: "open" });
			await append(world, "one", { n: 1, state: "open", tags: ["tea", 7] });
			await append(world, "true", { n: true, state: null, tags: "tea" });
			await append(world, "one as a decimal", '{ "n" : 1.0, "state": "closed" }');
			const find = (filter: unknown) => listContents(world, { order: "oldest", ...metadata(filter) });
			assert.deepEqual(await find({ n: 1 }), ["one", "one as a decimal"]);
			assert.deepEqual(await find({ n: "1" }), ["text one"]);
			assert.deepEqual(await find({ n: true }), ["true"]);
			assert.deepEqual(await find({ tags: "tea" }), ["one", "true"]);
			assert.deepEqual(await find({ tags: 7 }), ["one"]);
			assert.deepEqual(await find({ n: 1, state: "open" }), ["one"]);
			assert.deepEqual(await find({ state: null }), ["none", "true"]);
			assert.deepEqual(await find({}), ["none", "text one", "one", "true", "one as a decimal"]);
			assert.deepEqual(await find({ n: 2 }), []);
		},
	},
	{
		name: "a metadata filter applies to any name, also to those of JavaScript's objects",
		cites: [],
		async run(world) {
			await append(world, "plain");
			await append(world, "own", '{"__proto__": "x", "constructor": "x", "a.b\\"": "x"}');
			for (const name of ["__proto__", "constructor", 'a.b"']) {
				const filter = `{${JSON.stringify(name)}: "x"}`;
				assert.deepEqual(await listContents(world, { metadata: filter }), ["own"]);
			}
			assert.deepEqual(await listContents(world, metadata({ toString: null })), ["own", "plain"]);
		},
	},
	{
		name: "a metadata filter combines with type, page, limit and cursor",
		cites: [],
		async run(world) {
			for (let index = 0; index < 9; index++) {
				const page_name = index % 2 === 0 ? "even" : "odd";
				await append(world, String(index), { third: index % 3 === 0 }, { page_name });
			}
			await append(world, "other type", { third: true }, { entry_type: "task" });
			await append(world, "other owner", { third: true }, { owner_id: `${world.owner}-b` });
			const query = { entry_type: "note", ...metadata({ third: true }) };
			assert.deepEqual(await listPages(world, { ...query, limit: 2 }), {
				contents: ["6", "3", "0"],
				sizes: [2, 1],
			});
			assert.deepEqual(await listPages(world, { ...query, limit: 3 }), {
				contents: ["6", "3", "0"],
				sizes: [3],
			});
			assert.deepEqual(await listContents(world, { ...query, page_name: "even" }), ["6", "0"]);
			assert.deepEqual(await listContents(world, { ...query, order: "oldest", limit: 1 }), ["0"]);
			assert.deepEqual(await listContents(world, metadata({ third: true })), ["other type", "6", "3", "0"]);
		},
	},
	{
		name: "a page with a metadata filter looks at a bounded amount of metadata and continues from its cursor",
		cites: [],
		async run(world) {
			const large = "x".repeat(300_000);
			for (let index = 0; index < 7; index++)
				await append(world, String(index), { large, first: index === 0 });
			const first = await listPage(world, metadata({ first: true }));
			assert.deepEqual(first.entries, []);
			assert.notEqual(first.next_cursor, null);
			assert.deepEqual(await listPages(world, metadata({ first: true })), {
				contents: ["0"],
				sizes: [0, 0, 1],
			});
		},
	},
	{
		name: "a metadata filter that is not an object of plain values is refused",
		cites: [],
		async run(world) {
			const names = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`n${index}`, 1]));
			for (const [text, problem] of [
				["{", "must be JSON"],
				["[]", "must be an object"],
				["null", "must be an object"],
				['{"a":{}}', 'must have plain values; "a" is a list or an object'],
				['{"a":[1]}', 'must have plain values; "a" is a list or an object'],
				[JSON.stringify(names), "must have at most 10 names"],
				[JSON.stringify({ a: "x".repeat(4096) }), "must be at most 4096 characters"],
			] as const) {
				const query = { owner_id: world.owner, metadata: text };
				const { issues } = await world.refuse(422, "GET", "/entries", { query });
				assert.deepEqual(issues, [{ path: "metadata", message: problem }]);
			}
		},
	},
	{
		name: "records are filtered by their values, with the defaults of later slots, and ordered",
		cites: [],
		async run(world) {
			const owner_id = world.owner;
			const ensure = (slots: object[]) =>
				world.call("POST", "/templates", { body: { owner_id, name: "book", slots } });
			const create = (values: object) =>
				world.expect(201, RecordAnswer, "POST", "/records", { body: { owner_id, template: "book", values } });
			const find = async (query: Query) => {
				const page = await world.expect(200, RecordPage, "GET", "/records", {
					query: { owner_id, template: "book", ...query },
				});
				return page.records.map(({ values }) => values.title);
			};
			const title = { name: "title", type: "string" };
			EnsuredTemplate.parse((await ensure([title])).body);
			await create({ title: "Emma" });
			await ensure([{ name: "state", type: "string", default: "unread" }]);
			await create({ title: "Persuasion", state: "read" });
			await create({ title: "Middlemarch" });
			assert.deepEqual(await find({ values: '{"state":"unread"}' }), ["Middlemarch", "Emma"]);
			assert.deepEqual(await find({ values: '{"state":"unread"}', order: "oldest" }), [
				"Emma",
				"Middlemarch",
			]);
			assert.deepEqual(await find({ values: '{"state":"read"}' }), ["Persuasion"]);
			assert.deepEqual(await find({ order: "oldest", limit: 1 }), ["Emma"]);
			await world.refuse(422, "GET", "/records", { query: { owner_id, template: "book", values: "1" } });
		},
	},
];
