import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { AcceptedRun, CreatedWebhook, RaisedEvents, Validation } from "@tripline/contract/executor";
import { RunResult } from "@tripline/contract/workflows";
import type { Scenario, World } from "../../scenario.ts";
import { eventually } from "./eventually.ts";
import { getNamedPath, listStored, save, trigger, waitForRecords } from "./saving.ts";
import { ticking } from "./ticking.ts";
import { withSettings } from "./with-settings.ts";

const NOON = Date.UTC(2026, 10, 9, 12);
const MINUTE = 60_000;
const SKIPPED = "skipped: a run of this workflow was in progress";
const ASYNC = { headers: { prefer: "respond-async" } };

/** Notes when it starts and ends, and takes `ms` in between. Its name for a run is `input.id` or the due time. */
const slow = (name: string, ms: number, more: object = {}) => {
	const id = '{{input.data.id | default("")}}{{input.scheduled_at | default("")}}{{input.id | default("")}}';
	const note = (content: string) => ({ component: "kb_upsert", entry_type: "note", content });
	return {
		name,
		description: `what ${name} does`,
		version: "1",
		triplets: ["input >> then >> begin", "begin >> then >> pause", "pause >> then >> finish"],
		config: {
			begin: { ...note("begin"), page_name: `${name} begin ${id}` },
			pause: { component: "wait", ms },
			finish: { ...note("finish"), page_name: `${name} finish ${id}` },
		},
		...more,
	};
};

/** What the runs of `slow` noted, in order: `begin 1`, `finish 1`, … */
async function listNotes(world: World, name: string): Promise<string[]> {
	const notes = await listStored(world, "note", { limit: 1000 });
	return notes
		.toReversed()
		.map(({ page_name }) => page_name)
		.filter((page) => page.startsWith(`${name} `))
		.map((page) => page.slice(name.length + 1));
}

const oneAfterAnother = (ids: readonly string[]) => ids.flatMap((id) => [`begin ${id}`, `finish ${id}`]);

/** Whether each run ended before the next began, in any order. */
function assertNoOverlap(notes: readonly string[]): void {
	for (let nth = 0; nth < notes.length; nth += 2)
		assert.equal(notes[nth + 1], notes[nth]?.replace("begin", "finish"), notes.join(", "));
}

const waitForNotes = (world: World, name: string, count: number) =>
	eventually(async () => {
		const notes = await listNotes(world, name);
		assert.equal(notes.length, count, notes.join(", "));
		return notes;
	});

const raise = (world: World, id: string) =>
	world.executor.expect(202, RaisedEvents, "POST", "/events", { body: { type: "order.paid", data: { id } } });

const scheduled = (overlap: string) => ({ trigger: { type: "schedule", cron: "* * * * *", overlap } });
const listening = (overlap: string) => ({ trigger: { type: "event", event: "order.paid", overlap } });
const toIso = (time: number) => new Date(time).toISOString();

/** From then on every occurrence runs, even if the next tick is late. */
async function startAtNoon(world: World): Promise<void> {
	await world.target.setNow(NOON);
	await world.target.tick();
}

/** A late tick, at which three occurrences are due. */
async function tickThreeLate(world: World): Promise<string[]> {
	await world.target.setNow(NOON + 3 * MINUTE);
	await world.target.tick();
	return [1, 2, 3].map((minute) => toIso(NOON + minute * MINUTE));
}

