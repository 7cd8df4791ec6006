import assert from "node:assert/strict";
import { AppendedEntry, DeletedAnswer, EntryPage, UpsertedEntry } from "@tripline/contract/entries";
import { LIFETIMES, PRIVATE_TYPES } from "@tripline/contract/entry-types";
import { SYSTEM_OWNER } from "@tripline/contract/names";
import { CreatedPartnerKey } from "@tripline/contract/partner-keys";
import { Suggestions } from "@tripline/contract/search";
import type { Scenario, World } from "../../scenario.ts";

const entry = (world: World, fields: object = {}) => ({
	entry_type: "note",
	owner_id: world.owner,
	page_name: "page",
	content: "text",
	...fields,
});

const putIfAbsent = (world: World, status: number, fields: object = {}) =>
	world.expect(status, UpsertedEntry, "PUT", "/entries", {
		body: entry(world, { ...fields, if_absent: true }),
	});

async function listEntries(world: World, query: Record<string, string> = {}, headers = {}) {
	const page = await world.expect(200, EntryPage, "GET", "/entries", {
		query: { owner_id: world.owner, ...query },
		headers,
	});
	return page.entries;
}

async function createPartner(world: World): Promise<Record<string, string>> {
	const body = { namespace: world.owner };
	const { key } = await world.expect(201, CreatedPartnerKey, "POST", "/partner-keys", { body });
	return { authorization: `Bearer ${key}` };
}

