import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import type { Scenario, World } from "../../scenario.ts";
import { eventually } from "./eventually.ts";
import {
	createWorkflow,
	echo,
	fails,
	getNamedPath,
	listRecords,
	listStored,
	run,
	save,
	says,
	trigger,
	waitForRecords,
} from "./saving.ts";
import { ticking } from "./ticking.ts";

const NOON = Date.UTC(2026, 10, 2, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Fails with its trigger context as the error, because a record contains no data. */
const createScheduled = (name: string, cron: string, timezone?: string) =>
	fails(name, "at {{input.scheduled_at}}", {
		trigger: { type: "schedule", cron, ...(timezone !== undefined && { timezone }) },
	});

/** Ticks at that time and returns the counts. */
async function tickAt(world: World, time: number): Promise<string> {
	await world.target.setNow(time);
	await world.target.lines();
	await world.target.tick();
	const said = (await world.target.lines()).filter(({ message }) => message.startsWith("cron:"));
	assert.equal(said.length, 1);
	assert.equal(said[0]?.level, "info");
	return said[0]?.message ?? "";
}

/** The due times of the workflow's runs, latest first. */
async function listDueTimes(world: World, name: string, count: number): Promise<string[]> {
	const found = await waitForRecords(world, name, count);
	return found.map(({ error }) => error.replace("only: at ", ""));
}

const toIso = (time: number) => new Date(time).toISOString();

const byTheClock: readonly Scenario[] = [
	{
		name: "a scheduled run that has effects is stored with its claim, until it has ended",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const trigger = { type: "schedule", cron: "*/5 * * * *" };
			await save(world, createWorkflow("pure", { component: "set", values: {} }, { trigger }));
			const effect = { component: "kb_upsert", page_name: "p", content: "{{input.scheduled_at}}" };
			await save(world, createWorkflow("effect", effect, { trigger }));
			assert.equal(await tickAt(world, NOON + 5 * MINUTE), "cron: scanned=2 triggered=2");
			const [record] = await waitForRecords(world, "effect", 1);
			assert.equal(record?.verdict, "success");
			assert.equal((await listStored(world, "note"))[0]?.content, toIso(NOON + 5 * MINUTE));
			const ended = await eventually(async () => {
				const stored = await listStored(world, "accepted_run");
				assert.equal(JSON.parse(stored[0]?.metadata_json ?? "{}").status, "success");
				return stored;
			});
			assert.deepEqual(
				ended.map(({ page_name }) => page_name),
				[record?.id],
			);
		},
	},
	{
		name: "a due workflow starts once with its due time, and the tick counts scanned and started workflows",
		cites: [
			"EXEC-RUN-ON-SCHEDULE",
			"EXEC-SCHEDULE-SCANS",
			"EXEC-SCHEDULE-STARTS-DUE",
			"EXEC-SCHEDULE-LOG-SCANNED",
			"EXEC-SCHEDULE-LOG-TRIGGERED",
		],
		async run(world) {
			await world.target.setNow(NOON);
			await save(world, createScheduled("often", "*/5 * * * *"));
			await save(world, createScheduled("rarely", "@yearly"));
			await save(world, says("never", "x"));
			await save(world, says("on call", "x", { trigger: { type: "webhook" } }));
			assert.equal(await tickAt(world, NOON + 4 * MINUTE), "cron: scanned=2 triggered=0");
			assert.equal(await tickAt(world, NOON + 5 * MINUTE), "cron: scanned=2 triggered=1");
			assert.deepEqual(await listDueTimes(world, "often", 1), [toIso(NOON + 5 * MINUTE)]);
			assert.equal(await tickAt(world, NOON + 6 * MINUTE), "cron: scanned=2 triggered=0");
			assert.equal(await tickAt(world, NOON + 10 * MINUTE + 20_000), "cron: scanned=2 triggered=1");
			assert.deepEqual(await listDueTimes(world, "often", 2), [
				toIso(NOON + 10 * MINUTE),
				toIso(NOON + 5 * MINUTE),
			]);
			const found = await listRecords(world);
			assert.deepEqual(
				found.map(({ workflow, trigger }) => [workflow, trigger]),
				[
					["often", "schedule"],
					["often", "schedule"],
				],
			);
		},
	},
	{
		name: "workflows of every tenant start in one tick, each in its own namespace",
		cites: ["EXEC-SCHEDULE-STARTS-DUE"],
		async run(world) {
			await world.target.setNow(NOON);
			const other = { "x-service-api-key": `${world.owner}-b` };
			await save(world, createScheduled("job", "*/5 * * * *"));
			await world.executor.call("POST", "/webhooks/named", {
				body: createScheduled("job", "*/5 * * * *"),
				headers: other,
			});
			for (let nth = 0; nth < 40; nth++) await save(world, createScheduled(`job ${nth}`, "*/5 * * * *"));
			assert.equal(await tickAt(world, NOON + 5 * MINUTE), "cron: scanned=42 triggered=42");
			await waitForRecords(world, "job", 1);
			await waitForRecords(world, "job 39", 1);
			await waitForRecords({ ...world, owner: `${world.owner}-b` }, "job", 1);
			await world.executor.call("DELETE", getNamedPath("job"), { headers: other });
		},
	},
	{
		name: "a schedule that is edited or deleted takes effect at the next tick",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await save(world, createScheduled("job", "*/5 * * * *"));
			await save(world, createScheduled("job", "*/10 * * * *"));
			assert.equal(await tickAt(world, NOON + 5 * MINUTE), "cron: scanned=1 triggered=0");
			await save(world, createScheduled("job", "* * * * *"));
			assert.equal(await tickAt(world, NOON + 6 * MINUTE), "cron: scanned=1 triggered=1");
			await save(world, says("job", "x"));
			assert.equal(await tickAt(world, NOON + 7 * MINUTE), "cron: scanned=0 triggered=0");
			await save(world, createScheduled("job", "* * * * *"));
			await world.executor.call("DELETE", getNamedPath("job"));
			assert.equal(await tickAt(world, NOON + 9 * MINUTE), "cron: scanned=0 triggered=0");
			await waitForRecords(world, "job", 1);
		},
	},
	{
		name: "an edited workflow runs as it is at the time of the tick",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await save(world, createScheduled("job", "*/5 * * * *"));
			await world.target.setNow(NOON + 4 * MINUTE);
			const trigger = { type: "schedule", cron: "*/5 * * * *" };
			await save(world, fails("job", "edited", { trigger }));
			assert.equal(await tickAt(world, NOON + 5 * MINUTE), "cron: scanned=1 triggered=1");
			assert.equal((await waitForRecords(world, "job", 1))[0]?.error, "only: edited");
		},
	},
	{
		name: "late ticks start every occurrence in order, each with its own time",
		cites: ["EXEC-SCHEDULE-STARTS-DUE"],
		async run(world) {
			await world.target.setNow(NOON);
			await save(world, createScheduled("often", "* * * * *"));
			await save(world, createScheduled("rarely", "*/3 * * * *"));
			assert.equal(await tickAt(world, NOON + MINUTE), "cron: scanned=2 triggered=1");
			assert.equal(await tickAt(world, NOON + 2 * MINUTE + 59_400), "cron: scanned=2 triggered=1");
			assert.equal(await tickAt(world, NOON + 7 * MINUTE + 400), "cron: scanned=2 triggered=7");
			assert.deepEqual(
				(await listDueTimes(world, "often", 7)).toReversed(),
				[1, 2, 3, 4, 5, 6, 7].map((minute) => toIso(NOON + minute * MINUTE)),
			);
			assert.deepEqual(
				(await listDueTimes(world, "rarely", 2)).toReversed(),
				[3, 6].map((minute) => toIso(NOON + minute * MINUTE)),
			);
			assert.equal(await tickAt(world, NOON + 7 * MINUTE + 30_000), "cron: scanned=2 triggered=0");
		},
	},
	{
		name: "after downtime only the latest missed occurrence runs, then every following one",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await save(world, createScheduled("job", "* * * * *"));
			assert.equal(await tickAt(world, NOON + MINUTE), "cron: scanned=1 triggered=1");
			assert.equal(await tickAt(world, NOON + HOUR + 20_000), "cron: scanned=1 triggered=1");
			assert.equal(await tickAt(world, NOON + HOUR + 2 * MINUTE + 10_000), "cron: scanned=1 triggered=2");
			assert.deepEqual(
				(await listDueTimes(world, "job", 4)).toReversed(),
				[1, 60, 61, 62].map((minute) => toIso(NOON + minute * MINUTE)),
			);
		},
	},
	{
		name: "after a period without ticks only the latest missed occurrence runs",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await save(world, createScheduled("job", "*/5 * * * *"));
			assert.equal(await tickAt(world, NOON + 9 * HOUR + 7 * MINUTE), "cron: scanned=1 triggered=1");
			assert.deepEqual(await listDueTimes(world, "job", 1), [toIso(NOON + 9 * HOUR + 5 * MINUTE)]);
			assert.equal(await tickAt(world, NOON + 9 * HOUR + 8 * MINUTE), "cron: scanned=1 triggered=0");
			assert.equal(await tickAt(world, NOON + 9 * HOUR + 10 * MINUTE), "cron: scanned=1 triggered=1");
			await waitForRecords(world, "job", 2);
		},
	},
	{
		name: "a clock that was ahead delays no schedule once it is corrected",
		cites: [],
		async run(world) {
			const YEAR = 365 * 24 * HOUR;
			await world.target.setNow(NOON);
			await save(world, createScheduled("before", "* * * * *"));
			await world.target.setNow(NOON + YEAR);
			await save(world, createScheduled("meanwhile", "* * * * *"));
			await world.target.tick();
			await world.target.setNow(NOON);
			await world.target.tick();
			await waitForRecords(world, "before", 1);
			assert.equal(await tickAt(world, NOON + MINUTE), "cron: scanned=2 triggered=2");
			await world.target.setNow(NOON + YEAR);
			await save(world, createScheduled("later", "* * * * *"));
			await world.target.setNow(NOON + 2 * MINUTE);
			await save(world, createScheduled("later", "* * * * *"));
			assert.match(await tickAt(world, NOON + 3 * MINUTE), /triggered=5$/);
		},
	},
	{
		name: "parallel ticks run an occurrence once",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			for (let nth = 0; nth < 5; nth++) await save(world, createScheduled(`job ${nth}`, "* * * * *"));
			for (const minute of [1, 2]) {
				await world.target.setNow(NOON + minute * MINUTE);
				await world.target.lines();
				await Promise.all(Array.from({ length: 4 }, () => world.target.tick()));
				const said = (await world.target.lines()).filter(({ message }) => message.startsWith("cron:"));
				const started = said.map(({ message }) => Number(/triggered=(\d+)$/.exec(message)?.[1]));
				assert.equal(
					started.reduce((sum, count) => sum + count, 0),
					5,
				);
			}
			for (let nth = 0; nth < 5; nth++) await waitForRecords(world, `job ${nth}`, 2);
			assert.equal((await listStored(world, "occurrence")).length, 10);
		},
	},
	{
		name: "an occurrence still waiting for room when the service stops runs after the restart",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await world.target.restart({ MAX_CONCURRENT_RUNS: "1", MAX_QUEUED_RUNS: "0" });
			try {
				await save(world, createWorkflow("slow", { component: "wait", ms: 1_000 }));
				await save(world, createScheduled("job", "* * * * *"));
				await trigger(world, "slow", { headers: { prefer: "respond-async" } });
				await world.target.setNow(NOON + MINUTE);
				const ticked = world.target.tick();
				await wait(200);
				assert.deepEqual(await listStored(world, "occurrence"), []);
				await world.target.restart({});
				await ticked;
			} finally {
				await world.target.restart({});
			}
			await world.target.tick();
			assert.deepEqual(await listDueTimes(world, "job", 1), [toIso(NOON + MINUTE)]);
			await waitForRecords(world, "slow", 1);
		},
	},
	{
		name: "due workflows of one tenant that wait for room do not block the tick",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await world.target.restart({ MAX_CONCURRENT_RUNS: "2", MAX_QUEUED_RUNS: "0" });
			try {
				const trigger = { type: "schedule", cron: "*/5 * * * *" };
				for (let nth = 0; nth < 4; nth++)
					await save(world, createWorkflow(`slow ${nth}`, { component: "wait", ms: 1_500 }, { trigger }));
				await world.target.setNow(NOON + 5 * MINUTE);
				const began = Date.now();
				await Promise.all([world.target.tick(), world.target.tick()]);
				const took = Date.now() - began;
				assert.ok(took < 1_500, `the tick took ${took} ms`);
				for (let nth = 0; nth < 4; nth++) await waitForRecords(world, `slow ${nth}`, 1);
				assert.equal((await listStored(world, "occurrence")).length, 4);
			} finally {
				await world.target.restart({});
			}
		},
	},
	{
		name: "a schedule uses its time zone",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await save(world, createScheduled("taipei", "30 20 * * *", "Asia/Taipei"));
			await save(world, createScheduled("kathmandu", "15 18 * * *", "Asia/Kathmandu"));
			await save(world, createScheduled("utc", "30 20 * * *"));
			assert.equal(await tickAt(world, NOON + 29 * MINUTE), "cron: scanned=3 triggered=0");
			assert.equal(await tickAt(world, NOON + 30 * MINUTE), "cron: scanned=3 triggered=2");
			assert.deepEqual(await listDueTimes(world, "taipei", 1), ["2026-11-02T12:30:00.000Z"]);
			assert.deepEqual(await listDueTimes(world, "kathmandu", 1), ["2026-11-02T12:30:00.000Z"]);
		},
	},
	{
		name: "when the clocks go back, a repeated time runs once",
		cites: [],
		async run(world) {
			const midnight = Date.UTC(2026, 9, 24, 22);
			await world.target.setNow(midnight);
			await save(world, createScheduled("night", "30 2 * * *", "Europe/Berlin"));
			for (let minutes = 10; minutes <= 5 * 60; minutes += 10) {
				await world.target.setNow(midnight + minutes * MINUTE);
				await world.target.tick();
			}
			assert.deepEqual(await listDueTimes(world, "night", 1), ["2026-10-25T00:30:00.000Z"]);
			assert.equal(await tickAt(world, Date.UTC(2026, 9, 26, 1, 30)), "cron: scanned=1 triggered=1");
			assert.equal((await listDueTimes(world, "night", 2))[0], "2026-10-26T01:30:00.000Z");
		},
	},
	{
		name: "when the clocks go forward, a skipped time still runs once that day",
		cites: [],
		async run(world) {
			const midnight = Date.UTC(2027, 2, 27, 23);
			await world.target.setNow(midnight);
			await save(world, createScheduled("night", "30 2 * * *", "Europe/Berlin"));
			await save(world, createScheduled("hourly", "0 * * * *", "Europe/Berlin"));
			for (let minutes = 10; minutes <= 4 * 60; minutes += 10) {
				await world.target.setNow(midnight + minutes * MINUTE);
				await world.target.tick();
			}
			assert.deepEqual(await listDueTimes(world, "night", 1), ["2027-03-28T01:00:00.000Z"]);
			assert.deepEqual((await listDueTimes(world, "hourly", 4)).toReversed(), [
				"2027-03-28T00:00:00.000Z",
				"2027-03-28T01:00:00.000Z",
				"2027-03-28T02:00:00.000Z",
				"2027-03-28T03:00:00.000Z",
			]);
			assert.equal(await tickAt(world, Date.UTC(2027, 2, 29, 0, 30)), "cron: scanned=2 triggered=2");
			assert.equal((await listDueTimes(world, "night", 2))[0], "2027-03-29T00:30:00.000Z");
		},
	},
	{
		name: "schedules and scheduled runs leave nothing in the key-value store",
		cites: ["EXEC-SCHEDULE-NO-KV-INDEX"],
		async run(world) {
			await world.target.setNow(NOON);
			const before = await world.target.kv.keys();
			await save(world, createScheduled("job", "* * * * *"));
			assert.equal(await tickAt(world, NOON + MINUTE), "cron: scanned=1 triggered=1");
			await waitForRecords(world, "job", 1);
			assert.deepEqual(await world.target.kv.keys(), before);
		},
	},
	{
		name: "a workflow that can no longer run does not delay the others",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			const metadata = {
				graph: { nodes: [{ id: "a", component: "gone" }], edges: [] },
				cron_expr: "* * * * *",
			};
			await world.call("PUT", "/entries", {
				body: {
					entry_type: "workflow",
					owner_id: world.owner,
					page_name: "broken",
					content: "",
					metadata_json: JSON.stringify(metadata),
				},
			});
			for (let nth = 0; nth < 3; nth++) await save(world, createScheduled(`job ${nth}`, "* * * * *"));
			assert.equal(await tickAt(world, NOON + MINUTE), "cron: scanned=4 triggered=4");
			for (let nth = 0; nth < 3; nth++) await waitForRecords(world, `job ${nth}`, 1);
			assert.equal(await tickAt(world, NOON + 2 * MINUTE), "cron: scanned=4 triggered=4");
			const failed = await waitForRecords(world, "broken", 2);
			assert.match(failed[0]?.error ?? "", /^a: component "gone" no longer exists/);
		},
	},
	{
		name: "an invalid cron expression or time zone is rejected when the workflow is saved",
		cites: [],
		async run(world) {
			for (const [trigger, path] of [
				[{ type: "schedule", cron: "61 * * * *" }, "trigger.cron"],
				[{ type: "schedule", cron: "0 0 0 * * *" }, "trigger.cron"],
				[{ type: "schedule", cron: "@daily", timezone: "Mars/Olympus" }, "trigger.timezone"],
				[{ type: "sometimes" }, "trigger.type"],
				[{ type: "webhook", cron: "@daily" }, "trigger.cron"],
			] as const) {
				const { diagnostics } = await world.executor.refuse(400, "POST", "/webhooks/named", {
					body: echo("bad", { trigger }),
				});
				assert.deepEqual(
					diagnostics?.map((each) => each.path),
					[path],
					JSON.stringify(trigger),
				);
			}
			assert.deepEqual(await listStored(world, "workflow"), []);
		},
	},
	{
		name: "a scheduled workflow can also be triggered manually, and its record says so",
		cites: [],
		async run(world) {
			await world.target.setNow(NOON);
			await save(world, says("job", "x", { trigger: { type: "schedule", cron: "* * * * *" } }));
			await run(world, "job");
			await waitForRecords(world, "job", 1);
			assert.equal(await tickAt(world, NOON + MINUTE), "cron: scanned=1 triggered=1");
			assert.deepEqual(
				(await waitForRecords(world, "job", 2)).map(({ trigger }) => trigger),
				["schedule", "named"],
			);
		},
	},
];

export const schedule: readonly Scenario[] = byTheClock.map(ticking);