const schedules: readonly Scenario[] = [
	{
		name: "overlap skip: an occurrence that is due during a run does not run, and its record says so",
		cites: [],
		async run(world) {
			await startAtNoon(world);
			await save(world, slow("job", 1_000, scheduled("skip")));
			const [first] = await tickThreeLate(world);
			const records = await waitForRecords(world, "job", 3);
			assert.deepEqual(
				records.map(({ verdict, error, trigger }) => [verdict, error, trigger]).sort(),
				[
					["failed", SKIPPED, "schedule"],
					["failed", SKIPPED, "schedule"],
					["success", "", "schedule"],
				].sort(),
			);
			assert.deepEqual(await listNotes(world, "job"), oneAfterAnother([first ?? ""]));
			await world.target.setNow(NOON + 4 * MINUTE);
			await world.target.tick();
			await waitForNotes(world, "job", 4);
		},
	},
	{
		name: "overlap skip: a run that was started another way also counts, and a skip raises no execution.failed",
		cites: [],
		async run(world) {
			await startAtNoon(world);
			await save(world, slow("job", 1_500, scheduled("skip")));
			await save(world, slow("watch", 0, { trigger: { type: "event", event: "execution.failed" } }));
			// Less than the lifetime of a lease before the occurrence.
			await world.target.setNow(NOON + MINUTE - 10_000);
			const called = trigger(world, "job", { body: { id: "called" } });
			await waitForNotes(world, "job", 1);
			await world.target.setNow(NOON + MINUTE);
			await world.target.tick();
			const [skip] = await waitForRecords(world, "job", 1);
			assert.equal(skip?.error, SKIPPED);
			assert.equal((await called).status, 200);
			await wait(200);
			assert.deepEqual(await listNotes(world, "watch"), []);
		},
	},
	{
		name: "overlap queue: occurrences that are due during a run wait on disk and run in order",
		cites: [],
		async run(world) {
			await startAtNoon(world);
			await save(world, slow("job", 300, scheduled("queue")));
			const due = await tickThreeLate(world);
			assert.ok((await listStored(world, "accepted_run")).length > 0);
			assert.deepEqual(await waitForNotes(world, "job", 6), oneAfterAnother(due));
			const records = await waitForRecords(world, "job", 3);
			assert.deepEqual([...new Set(records.map(({ verdict }) => verdict))], ["success"]);
		},
	},
	{
		name: "a queue goes on when the lease of a run whose process died has ended",
		cites: [],
		async run(world) {
			await startAtNoon(world);
			await save(world, slow("job", 0, listening("queue")));
			const lease = { workflow: "job", max: 1, seconds: 60, holder: "a dead process" };
			const body = { owner_id: world.owner, id: "0199eeee-bbbb-7ccc-8ddd-000000000001", ...lease };
			assert.equal((await world.call("POST", "/run-leases", { body })).status, 200);
			for (const id of ["1", "2"]) await raise(world, id);
			await world.target.setNow(NOON + 50_000);
			await world.target.tick();
			await wait(200);
			assert.deepEqual(await listNotes(world, "job"), []);
			await world.target.setNow(NOON + 61_000);
			await world.target.tick();
			assert.deepEqual(await waitForNotes(world, "job", 4), oneAfterAnother(["1", "2"]));
		},
	},
	{
		name: "overlap allow: occurrences that are due together run side by side",
		cites: [],
		async run(world) {
			await startAtNoon(world);
			await save(world, slow("job", 1_500, scheduled("allow")));
			await tickThreeLate(world);
			const notes = await waitForNotes(world, "job", 6);
			assert.equal(notes.slice(0, 3).filter((note) => note.startsWith("begin")).length, 3, notes.join(", "));
		},
	},
];

