import assert from "node:assert/strict";
import { AcceptedRuns, ClaimedAcceptedRun } from "@tripline/contract/accepted-runs";
import { EntryPage } from "@tripline/contract/entries";
import { CreatedPartnerKey } from "@tripline/contract/partner-keys";
import { ClearedRunLeases, ReleasedRunLease, TakenRunLease } from "@tripline/contract/run-leases";
import type { Scenario, World } from "../../scenario.ts";

const NOON = Date.UTC(2026, 10, 10, 12);
/** Years later, so that no executor takes over the runs that the scenarios leave. */
const DUE = Date.UTC(2040, 0) / 1000;
const TAKEN = { taken: true, created: true };
const REFUSED = { taken: false, created: false };

const toId = (nth: number) => `0199dddd-bbbb-7ccc-8ddd-${String(nth).padStart(12, "0")}`;

const buildLease = (world: World, nth: number, fields: object = {}) => ({
	owner_id: world.owner,
	id: toId(nth),
	workflow: "job",
	max: 1,
	seconds: 60,
	holder: "h",
	...fields,
});

const take = (world: World, nth: number, fields: object = {}) =>
	world.expect(200, TakenRunLease, "POST", "/run-leases", { body: buildLease(world, nth, fields) });

const release = (world: World, nth: number, fields: object = {}) =>
	world.expect(200, ReleasedRunLease, "POST", "/run-leases/release", {
		body: { owner_id: world.owner, id: toId(nth), workflow: "job", ...fields },
	});

/** Accepts runs that wait for the workflow, in this order. */
async function accept(world: World, ...nths: readonly number[]): Promise<void> {
	for (const nth of nths) {
		const run = { id: toId(nth), metadata_json: '{"workflow":"job"}', waits_for: "job" };
		const common = JSON.stringify({ status: "accepted" });
		await world.expect(200, AcceptedRuns, "POST", "/accepted-runs", {
			body: { owner_id: world.owner, due_at: DUE, metadata_json: common, runs: [run] },
		});
	}
}

async function claim(world: World, nth: number, attempts = 0): Promise<boolean> {
	const { owner_id, id, ...lease } = buildLease(world, nth);
	const body = { owner_id, id, attempts, due_at: DUE + 60, lease };
	return (await world.expect(200, ClaimedAcceptedRun, "POST", "/accepted-runs/claim", { body })).claimed;
}

