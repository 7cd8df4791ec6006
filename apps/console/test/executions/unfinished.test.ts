import assert from "node:assert/strict";
import { test } from "node:test";
import type { UnfinishedExecution } from "../../src/api/types.ts";
import { computePollDelay, filterUnfinished, hasEnded } from "../../src/pages/executions/unfinished.ts";

const run = (id: string, more: Partial<UnfinishedExecution> = {}): UnfinishedExecution => ({
	id,
	time: "2026-06-01T12:00:00.000Z",
	workflow: "greet",
	status: "running",
	waits_for: null,
	since: "2026-06-01T12:00:00.000Z",
	trigger: "named",
	attempts: 1,
	...more,
});
const NOW = Date.UTC(2026, 5, 1, 12);
const listIds = (runs: readonly UnfinishedExecution[]) => runs.map(({ id }) => id).join("");

test("polls often while something runs, less often after that, and stops after a minute", () => {
	assert.equal(computePollDelay([run("a")], 0, NOW), 2000);
	assert.equal(computePollDelay([run("a"), run("b")], 3_600_000, NOW), 2000);
	assert.equal(computePollDelay([], 0, NOW), 10_000);
	assert.equal(computePollDelay([], 59_999, NOW), 10_000);
	assert.equal(computePollDelay([], 60_000, NOW), null);
});

test("polls less often while all runs wait for a time, and again when the first one goes on", () => {
	const waits = (id: string, ms: number) =>
		run(id, { status: "waiting", waits_for: "time", until: new Date(NOW + ms).toISOString() });
	assert.equal(computePollDelay([waits("a", 3_600_000), waits("b", 60_000)], 3_600_000, NOW), 10_000);
	assert.equal(computePollDelay([waits("a", 3_600_000), waits("b", 5_000)], 0, NOW), 5_000);
	assert.equal(computePollDelay([waits("a", -60_000)], 0, NOW), 2000);
	assert.equal(computePollDelay([waits("a", 3_600_000), run("b")], 0, NOW), 2000);
});

test("notices a run that is no longer listed, but not a new one", () => {
	assert.equal(hasEnded([run("a"), run("b")], [run("b")]), true);
	assert.equal(hasEnded([run("a")], [run("b"), run("a")]), false);
	assert.equal(hasEnded([], [run("a")]), false);
});

test("lists runs newest first, and those of one second by id", () => {
	const runs = [run("a"), run("c", { time: "2026-06-01T11:00:00.000Z" }), run("b")];
	assert.equal(listIds(filterUnfinished(runs, {})), "bac");
});

test("filters by workflow, text in its name in either case, and time", () => {
	const runs = [
		run("a"),
		run("b", { workflow: "Count orders" }),
		run("c", { time: "2026-06-01T10:00:00.000Z" }),
	];
	assert.equal(listIds(filterUnfinished(runs, { workflow: "greet" })), "ac");
	assert.equal(listIds(filterUnfinished(runs, { q: "ORDERS" })), "b");
	assert.equal(listIds(filterUnfinished(runs, { since: "2026-06-01T11:00:00Z" })), "ba");
	assert.equal(listIds(filterUnfinished(runs, { until: "2026-06-01T11:00:00Z" })), "c");
});

test("lists none if only succeeded or failed runs are wanted", () => {
	for (const verdict of ["success", "failed"] as const)
		assert.deepEqual(filterUnfinished([run("a")], { verdict }), []);
});