const events: readonly Scenario[] = [
	{
		name: "overlap skip: an event during a run starts nothing, and a record says so",
		cites: [],
		async run(world) {
			await save(world, slow("job", 1_500, listening("skip")));
			await save(world, slow("other", 0, { trigger: { type: "event", event: "order.paid" } }));
			assert.equal((await raise(world, "1")).matched, 2);
			const { matched, executions } = await raise(world, "2");
			assert.equal(matched, 1);
			assert.equal(executions.length, 1);
			const records = await waitForRecords(world, "job", 2);
			assert.deepEqual(records.map(({ error }) => error).sort(), ["", SKIPPED]);
			assert.deepEqual(await listNotes(world, "job"), oneAfterAnother(["1"]));
			await waitForRecords(world, "other", 2);
			await eventually(async () => assert.equal((await raise(world, "3")).matched, 2));
		},
	},
	{
		name: "overlap queue: events during a run start their runs afterwards, in order",
		cites: [],
		async run(world) {
			await save(world, slow("job", 200, listening("queue")));
			const ids = ["1", "2", "3", "4", "5"];
			for (const id of ids) assert.equal((await raise(world, id)).matched, 1);
			assert.deepEqual(await waitForNotes(world, "job", 10), oneAfterAnother(ids));
		},
	},
	{
		name: "a queue goes on after a run that failed",
		cites: [],
		async run(world) {
			const job = slow("job", 200, listening("queue"));
			const { finish: _, ...config } = job.config;
			const fail = { component: "fail", message: "no paper" };
			await save(world, {
				...job,
				triplets: ["input >> then >> begin", "begin >> then >> pause", "pause >> then >> fail"],
				config: { ...config, fail },
			});
			for (const id of ["1", "2", "3"]) await raise(world, id);
			const records = await waitForRecords(world, "job", 3);
			assert.deepEqual([...new Set(records.map(({ error }) => error))], ["fail: no paper"]);
			assert.deepEqual(await listNotes(world, "job"), ["begin 1", "begin 2", "begin 3"]);
		},
	},
	{
		name: "a queue goes on after a restart in the middle, in order and without overlap",
		cites: [],
		environment: { RUN_TIMEOUT_MS: "29996" },
		async run(world) {
			await save(world, slow("job", 400, listening("queue")));
			const ids = ["1", "2", "3", "4"];
			for (const id of ids) await raise(world, id);
			await eventually(async () => assert.notDeepEqual(await listNotes(world, "job"), []));
			await world.target.restart({ RUN_TIMEOUT_MS: "29996" });
			const expected = oneAfterAnother(ids);
			const hasEnded = async () => (await listNotes(world, "job")).length === expected.length;
			for (let nth = 0; nth < 50 && !(await hasEnded()); nth++) await wait(100);
			if ((await hasEnded()) || !world.target.isolatesRequests) {
				assert.deepEqual(await waitForNotes(world, "job", expected.length), expected);
				return;
			}
			// A Worker that is gone frees no lease: it ends by itself, and ticks start what was interrupted or waits.
			await world.target.setNow(Date.now() + MINUTE);
			await eventually(async () => {
				await world.target.tick();
				assert.deepEqual((await listNotes(world, "job")).sort(), expected.sort());
			});
		},
	},
	{
		name: "deleting a workflow ends the runs in its queue with a record each, and the run in progress finishes",
		cites: [],
		async run(world) {
			await save(world, slow("job", 1_500, listening("queue")));
			for (const id of ["1", "2", "3"]) await raise(world, id);
			await waitForNotes(world, "job", 1);
			await world.executor.call("DELETE", getNamedPath("job"));
			const records = await waitForRecords(world, "job", 3);
			const deleted = "cancelled: the workflow was deleted";
			assert.deepEqual(records.map(({ error }) => error).sort(), ["", deleted, deleted]);
			await wait(300);
			assert.deepEqual(await listNotes(world, "job"), oneAfterAnother(["1"]));
		},
	},
];

