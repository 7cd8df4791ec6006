import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { JsonObject } from "@tripline/contract/workflows";
import type { JournalRow, RunJournal } from "../../src/run/journal.ts";
import type { RunOptions } from "../../src/run/options.ts";
import type { Outcome } from "../../src/run/outcome.ts";
import { listStatuses } from "./build.ts";
import { runDocument } from "./run-document.ts";

const LONG = { component: "pause", ms: 60_000 };
const GIVE = { component: "give", value: 1 };
const REFUSE = { component: "refuse", value: "no" };

const createJournal = (disk: JournalRow[], isCancelled: boolean): RunJournal => ({
	rows: [...disk],
	isCancelled,
	async append(row) {
		disk.push(structuredClone(row));
	},
	findEarlier: () => undefined,
	mayStart: () => true,
	settle() {},
	rest() {},
});

/** Runs the document in a process that ends when nothing moves any more. */
async function runInterrupted(document: JsonObject, journal: RunJournal): Promise<Outcome> {
	const controller = new AbortController();
	const outcome = runDocument(document, { journal, signal: controller.signal });
	for (let turn = 0; turn < 30; turn++) await nextTurn();
	controller.abort();
	return outcome;
}

/** Interrupts a run, and cancels it. */
async function runCancelled(document: JsonObject, options: Partial<RunOptions<null>> = {}) {
	const disk: JournalRow[] = [];
	await runInterrupted(document, createJournal(disk, false));
	const outcome = await runDocument(document, { journal: createJournal(disk, true), ...options });
	assert.deepEqual(
		[outcome.success, outcome.error, outcome.failedNode, outcome.data],
		[false, "cancelled", undefined, null],
	);
	return { outcome, disk, statuses: listStatuses(outcome) };
}

