import assert from "node:assert/strict";
import { test } from "node:test";
import type { Options, Trigger } from "@tripline/contract/workflows";
import { readRunLimits } from "../src/domain/run-limits.ts";

const schedule = (overlap?: Trigger["overlap"]): Trigger => ({
	type: "schedule",
	cron: "@daily",
	...(overlap !== undefined && { overlap }),
});
const read = (trigger: Trigger | undefined, options: Options = {}) => readRunLimits(trigger, options);

test("a workflow without overlap and concurrency has no limits", () => {
	for (const trigger of [undefined, schedule(), schedule("allow")]) assert.equal(read(trigger), null);
});

test("overlap limits the runs of the document's own trigger to one, and only counts the others", () => {
	const skip = read(schedule("skip"));
	assert.deepEqual(skip?.("schedule"), { max: 1, whenBusy: "skip", timeoutMs: 0 });
	for (const other of ["event", "named", "webhook", "query", "mcp", "console"])
		assert.deepEqual(skip?.(other), { max: null, whenBusy: "wait", timeoutMs: 0 }, other);
	assert.deepEqual(read(schedule("queue"))?.("schedule"), { max: 1, whenBusy: "wait", timeoutMs: 0 });
});

test("the own runs of a webhook are its calls, but not those of assistants and the console", () => {
	const skip = read({ type: "webhook", overlap: "skip" });
	for (const own of ["webhook", "named", "query"]) assert.equal(skip?.(own).whenBusy, "skip", own);
	for (const other of ["mcp", "console", "event", "schedule"]) assert.equal(skip?.(other).max, null, other);
});

test("concurrency limits every run, and is the limit of overlap too", () => {
	for (const trigger of [undefined, schedule(), schedule("queue")]) {
		const limit = read(trigger, { concurrency: 3 });
		for (const by of ["schedule", "named", "mcp"])
			assert.deepEqual(limit?.(by), { max: 3, whenBusy: "wait", timeoutMs: 0 });
	}
	const skip = read(schedule("skip"), { concurrency: 3 });
	assert.deepEqual(skip?.("schedule"), { max: 3, whenBusy: "skip", timeoutMs: 0 });
	assert.deepEqual(skip?.("named"), { max: 3, whenBusy: "wait", timeoutMs: 0 });
});

test("a lease lasts as long as a run of the workflow may take", () => {
	assert.equal(read(schedule("skip"), { timeout: "6 hours" })?.("schedule").timeoutMs, 21_600_000);
});
