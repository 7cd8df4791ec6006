import assert from "node:assert/strict";
import { EntryPage, UpsertedEntry } from "@tripline/contract/entries";
import { StoredVersion, WorkflowVersionPage } from "@tripline/contract/workflow-versions";
import type { Scenario, World } from "../../scenario.ts";

const buildEntry = (world: World, name: string, more: object = {}) => ({
	owner_id: world.owner,
	entry_type: "workflow",
	page_name: name,
	content: "sends mails",
	metadata_json: '{"graph":{"nodes":[],"edges":[]}}',
	...more,
});

const put = (world: World, name: string, more: object = {}, status = 200) =>
	world.expect(status, UpsertedEntry, "PUT", "/entries", { body: buildEntry(world, name, more) });

async function listVersions(world: World, name: string) {
	const query = { owner_id: world.owner, name };
	const { versions } = await world.expect(200, WorkflowVersionPage, "GET", "/workflows/versions", { query });
	return versions;
}

export const workflowVersions: readonly Scenario[] = [
	{
		name: "a workflow written as an entry gets a version when its text changes, and only then",
		cites: [],
		async run(world) {
			const first = await put(world, "mails", {}, 201);
			assert.equal(first.entry.version, 1);
			assert.equal((await put(world, "mails")).entry.version, 1);
			const changed = await put(world, "mails", { content: "sends letters", author: "ann", client: "pen" });
			assert.equal(changed.entry.version, 2);
			const body = { owner_id: world.owner, content: "sends parcels" };
			await world.call("PUT", `/entries/${first.entry.id}`, { body });
			assert.deepEqual(
				(await listVersions(world, "mails")).map(({ number, author, client }) => [number, author, client]),
				[
					[3, world.owner, "store"],
					[2, "ann", "pen"],
					[1, world.owner, "store"],
				],
			);
			const query = { owner_id: world.owner, name: "mails", number: 2 };
			const second = await world.expect(200, StoredVersion, "GET", "/workflows/version", { query });
			assert.equal(second.content, "sends letters");
			assert.equal(second.metadata_json, first.entry.metadata_json);
		},
	},
	{
		name: "an appended workflow entry has a version, another type of entry has none",
		cites: [],
		async run(world) {
			await world.call("POST", "/entries", { body: buildEntry(world, "appended") });
			assert.equal((await listVersions(world, "appended")).length, 1);
			const note = await put(world, "note", { entry_type: "note" }, 201);
			assert.equal("version" in note.entry, false);
			const query = { owner_id: world.owner, page_name: "appended", entry_type: "workflow" };
			const { entries } = await world.expect(200, EntryPage, "GET", "/entries", { query });
			assert.deepEqual(
				entries.map(({ version }) => version),
				[1],
			);
		},
	},
	{
		name: "of parallel writes with the same if_version exactly one succeeds",
		cites: [],
		async run(world) {
			await put(world, "raced", {}, 201);
			const answers = await Promise.all(
				Array.from({ length: 20 }, (_, nth) =>
					world.call("PUT", "/entries", {
						body: buildEntry(world, "raced", { content: `text ${nth}`, if_version: 1 }),
					}),
				),
			);
			const won = answers.filter(({ status }) => status === 200);
			assert.equal(won.length, 1);
			assert.equal(answers.filter(({ status }) => status === 412).length, 19);
			const versions = await listVersions(world, "raced");
			assert.deepEqual(
				versions.map(({ number }) => number),
				[2, 1],
			);
			const refused = await world.refuse(412, "PUT", "/entries", {
				body: buildEntry(world, "absent", { if_version: 1 }),
			});
			assert.equal(refused.current_version, null);
		},
	},
	{
		name: "a partner key cannot name another author or read versions past the executor",
		cites: [],
		environment: { MULTI_TENANT: "true", STORE_INTERNAL_TOKEN: "internal-token-of-the-tests" },
		async run(world) {
			const internal = { authorization: "Bearer internal-token-of-the-tests" };
			const key = await world.call("POST", "/partner-keys", {
				body: { namespace: world.owner },
				headers: internal,
			});
			const headers = { authorization: `Bearer ${(key.body as { key: string }).key}` };
			const named = { body: buildEntry(world, "own", { author: "ann" }), headers };
			await world.refuse(403, "PUT", "/entries", named);
			await world.expect(201, UpsertedEntry, "PUT", "/entries", { body: buildEntry(world, "own"), headers });
			const query = { owner_id: world.owner, name: "own" };
			await world.refuse(403, "GET", "/workflows/versions", { query, headers });
			const seen = await world.expect(200, WorkflowVersionPage, "GET", "/workflows/versions", {
				query,
				headers: internal,
			});
			assert.deepEqual(
				seen.versions.map(({ author }) => author),
				[world.owner],
			);
		},
	},
];