describe("a durable run that is cancelled", () => {
	test("takes the ALWAYS edges of the nodes in progress and what follows them, and nothing else", async () => {
		const { statuses } = await runCancelled({
			triplets: [
				"input >> then >> done",
				"done >> then >> work",
				"done >> ALWAYS >> waits",
				"other >> then >> waits",
				"input >> then >> other",
				"work >> ALWAYS >> clean",
				"work >> then >> next",
				"work >> ON_FAIL >> handle",
				"clean >> then >> report",
				"clean >> ON_FAIL >> alarm",
			],
			config: {
				...{ done: GIVE, work: LONG, other: LONG, waits: GIVE },
				...{ clean: GIVE, next: GIVE, handle: GIVE, report: GIVE, alarm: GIVE },
			},
		});
		assert.deepEqual(statuses, {
			...{ done: "success", work: "cancelled", other: "cancelled", waits: "skipped" },
			...{ clean: "success", next: "skipped", handle: "skipped", report: "success", alarm: "skipped" },
		});
	});

	test("ends at once if no ALWAYS edge leaves a node in progress", async () => {
		const { statuses, disk } = await runCancelled({
			triplets: ["input >> then >> work", "work >> then >> next", "next >> ALWAYS >> clean"],
			config: { work: LONG, next: GIVE, clean: GIVE },
		});
		assert.deepEqual(statuses, { work: "cancelled", next: "skipped", clean: "skipped" });
		assert.deepEqual(
			disk.map(({ key }) => key),
			["cancel"],
		);
	});

	test("goes on with the cleanup when a node of it fails, and takes that node's edges", async () => {
		const { statuses } = await runCancelled({
			triplets: [
				"input >> then >> work",
				"work >> ALWAYS >> broken",
				"work >> ALWAYS >> clean",
				"broken >> ON_FAIL >> handle",
				"clean >> then >> unhandled",
				"clean >> then >> last",
			],
			config: { work: LONG, broken: REFUSE, clean: GIVE, handle: GIVE, unhandled: REFUSE, last: GIVE },
		});
		assert.deepEqual(statuses, {
			...{ work: "cancelled", broken: "failed", clean: "success" },
			...{ handle: "success", unhandled: "failed", last: "success" },
		});
	});

	test("cleans up each element in progress, then the loop, and starts no further element", async () => {
		const started: string[] = [];
		const { statuses } = await runCancelled(
			{
				triplets: [
					"input >> then >> list",
					"list >> FOREACH item >> work",
					"work >> ALWAYS >> clean",
					"work >> then >> next",
					"list >> ALWAYS >> after",
					"list >> then >> rest",
				],
				config: {
					list: { ...GIVE, value: [1, 2, 3, 4], concurrency: 2 },
					...{ work: LONG, clean: { component: "give", value: "{{item}}" } },
					...{ next: GIVE, after: GIVE, rest: GIVE },
				},
			},
			{
				observe: ({ id, status, element }) => {
					if (status === "success") started.push(`${id}${element?.index ?? ""}`);
				},
			},
		);
		assert.deepEqual(started, ["list", "clean0", "clean1", "after"]);
		assert.equal(statuses.rest, "skipped");
	});

	test("does not go on with the turns of a loop, or with its ON_FAIL edge", async () => {
		const triplets = [
			"input >> then >> loop",
			"loop >> REPEAT turn >> work",
			"work >> ALWAYS >> clean",
			"loop >> ON_FAIL >> handle",
			"loop >> ALWAYS >> after",
		];
		const rest = { clean: GIVE, handle: GIVE, after: GIVE };
		const inTurn = await runCancelled({
			triplets,
			config: { loop: { component: "repeat", until: "turn == 5" }, work: LONG, ...rest },
		});
		const ended = { loop: "cancelled", handle: "skipped", after: "success", clean: "success" };
		assert.deepEqual(inTurn.statuses, { ...ended, work: "cancelled" });
		const betweenTurns = await runCancelled({
			triplets,
			config: { loop: { component: "repeat", until: "turn == 5", delay_ms: 60_000 }, work: GIVE, ...rest },
		});
		assert.deepEqual(betweenTurns.statuses, { ...ended, work: "success" });
	});

	test("does not try a node again, and cleans up after one that waits for that", async () => {
		const { statuses, disk } = await runCancelled({
			triplets: ["input >> then >> work", "work >> ON_FAIL >> handle", "work >> ALWAYS >> clean"],
			config: { work: { ...REFUSE, retry: { max: 3, delay_ms: 60_000 } }, handle: GIVE, clean: GIVE },
		});
		assert.deepEqual(statuses, { work: "cancelled", handle: "skipped", clean: "success" });
		assert.deepEqual(
			disk.map(({ key }) => key),
			["1::work", "cancel", "1::clean"],
		);
	});

	test("ends as cancelled when its time is over", async () => {
		const document = {
			triplets: ["input >> then >> work", "work >> ALWAYS >> clean", "clean >> ALWAYS >> more"],
			config: { work: LONG, clean: LONG, more: GIVE },
		};
		const { statuses } = await runCancelled(document, { timeoutMs: 50 });
		assert.equal(statuses.clean, "cancelled");
		assert.notEqual(statuses.more, "success");
	});

	test("goes on with its cleanup, and not with the rest, in the process after one that was killed", async () => {
		const document = {
			triplets: [
				"input >> then >> work",
				"work >> then >> next",
				"work >> ALWAYS >> first",
				"first >> then >> second",
				"second >> then >> third",
			],
			config: { work: LONG, next: GIVE, first: GIVE, second: LONG, third: GIVE },
		};
		const disk: JournalRow[] = [];
		await runInterrupted(document, createJournal(disk, false));
		await runInterrupted(document, createJournal(disk, true));
		const quick = { ...document, config: { ...document.config, second: { component: "pause", ms: 1 } } };
		const outcome = await runDocument(quick, { journal: createJournal(disk, true) });
		assert.equal(outcome.error, "cancelled");
		assert.deepEqual(listStatuses(outcome), {
			...{ work: "cancelled", next: "skipped", first: "success", second: "success", third: "success" },
		});
		assert.deepEqual(
			disk.map(({ key }) => key),
			["cancel", "1::first", "1::second", "1::third"],
		);
	});
});