/** Partner keys exist only in this mode. */
const MULTI_TENANT = { MULTI_TENANT: "true" };

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const internalEntries: readonly Scenario[] = [
	{
		name: "PUT /entries with if_absent creates an entry and leaves an existing one unchanged",
		cites: [],
		async run(world) {
			await world.target.setNow(DAY * 20_000);
			const first = await putIfAbsent(world, 201, { content: "first", metadata_json: '{"v":1}' });
			assert.equal(first.created, true);
			await world.target.setNow(DAY * 20_001);
			const second = await putIfAbsent(world, 200, { content: "second", metadata_json: '{"v":2}' });
			assert.deepEqual(second, { success: true, entry: first.entry, created: false });
			assert.deepEqual(await listEntries(world), [first.entry]);
		},
	},
	{
		name: "if_absent also leaves appended entries unchanged and returns the oldest",
		cites: [],
		async run(world) {
			const append = async (content: string) =>
				(await world.expect(201, AppendedEntry, "POST", "/entries", { body: entry(world, { content }) }))
					.entry;
			const oldest = await append("a");
			await append("b");
			assert.deepEqual((await putIfAbsent(world, 200)).entry, oldest);
			assert.equal((await listEntries(world)).length, 2);
		},
	},
	{
		name: "exactly one of 50 parallel callers creates an entry with if_absent, and all get the same one",
		cites: [],
		async run(world) {
			const answers = await Promise.all(
				Array.from({ length: 50 }, (_, nth) =>
					world.call("PUT", "/entries", {
						body: entry(world, { entry_type: "idempotency", content: String(nth), if_absent: true }),
					}),
				),
			);
			assert.deepEqual(
				answers.map(({ status }) => status).sort((one, other) => one - other),
				[...Array.from({ length: 49 }, () => 200), 201],
			);
			const bodies = answers.map(({ body }) => UpsertedEntry.parse(body));
			assert.equal(new Set(bodies.map((body) => body.entry.id)).size, 1);
			assert.equal(new Set(bodies.map((body) => body.entry.content)).size, 1);
			assert.equal((await listEntries(world, { entry_type: "idempotency" })).length, 1);
		},
	},
	{
		name: "an entry created with if_absent is searchable, and an unchanged one is not reindexed",
		cites: [],
		async run(world) {
			await putIfAbsent(world, 201, { content: "marmalade" });
			await putIfAbsent(world, 200, { content: "chutney" });
			const findPages = async (q: string) =>
				(
					await world.expect(200, Suggestions, "POST", "/search", { body: { owner_id: world.owner, q } })
				).suggestions.map(({ page_name }) => page_name);
			assert.deepEqual([await findPages("marmalade"), await findPages("chutney")], [["page"], []]);
		},
	},
	{
		name: "if_absent is a field of PUT only",
		cites: [],
		async run(world) {
			const body = entry(world, { if_absent: true });
			const { issues } = await world.refuse(422, "POST", "/entries", { body });
			assert.deepEqual(issues, [{ path: "if_absent", message: "unknown field" }]);
			await world.refuse(422, "PUT", "/entries", { body: entry(world, { if_absent: "yes" }) });
		},
	},
	{
		name: "an internal caller can keep entries of the service under the owner _system",
		cites: [],
		environment: MULTI_TENANT,
		async run(world) {
			const fields = { owner_id: SYSTEM_OWNER, entry_type: "api_recipe", page_name: world.owner };
			const { entry: stored } = await putIfAbsent(world, 201, fields);
			assert.equal(stored.owner_id, SYSTEM_OWNER);
			const query = { owner_id: SYSTEM_OWNER, entry_type: "api_recipe", page_name: world.owner };
			assert.deepEqual(await listEntries(world, query), [stored]);
			const path = `/entries/${stored.id}?owner_id=${SYSTEM_OWNER}`;
			assert.equal((await world.call("GET", path)).status, 200);
			const headers = await createPartner(world);
			await world.refuse(403, "PUT", "/entries", {
				body: entry(world, { owner_id: SYSTEM_OWNER }),
				headers,
			});
			await world.refuse(403, "GET", "/entries", { query, headers });
			await world.refuse(403, "GET", path, { headers });
			await world.refuse(404, "GET", `/entries/${stored.id}`, { headers });
			await world.refuse(404, "DELETE", `/entries/${stored.id}`, { headers });
			await world.expect(200, DeletedAnswer, "DELETE", path);
			for (const owner_id of ["_store", "_", "_system2", "system "]) {
				await world.refuse(422, "PUT", "/entries", { body: entry(world, { owner_id }) });
			}
			await world.refuse(422, "POST", "/partner-keys", { body: { namespace: SYSTEM_OWNER } });
		},
	},
	{
		name: "the executor's entries are only for internal callers, even in a partner key's own namespace",
		cites: ["STORE-INTERNAL-TYPES"],
		environment: MULTI_TENANT,
		async run(world) {
			const headers = await createPartner(world);
			for (const entry_type of PRIVATE_TYPES) {
				const { entry: stored } = await putIfAbsent(world, 201, { entry_type, content: "hidden" });
				for (const method of ["PUT", "POST"]) {
					const { owner_id: _, ...body } = entry(world, { entry_type });
					await world.refuse(403, method, "/entries", { body, headers });
				}
				await world.refuse(403, "GET", "/entries", { query: { entry_type }, headers });
				await world.refuse(404, "GET", `/entries/${stored.id}`, { headers });
				await world.refuse(404, "DELETE", `/entries/${stored.id}`, { headers });
				assert.deepEqual(await listEntries(world, { entry_type }), [stored]);
			}
			assert.deepEqual(await listEntries(world, {}, headers), []);
			assert.deepEqual(await listEntries(world, { page_name: "page" }, headers), []);
		},
	},
	{
		name: "the executor's entries are listed only by type, and search never finds them",
		cites: ["STORE-INTERNAL-TYPES"],
		async run(world) {
			for (const entry_type of PRIVATE_TYPES)
				await putIfAbsent(world, 201, { entry_type, content: "quincunx" });
			await putIfAbsent(world, 201, { content: "quincunx" });
			assert.deepEqual(
				(await listEntries(world)).map((each) => each.entry_type),
				["note"],
			);
			assert.deepEqual(
				(await listEntries(world, { page_name: "page" })).map((each) => each.entry_type),
				["note"],
			);
			const { suggestions } = await world.expect(200, Suggestions, "POST", "/search", {
				body: { owner_id: world.owner, q: "quincunx" },
			});
			assert.deepEqual(
				suggestions.map((each) => each.entry_type),
				["note"],
			);
			for (const entry_type of PRIVATE_TYPES) {
				await world.refuse(422, "POST", "/search", {
					body: { owner_id: world.owner, q: "quincunx", entry_types: [entry_type] },
				});
				const body = entry(world, { entry_type, metadata_json: '{"embed":true}' });
				const { issues } = await world.refuse(422, "PUT", "/entries", { body });
				assert.equal(issues?.[0]?.path, "metadata_json.embed");
			}
		},
	},
	{
		name: "an unfinished accepted run outlives its lifetime and is deleted at the tick after it ended",
		cites: [],
		async run(world) {
			const start = Date.UTC(2028, 5, 1);
			await world.target.setNow(start);
			const fields = { entry_type: "accepted_run", page_name: "unfinished" };
			// Due years later, so that no executor takes it over.
			const metadata_json = JSON.stringify({ status: "accepted", due_at: Date.UTC(2040, 0) / 1000 });
			await putIfAbsent(world, 201, { ...fields, metadata_json });
			await putIfAbsent(world, 201, { ...fields, page_name: "ended" });
			const listLeft = async () =>
				(await listEntries(world, { entry_type: "accepted_run" })).map(({ page_name }) => page_name);
			await world.target.setNow(start + 3 * DAY);
			await world.target.tick();
			assert.deepEqual(await listLeft(), ["unfinished"]);
			await world.call("PUT", "/entries", { body: entry(world, { ...fields, metadata_json: "{}" }) });
			await world.target.tick();
			assert.deepEqual(await listLeft(), []);
		},
	},
	{
		name: "the tick deletes entries past their lifetime and keeps the others",
		isLong: true,
		cites: [],
		async run(world) {
			const start = Date.UTC(2028, 0, 1);
			await world.target.setNow(start);
			const other = `${world.owner}-other`;
			for (const entry_type of PRIVATE_TYPES) {
				await putIfAbsent(world, 201, { entry_type });
				await putIfAbsent(world, 201, { entry_type, owner_id: other });
			}
			const listLeft = async () => {
				const types: string[] = [];
				for (const entry_type of PRIVATE_TYPES) {
					for (const owner_id of [world.owner, other]) {
						types.push(
							...(await listEntries(world, { entry_type, owner_id })).map((each) => each.entry_type),
						);
					}
				}
				return types;
			};
			const twice = (types: readonly string[]) => types.flatMap((type) => [type, type]);
			const lifetimes = [...new Set(Object.values(LIFETIMES))].sort((one, other) => one - other);
			for (const seconds of lifetimes) {
				for (const [passed, isAlive] of [
					[seconds, (lifetime: number) => lifetime >= seconds],
					[seconds + 1, (lifetime: number) => lifetime > seconds],
				] as const) {
					await world.target.setNow(start + passed * 1000);
					await world.target.tick();
					const expected = PRIVATE_TYPES.filter((type) =>
						isAlive(LIFETIMES[type] ?? Number.POSITIVE_INFINITY),
					);
					assert.deepEqual(await listLeft(), twice(expected));
				}
			}
		},
	},
];
