import assert from "node:assert/strict";
import { ClaimedAcceptedRun, EndedAcceptedRun } from "@tripline/contract/accepted-runs";
import { EntryPage } from "@tripline/contract/entries";
import { CreatedPartnerKey } from "@tripline/contract/partner-keys";
import type { Scenario, World } from "../scenario.ts";

/** Years later, so that no executor takes over what the scenarios leave. */
const DUE = Date.UTC(2040, 0) / 1000;
/** Where there are partner keys. */
const MULTI_TENANT = { MULTI_TENANT: "true" };
const RUN = "0199aaaa-bbbb-7ccc-8ddd-00000000000";

const runs = async (world: World) => {
	const query = { owner_id: world.owner, entry_type: "accepted_run", limit: 1000 };
	const page = await world.expect(200, EntryPage, "GET", "/entries", { query });
	return page.entries.map((entry) => ({ ...entry, metadata: JSON.parse(entry.metadata_json) }));
};

async function leave(world: World, nth: number, fields: object = {}): Promise<string> {
	const page_name = `${RUN}${nth}`;
	const metadata = { status: "accepted", due_at: DUE, attempts: 1, input: { tea: "茶" }, ...fields };
	const body = {
		entry_type: "accepted_run",
		owner_id: world.owner,
		page_name,
		content: "",
		metadata_json: JSON.stringify(metadata),
	};
	assert.equal((await world.call("PUT", "/entries", { body })).status, 201);
	return page_name;
}

const claim = (world: World, id: string, attempts: number, fields: object = {}) =>
	world.expect(200, ClaimedAcceptedRun, "POST", "/accepted-runs/claim", {
		body: { owner_id: world.owner, id, attempts, due_at: DUE + 60, ...fields },
	});

const end = (world: World, id: string, metadata: object) =>
	world.expect(200, EndedAcceptedRun, "POST", "/accepted-runs/end", {
		body: { owner_id: world.owner, id, metadata_json: JSON.stringify(metadata) },
	});

const NOT_CLAIMED = { claimed: false, metadata_json: null };

export const acceptedRuns: readonly Scenario[] = [
	{
		name: "of 30 callers at once exactly one claims an accepted run, and its attempts and its time move on",
		cites: [],
		async run(world) {
			const id = await leave(world, 1);
			const answers = await Promise.all(Array.from({ length: 30 }, () => claim(world, id, 1)));
			const [won, ...more] = answers.filter(({ claimed }) => claimed);
			assert.deepEqual(more, []);
			const expected = { status: "accepted", due_at: DUE + 60, attempts: 2, input: { tea: "茶" } };
			assert.deepEqual(JSON.parse(won?.metadata_json ?? ""), expected);
			const [stored] = await runs(world);
			assert.deepEqual([stored?.metadata, stored?.next_run_at], [expected, DUE + 60]);
			assert.deepEqual(await claim(world, id, 1), NOT_CLAIMED);
			assert.equal((await claim(world, id, 2)).claimed, true);
		},
	},
	{
		name: "an accepted run ends once, loses its input, and is not claimed any more",
		cites: [],
		async run(world) {
			const id = await leave(world, 2);
			const answers = await Promise.all(
				Array.from({ length: 10 }, (_, nth) => end(world, id, { status: "success", nth })),
			);
			assert.equal(answers.filter(({ ended }) => ended).length, 1);
			const first = answers.findIndex(({ ended }) => ended);
			const [stored] = await runs(world);
			assert.deepEqual(
				[stored?.metadata, stored?.next_run_at],
				[{ status: "success", nth: first }, undefined],
			);
			assert.deepEqual(await claim(world, id, 1), NOT_CLAIMED);
			assert.deepEqual(await end(world, `${RUN}9`, {}), { ended: false });
		},
	},
	{
		name: "an accepted run is claimed and ended by its owner's name only, and by no partner key",
		cites: [],
		environment: MULTI_TENANT,
		async run(world) {
			const id = await leave(world, 3);
			const owner_id = `${world.owner}-x`;
			assert.deepEqual(await claim(world, id, 1, { owner_id }), NOT_CLAIMED);
			assert.deepEqual(await claim(world, `${RUN}8`, 1), NOT_CLAIMED);
			const { key } = await world.expect(201, CreatedPartnerKey, "POST", "/partner-keys", {
				body: { namespace: world.owner },
			});
			const headers = { authorization: `Bearer ${key}` };
			const claiming = { owner_id: world.owner, id, attempts: 1, due_at: DUE };
			const ending = { owner_id: world.owner, id, metadata_json: "{}" };
			for (const [action, body] of Object.entries({ claim: claiming, end: ending })) {
				const path = `/accepted-runs/${action}`;
				await world.refuse(403, "POST", path, { body, headers });
				for (const bad of [{ id: "x" }, { owner_id: undefined }, { more: 1 }]) {
					await world.refuse(422, "POST", path, { body: { ...body, ...bad } });
				}
			}
			for (const bad of [{ attempts: -1 }, { attempts: "1" }, { due_at: -1 }, { due_at: 1e15 }]) {
				await world.refuse(422, "POST", "/accepted-runs/claim", { body: { ...claiming, ...bad } });
			}
			for (const metadata_json of ["[]", "{", 5]) {
				await world.refuse(422, "POST", "/accepted-runs/end", { body: { ...ending, metadata_json } });
			}
			assert.equal((await claim(world, id, 1)).claimed, true);
		},
	},
];