export const runLeases: readonly Scenario[] = [
	{
		name: "of 20 parallel callers exactly as many get a lease as the workflow allows",
		cites: [],
		async run(world) {
			const all = Array.from({ length: 20 }, (_, nth) => nth);
			const answers = await Promise.all(all.map((nth) => take(world, nth, { max: 3 })));
			assert.equal(answers.filter(({ taken }) => taken).length, 3);
			assert.deepEqual(await take(world, 90, { workflow: "other" }), TAKEN);
			assert.deepEqual(await take(world, 91, { workflow: "jo" }), TAKEN);
			assert.deepEqual(await take(world, 92, { owner_id: `${world.owner}-x` }), TAKEN);
		},
	},
	{
		name: "a run that holds a lease extends it, and a released one is free",
		cites: [],
		async run(world) {
			assert.deepEqual(await take(world, 1), TAKEN);
			assert.deepEqual(await take(world, 1), { taken: true, created: false });
			assert.deepEqual(await take(world, 2), REFUSED);
			assert.deepEqual(await release(world, 1), { released: true, next: null });
			assert.deepEqual(await release(world, 1), { released: false, next: null });
			assert.deepEqual(await take(world, 2), TAKEN);
		},
	},
	{
		name: "a lease without a maximum is always given and counts for others",
		cites: [],
		async run(world) {
			for (const nth of [1, 2]) assert.deepEqual(await take(world, nth, { max: undefined }), TAKEN);
			assert.deepEqual(await take(world, 3, { max: 2 }), REFUSED);
			assert.deepEqual(await take(world, 3, { max: 3 }), TAKEN);
		},
	},
	{
		name: "a lease that is not released ends by itself",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			assert.deepEqual(await take(world, 1), TAKEN);
			await world.target.setNow(NOON + 59_000);
			assert.deepEqual(await take(world, 2), REFUSED);
			await world.target.setNow(NOON + 60_000);
			assert.deepEqual(await take(world, 2), TAKEN);
			const query = { owner_id: world.owner, entry_type: "run_lease" };
			const { entries } = await world.expect(200, EntryPage, "GET", "/entries", { query });
			assert.deepEqual(
				entries.map(({ page_name }) => page_name),
				[`job\n${toId(2)}`],
			);
		},
	},
	{
		name: "a process that is the only one frees the leases of the others",
		cites: [],
		environment: { RUN_TIMEOUT_MS: "29995" },
		async run(world) {
			for (const nth of [1, 2]) await take(world, nth, { max: 3, holder: "gone" });
			await take(world, 3, { max: 3, holder: "here" });
			await take(world, 4, { owner_id: `${world.owner}-x`, holder: "gone" });
			assert.equal((await take(world, 5, { max: 3 })).taken, false);
			const body = { holder: "here" };
			const { cleared } = await world.expect(200, ClearedRunLeases, "POST", "/run-leases/clear", { body });
			assert.equal(cleared, 3);
			assert.equal((await take(world, 5, { max: 2 })).taken, true);
			assert.equal((await take(world, 6, { max: 2 })).taken, false);
		},
	},
	{
		name: "an accepted run that has not ended keeps its lease until it is taken over",
		cites: [],
		async run(world) {
			const body = { holder: "here" };
			const clear = () => world.expect(200, ClearedRunLeases, "POST", "/run-leases/clear", { body });
			await clear();
			await accept(world, 1, 2);
			assert.equal(await claim(world, 1), true);
			assert.deepEqual(await clear(), { cleared: 0 });
			assert.equal(await claim(world, 2), false);
			assert.equal(await claim(world, 1, 1), true);
			const ended = { owner_id: world.owner, id: toId(1), metadata_json: '{"status":"success"}' };
			assert.equal((await world.call("POST", "/accepted-runs/end", { body: ended })).status, 200);
			assert.deepEqual(await clear(), { cleared: 1 });
			assert.equal(await claim(world, 2), true);
		},
	},
	{
		name: "accepted runs get their leases one at a time, in the order of acceptance",
		cites: [],
		async run(world) {
			await accept(world, 3, 1, 2);
			assert.equal(await claim(world, 1), false);
			assert.equal(await claim(world, 3), true);
			assert.equal(await claim(world, 1), false);
			assert.equal((await release(world, 3)).next?.page_name, toId(1));
			assert.equal(await claim(world, 2), false);
			const answers = await Promise.all(Array.from({ length: 10 }, () => claim(world, 1)));
			assert.equal(answers.filter((claimed) => claimed).length, 1);
			assert.equal((await release(world, 1)).next?.page_name, toId(2));
			assert.equal(await claim(world, 2), true);
			assert.deepEqual(await release(world, 2), { released: true, next: null });
		},
	},
	{
		name: "an interrupted run that finds its workflow busy waits again, before those accepted after it",
		cites: [],
		async run(world) {
			await accept(world, 1, 2);
			assert.equal(await claim(world, 1), true);
			// Its process died and another run was faster.
			await release(world, 1);
			assert.deepEqual(await take(world, 9), TAKEN);
			assert.equal(await claim(world, 1, 1), false);
			assert.equal((await release(world, 9)).next?.page_name, toId(1));
			assert.equal(await claim(world, 2), false);
			assert.equal(await claim(world, 1, 1), true);
		},
	},
	{
		name: "leases are for internal callers, and invalid ones are refused",
		cites: [],
		environment: { MULTI_TENANT: "true" },
		async run(world) {
			const { key } = await world.expect(201, CreatedPartnerKey, "POST", "/partner-keys", {
				body: { namespace: world.owner },
			});
			const headers = { authorization: `Bearer ${key}` };
			const body = buildLease(world, 1);
			await world.refuse(403, "POST", "/run-leases", { body, headers });
			const { owner_id, id, workflow } = body;
			await world.refuse(403, "POST", "/run-leases/release", { body: { owner_id, id, workflow }, headers });
			await world.refuse(403, "POST", "/run-leases/clear", { body: { holder: "h" }, headers });
			for (const bad of [{ max: 0 }, { seconds: 0 }, { workflow: "" }, { id: "x" }, { more: 1 }])
				await world.refuse(422, "POST", "/run-leases", { body: { ...body, ...bad } });
		},
	},
];
