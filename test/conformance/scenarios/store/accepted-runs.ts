import assert from "node:assert/strict";
import {
	AcceptedRuns,
	CancelledAcceptedRuns,
	ClaimedAcceptedRun,
	EndedAcceptedRun,
	MAX_DESCENDED_RUNS,
	MAX_WAITING_RUNS,
} from "@tripline/contract/accepted-runs";
import { EntryPage } from "@tripline/contract/entries";
import { CreatedPartnerKey } from "@tripline/contract/partner-keys";
import type { Scenario, World } from "../../scenario.ts";

/** Years later, so that no executor takes over the runs that the scenarios leave. */
const DUE = Date.UTC(2040, 0) / 1000;
/** A setting without effect on these scenarios. */
const APART = { RUN_TIMEOUT_MS: "29997" };
/** Partner keys exist only in this mode. */
const MULTI_TENANT = { MULTI_TENANT: "true" };
const RUN = "0199aaaa-bbbb-7ccc-8ddd-00000000000";

const runs = async (world: World) => {
	const query = { owner_id: world.owner, entry_type: "accepted_run", limit: 1000 };
	const page = await world.expect(200, EntryPage, "GET", "/entries", { query });
	return page.entries.map((entry) => ({ ...entry, metadata: JSON.parse(entry.metadata_json) }));
};

