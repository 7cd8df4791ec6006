import assert from "node:assert/strict";
import { AppendedEntry, EntryPage } from "@tripline/contract/entries";
import type { Scenario, World } from "../../scenario.ts";

async function append(world: World, content: string, fields: object = {}) {
	const body = { entry_type: "note", owner_id: world.owner, page_name: "page", content, ...fields };
	return (await world.expect(201, AppendedEntry, "POST", "/entries", { body })).entry;
}

async function listContents(world: World, query: Record<string, string | number | undefined> = {}) {
	const page = await world.expect(200, EntryPage, "GET", "/entries", {
		query: { owner_id: world.owner, ...query },
	});
	return page.entries.map((entry) => entry.content);
}

const T0 = Date.UTC(2026, 2, 1) / 1000;

export const listing: readonly Scenario[] = [
	{
		name: "entries are listed newest first by created_at, whatever the order of insertion",
		cites: ["STORE-ENTRY-LIST", "STORE-ENTRY-ORDER-CREATED-AT"],
		async run(world) {
			for (const [content, at] of [
				["middle", T0 + 5],
				["newest", T0 + 9],
				["oldest", T0 + 1],
			] as const) {
				await world.target.setNow(at * 1000);
				await append(world, content);
			}
			assert.deepEqual(await listContents(world), ["newest", "middle", "oldest"]);
		},
	},
	{
		name: "entries of the same second are listed by insertion, last first, in every listing",
		cites: ["STORE-ENTRY-ORDER-INSERTION", "STORE-ENTRY-NEWEST-DETERMINISTIC"],
		async run(world) {
			await world.target.setNow(T0 * 1000);
			for (const content of ["a", "b", "c", "d"]) await append(world, content);
			const newestFirst = ["d", "c", "b", "a"];
			assert.deepEqual(await listContents(world), newestFirst);
			assert.deepEqual(await listContents(world, { entry_type: "note" }), newestFirst);
			assert.deepEqual(await listContents(world, { entry_type: "note", page_name: "page" }), newestFirst);
			assert.deepEqual(await listContents(world, { page_name: "page" }), newestFirst);
			assert.deepEqual(await listContents(world, { limit: 1 }), ["d"]);
		},
	},
	{
		name: "entries can be filtered by type, owner and page, alone and combined",
		cites: ["STORE-ENTRY-LIST-TYPE", "STORE-ENTRY-LIST-OWNER", "STORE-ENTRY-LIST-PAGE"],
		async run(world) {
			const type = `type-${world.owner}`;
			await append(world, "1", { entry_type: type, page_name: "p" });
			await append(world, "2", { entry_type: type, page_name: "q" });
			await append(world, "3", { entry_type: "other", page_name: "p" });
			await append(world, "4", { entry_type: type, page_name: "p", owner_id: `${world.owner}-b` });
			assert.deepEqual(await listContents(world), ["3", "2", "1"]);
			assert.deepEqual(await listContents(world, { entry_type: type }), ["2", "1"]);
			assert.deepEqual(await listContents(world, { page_name: "p" }), ["3", "1"]);
			assert.deepEqual(await listContents(world, { entry_type: type, page_name: "p" }), ["1"]);
			const everyOwner = { owner_id: undefined, entry_type: type };
			assert.deepEqual(await listContents(world, everyOwner), ["4", "2", "1"]);
			assert.deepEqual(await listContents(world, { ...everyOwner, page_name: "p" }), ["4", "1"]);
			const unfiltered = await listContents(world, { owner_id: undefined, limit: 4 });
			assert.deepEqual(unfiltered, ["4", "3", "2", "1"]);
		},
	},
	{
		name: "listings without a type include execution records",
		cites: ["STORE-HOLDS-EXECUTION-RECORDS"],
		async run(world) {
			await world.target.setNow(T0 * 1000);
			await append(world, "before");
			const body = { owner_id: world.owner, workflow: "w", verdict: "success", duration_ms: 1 };
			await world.call("POST", "/execution-log", { body });
			await append(world, "after");
			const page = await world.expect(200, EntryPage, "GET", "/entries", {
				query: { owner_id: world.owner },
			});
			assert.deepEqual(
				page.entries.map((entry) => entry.entry_type),
				["note", "execution_log", "note"],
			);
		},
	},
	{
		name: "since and until bound a listing, both inclusive, as Unix seconds or ISO 8601",
		cites: [],
		async run(world) {
			for (const offset of [0, 10, 20, 30]) {
				await world.target.setNow((T0 + offset) * 1000);
				await append(world, String(offset));
			}
			assert.deepEqual(await listContents(world, { since: T0 + 10, until: T0 + 20 }), ["20", "10"]);
			const since = new Date((T0 + 20) * 1000).toISOString();
			assert.deepEqual(await listContents(world, { since }), ["30", "20"]);
			assert.deepEqual(await listContents(world, { until: "2026-03-01T01:00:10+01:00" }), ["10", "0"]);
		},
	},
	{
		name: "a listing continues from its cursor without gaps or duplicates while entries arrive",
		cites: [],
		async run(world) {
			await world.target.setNow(T0 * 1000);
			for (let index = 0; index < 5; index++) await append(world, String(index));
			const seen: string[] = [];
			let cursor: string | null = null;
			do {
				const page: EntryPage = await world.expect(200, EntryPage, "GET", "/entries", {
					query: { owner_id: world.owner, limit: 2, cursor: cursor ?? undefined },
				});
				seen.push(...page.entries.map((entry) => entry.content));
				cursor = page.next_cursor;
				await append(world, "late");
			} while (cursor !== null);
			assert.deepEqual(seen, ["4", "3", "2", "1", "0"]);
		},
	},
	{
		name: "next_cursor is null when the last entry fills the page",
		cites: [],
		async run(world) {
			await append(world, "a");
			await append(world, "b");
			const query = { owner_id: world.owner, limit: 2 };
			const page = await world.expect(200, EntryPage, "GET", "/entries", { query });
			assert.equal(page.next_cursor, null);
		},
	},
	{
		name: "a page of very large entries ends early and continues from its cursor",
		cites: [],
		async run(world) {
			const large = "x".repeat(900_000);
			for (let index = 0; index < 7; index++) await append(world, `${index}${large}`);
			const sizes: number[] = [];
			let cursor: string | null = null;
			do {
				const page: EntryPage = await world.expect(200, EntryPage, "GET", "/entries", {
					query: { owner_id: world.owner, cursor: cursor ?? undefined },
				});
				sizes.push(page.entries.length);
				cursor = page.next_cursor;
			} while (cursor !== null);
			assert.deepEqual(sizes, [4, 3]);
		},
	},
];