const callers: readonly Scenario[] = [
	{
		name: "concurrency 1: five callers are all served, one run at a time",
		cites: [],
		async run(world) {
			await save(world, slow("job", 150, { options: { concurrency: 1 } }));
			const ids = ["1", "2", "3", "4", "5"];
			const answers = await Promise.all(ids.map((id) => trigger(world, "job", { body: { id } })));
			for (const { status, body } of answers) assert.equal(status, 200, JSON.stringify(body));
			const notes = await listNotes(world, "job");
			assert.equal(notes.length, 10);
			assertNoOverlap(notes);
		},
	},
	{
		name: "concurrency 2: two runs at a time",
		cites: [],
		async run(world) {
			await save(world, slow("job", 1_000, { options: { concurrency: 2 } }));
			const answers = await Promise.all(["1", "2", "3"].map((id) => trigger(world, "job", { body: { id } })));
			for (const { status } of answers) assert.equal(status, 200);
			const notes = await listNotes(world, "job");
			assert.deepEqual(
				notes.slice(0, 3).map((note) => note.split(" ")[0]),
				["begin", "begin", "finish"],
			);
		},
	},
	{
		name: "a run that fails frees its place for the next caller",
		cites: [],
		async run(world) {
			const config = { only: { component: "fail", message: "no" } };
			const triplets = ["input >> then >> only"];
			await save(world, { ...slow("job", 0), triplets, config, options: { concurrency: 1 } });
			for (let nth = 0; nth < 3; nth++) assert.equal((await trigger(world, "job")).status, 500);
		},
	},
	{
		name: "accepted runs of a workflow with concurrency 1 run one after another, in order",
		cites: [],
		async run(world) {
			await save(world, slow("job", 150, { options: { concurrency: 1 } }));
			const ids = ["1", "2", "3", "4"];
			for (const id of ids) {
				const path = getNamedPath("job", "trigger");
				await world.executor.expect(202, AcceptedRun, "POST", path, { body: { id }, ...ASYNC });
			}
			assert.deepEqual(await waitForNotes(world, "job", 8), oneAfterAnother(ids));
		},
	},
	{
		name: "a token webhook's concurrency holds too, for callers and accepted runs",
		cites: [],
		async run(world) {
			const { name: _, version: _version, ...graph } = slow("hook", 200, { options: { concurrency: 1 } });
			const { token } = await world.executor.expect(201, CreatedWebhook, "POST", "/webhooks", {
				body: graph,
			});
			const path = `/webhooks/${token}/trigger`;
			const [accepted, ...called] = await Promise.all([
				world.executor.call("POST", path, { body: { id: "a" }, ...ASYNC }),
				world.executor.call("POST", path, { body: { id: "b" } }),
				world.executor.call("POST", path, { body: { id: "c" } }),
			]);
			assert.equal(accepted?.status, 202);
			for (const { status } of called) assert.equal(status, 200);
			assertNoOverlap(await waitForNotes(world, "hook", 6));
		},
	},
	{
		name: "overlap skip on a webhook: a call during a run gets 409 with Retry-After and runs nothing",
		cites: [],
		async run(world) {
			await save(world, slow("job", 1_500, { trigger: { type: "webhook", overlap: "skip" } }));
			const first = trigger(world, "job", { body: { id: "1" } });
			await waitForNotes(world, "job", 1);
			const query = await world.executor.call("POST", getNamedPath("job", "query"), { body: { id: "2" } });
			for (const answer of [await trigger(world, "job"), await trigger(world, "job", ASYNC), query]) {
				assert.equal(answer.status, 409);
				assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
				assert.deepEqual(answer.body, { error: "a run of this workflow is in progress" });
			}
			assert.equal((await first).status, 200);
			await eventually(async () =>
				assert.equal((await trigger(world, "job", { body: { id: "3" } })).status, 200),
			);
			assert.deepEqual(await listNotes(world, "job"), oneAfterAnother(["1", "3"]));
			await waitForRecords(world, "job", 2);
		},
	},
	{
		name: "callers beyond the queue's length get 503 with Retry-After",
		cites: [],
		run: (world) =>
			withSettings(world, { MAX_QUEUED_RUNS: "1" }, async () => {
				await save(world, slow("job", 500, { options: { concurrency: 1 } }));
				const answers = await Promise.all(
					["1", "2", "3"].map((id) => trigger(world, "job", { body: { id } })),
				);
				assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 503]);
				const refused = answers.find(({ status }) => status === 503);
				assert.match(refused?.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
				assertNoOverlap(await listNotes(world, "job"));
			}),
	},
	{
		name: "a workflow with concurrency 1 can call itself",
		cites: [],
		async run(world) {
			await save(world, {
				name: "twice",
				description: "calls itself once",
				version: "1",
				triplets: ["input >> then >> again", "again >> if true >> call", "again >> if false >> end"],
				config: {
					again: { component: "if", condition: "!has(input.stop)" },
					call: { component: "workflow", name: "twice", input: { stop: true } },
					end: { component: "set", values: { ended: true } },
				},
				options: { concurrency: 1 },
			});
			const { data } = await world.executor.expect(200, RunResult, "POST", getNamedPath("twice", "trigger"));
			assert.deepEqual(data, { ended: true });
		},
	},
	{
		name: "bad values of overlap and concurrency are refused when the workflow is saved",
		cites: [],
		async run(world) {
			for (const [more, path] of [
				[{ trigger: { type: "schedule", cron: "@daily", overlap: "wait" } }, "trigger.overlap"],
				[{ options: { concurrency: 0 } }, "options.concurrency"],
				[{ options: { concurrency: 1.5 } }, "options.concurrency"],
				[{ options: { concurrency: "1" } }, "options.concurrency"],
				[{ options: { concurrency: 1001 } }, "options.concurrency"],
			] as const) {
				const body = slow("job", 0, more);
				const found = await world.executor.expect(200, Validation, "POST", "/workflows/validate", { body });
				assert.deepEqual(
					found.diagnostics.map(({ code, path: at }) => [code, at]),
					[["bad_field", path]],
				);
			}
		},
	},
];

export const overlap: readonly Scenario[] = [...schedules.map(ticking), ...events, ...callers];