async function putAccepted(world: World, nth: number, fields: object = {}): Promise<string> {
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

let made = 0;
/** A unique execution id. */
const newRun = (fields: object = {}) => ({
	id: `0199cccc-bbbb-7ccc-8ddd-${String(++made).padStart(12, "0")}`,
	metadata_json: '{"workflow":"job"}',
	...fields,
});
const WAITS = { waits_for: "job" };
const newRuns = (count: number, fields: object = {}) => Array.from({ length: count }, () => newRun(fields));

const accept = (world: World, runs: readonly object[], fields: object = {}) =>
	world.expect(200, AcceptedRuns, "POST", "/accepted-runs", {
		body: {
			owner_id: world.owner,
			due_at: DUE,
			metadata_json: JSON.stringify({ status: "accepted", input: { a: 1 } }),
			runs,
			...fields,
		},
	});

/** A root of an external event at that time. */
const createRoot = (time: number) => {
	const hex = time.toString(16).padStart(12, "0");
	return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${String(++made).padStart(12, "0")}`;
};

const NOT_CLAIMED = { claimed: false, metadata_json: null };

const scenarios: readonly Scenario[] = [
	{
		name: "exactly one of 30 parallel callers claims an accepted run, which advances its attempts and due time",
		cites: [],
		async run(world) {
			const id = await putAccepted(world, 1);
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
		name: "an accepted run ends once, loses its input and can no longer be claimed",
		cites: [],
		async run(world) {
			const id = await putAccepted(world, 2);
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
		name: "an accepted run can be claimed and ended only under its owner, and not with a partner key",
		cites: [],
		environment: MULTI_TENANT,
		async run(world) {
			const id = await putAccepted(world, 3);
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
	{
		name: "a batch of runs is accepted, each with its own workflow and the shared fields as sent",
		cites: [],
		async run(world) {
			const input = {
				zahl: 1e21,
				minus: -0.5,
				'q"\\': "\u2028 茶 \u0001",
				leer: [{}, [], null, ""],
				nichts: null,
			};
			const metadata_json = `{"status":"accepted","input":${JSON.stringify(input)},"n":12345678901234567890}`;
			const own = (workflow: string) => ({
				metadata_json: JSON.stringify({ workflow, address: { a: [1] } }),
			});
			const [now, later] = [newRun(own("one")), newRun({ ...own('a "b" 茶'), waits_for: "two" })];
			const { accepted, refused } = await accept(world, [now, later], { metadata_json });
			assert.deepEqual([[...accepted].sort(), refused], [[now.id, later.id], null]);
			const stored = await runs(world);
			const findRun = (id: string) => stored.find(({ page_name }) => page_name === id);
			const common = {
				status: "accepted",
				input,
				n: Number("12345678901234567890"),
				due_at: DUE,
				address: { a: [1] },
			};
			assert.deepEqual(findRun(now.id)?.metadata, { ...common, workflow: "one", attempts: 1 });
			assert.deepEqual(findRun(later.id)?.metadata, { ...common, workflow: 'a "b" 茶', attempts: 0 });
			assert.match(findRun(now.id)?.metadata_json ?? "", /"n":12345678901234567890/);
			assert.deepEqual(
				stored.map(({ next_run_at }) => next_run_at),
				[DUE, DUE],
			);
		},
	},
	{
		name: "the same run is accepted once, also if it is sent repeatedly and in parallel",
		cites: [],
		async run(world) {
			const [first, second] = newRuns(2, WAITS);
			const answers = await Promise.all(Array.from({ length: 10 }, () => accept(world, [first as object])));
			assert.equal(answers.flatMap(({ accepted }) => accepted).length, 1);
			assert.ok(answers.every(({ refused }) => refused === null));
			const both = await accept(world, [first as object, second as object]);
			assert.deepEqual(both, { accepted: [second?.id], refused: null });
			await end(world, first?.id ?? "", { status: "success" });
			assert.deepEqual(await accept(world, [first as object]), { accepted: [], refused: null });
			assert.equal((await runs(world)).length, 2);
		},
	},
	{
		name: "at most 1,000 accepted runs of a namespace wait to start; those that start immediately do not count",
		cites: [],
		async run(world) {
			const other = { owner_id: `${world.owner}-other` };
			const [first, second, ...most] = newRuns(MAX_WAITING_RUNS - 2, WAITS);
			assert.equal((await accept(world, [first, second, ...most] as object[])).accepted.length, 998);
			// All or none.
			assert.deepEqual(await accept(world, newRuns(3, WAITS)), { accepted: [], refused: "waiting" });
			const answers = await Promise.all(
				Array.from({ length: 12 }, () => accept(world, newRuns(1, { waits_for: "" }))),
			);
			assert.equal(answers.filter(({ refused }) => refused === null).length, 2);
			assert.equal(answers.filter(({ refused }) => refused === "waiting").length, 10);
			assert.equal((await accept(world, newRuns(3))).accepted.length, 3);
			assert.equal((await accept(world, newRuns(1, WAITS), other)).accepted.length, 1);
			assert.equal((await claim(world, first?.id ?? "", 0)).claimed, true);
			assert.deepEqual((await end(world, second?.id ?? "", {})).ended, true);
			assert.deepEqual(await accept(world, newRuns(3, WAITS)), { accepted: [], refused: "waiting" });
			assert.equal((await accept(world, newRuns(2, WAITS))).accepted.length, 2);
			assert.deepEqual(await accept(world, newRuns(1, WAITS)), { accepted: [], refused: "waiting" });
		},
	},
	{
		name: "one root leads to at most 1,000 runs, across parallel callers and including ended runs",
		cites: [],
		async run(world) {
			const start = Date.UTC(2027, 3, 1);
			await world.target.setNow(start);
			const root = createRoot(start);
			const [first, ...most] = newRuns(MAX_DESCENDED_RUNS - 5);
			assert.equal((await accept(world, [first, ...most] as object[], { root })).accepted.length, 995);
			assert.deepEqual(await accept(world, newRuns(6), { root }), { accepted: [], refused: "descended" });
			const answers = await Promise.all(
				Array.from({ length: 12 }, () => accept(world, newRuns(1), { root })),
			);
			assert.equal(answers.filter(({ refused }) => refused === null).length, 5);
			await end(world, first?.id ?? "", {});
			assert.deepEqual(await accept(world, newRuns(1), { root }), { accepted: [], refused: "descended" });
			assert.equal((await accept(world, newRuns(1), { root: createRoot(start) })).refused, null);
			assert.equal((await accept(world, newRuns(1))).refused, null);
			const owner_id = `${world.owner}-other`;
			assert.equal((await accept(world, newRuns(1), { root, owner_id })).refused, null);
			// A run that is sent again counts once and is not rejected.
			assert.deepEqual(await accept(world, [first as object], { root }), { accepted: [], refused: null });
			const DAY = 24 * 3600 * 1000;
			await world.target.setNow(start + DAY - 1000);
			await world.target.tick();
			assert.equal((await accept(world, newRuns(1), { root })).refused, "descended");
			await world.target.setNow(start + DAY + 1000);
			await world.target.tick();
			assert.equal((await accept(world, newRuns(1), { root })).refused, null);
		},
	},
	{
		name: "a workflow's waiting runs are ended a hundred at a time; started, later and other runs stay",
		cites: [],
		async run(world) {
			const cancel = (up_to?: number) =>
				world.expect(200, CancelledAcceptedRuns, "POST", "/accepted-runs/cancel", {
					body: { owner_id: world.owner, waits_for: "job", error: "not wanted", up_to },
				});
			const waiting = newRuns(130, WAITS);
			const input = { page_name: "p", path: { no: "text" } };
			const metadata_json = JSON.stringify({ status: "accepted", trigger: "event", input });
			await accept(world, waiting, { metadata_json });
			const [started] = waiting;
			await claim(world, started?.id ?? "", 0);
			const others = [newRun(), newRun({ waits_for: "" }), newRun({ waits_for: "another" })];
			await accept(world, others);
			const first = await cancel();
			assert.deepEqual([first.cancelled.length, first.more], [100, true]);
			const { id, ...context } = first.cancelled[0] ?? {};
			assert.deepEqual([id, context], [waiting[1]?.id, { trigger: "event", page_name: "p", path: null }]);
			const [later] = newRuns(1, WAITS);
			await accept(world, [later as object]);
			const rest = await cancel(first.up_to);
			assert.deepEqual([rest.cancelled.length, rest.more], [29, false]);
			assert.deepEqual((await cancel(first.up_to)).cancelled, []);
			const unfinished = (await runs(world)).filter(({ metadata }) => metadata.status === "accepted");
			assert.deepEqual(
				unfinished.map(({ page_name }) => page_name).sort(),
				[started, later, ...others].map((run) => run?.id).sort(),
			);
			const ended = (await runs(world)).find(({ page_name }) => page_name === waiting[5]?.id);
			assert.deepEqual(ended?.metadata, {
				status: "failed",
				workflow: "job",
				duration_ms: 0,
				error: "not wanted",
			});
		},
	},
	{
		name: "only internal callers can accept and cancel runs, and invalid runs are rejected",
		cites: [],
		environment: MULTI_TENANT,
		async run(world) {
			const { key } = await world.expect(201, CreatedPartnerKey, "POST", "/partner-keys", {
				body: { namespace: world.owner },
			});
			const headers = { authorization: `Bearer ${key}` };
			const body = { owner_id: world.owner, due_at: DUE, metadata_json: "{}", runs: newRuns(1) };
			await world.refuse(403, "POST", "/accepted-runs", { body, headers });
			const cancel = { owner_id: world.owner, waits_for: "job", error: "no" };
			await world.refuse(403, "POST", "/accepted-runs/cancel", { body: cancel, headers });
			for (const bad of [{ waits_for: "" }, { error: "" }, { up_to: -1 }, { owner_id: undefined }])
				await world.refuse(422, "POST", "/accepted-runs/cancel", { body: { ...cancel, ...bad } });
			for (const bad of [
				{ runs: [] },
				{ runs: newRuns(1001) },
				{ runs: [newRun({ id: "x" })] },
				{ runs: [newRun({ metadata_json: "[]" })] },
				{ runs: [newRun({ more: 1 })] },
				{ metadata_json: "[]" },
				{ metadata_json: '{"embed":true}' },
				{ root: "x" },
				{ due_at: -1 },
				{ owner_id: "_system" },
			]) {
				await world.refuse(422, "POST", "/accepted-runs", { body: { ...body, ...bad } });
			}
			assert.deepEqual(await runs(world), []);
		},
	},
];

/** These use their own service, because a restart would start the runs that they leave. */
export const acceptedRuns = scenarios.map((scenario) => ({ environment: APART, ...scenario }));
