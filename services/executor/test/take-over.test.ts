import assert from "node:assert/strict";
import { test } from "node:test";
import { acceptedRuns } from "../src/runs/accepted.ts";
import type { Waiting } from "../src/runs/accepted-run.ts";

type Deps = Parameters<typeof acceptedRuns>[0];

/** Accepted runs whose work starts and never ends, as when the platform ends an invocation. */
function createInterrupted(isolatesRequests: boolean) {
	const unused = () => assert.fail("not to be called");
	const deps: Pick<Deps, "background" | "isolatesRequests"> = { background: { run() {} }, isolatesRequests };
	return acceptedRuns({ ...deps, fail: unused, cancel: unused, find: unused } as unknown as Deps);
}

const run: Waiting = {
	owner_id: "o",
	id: "0199aaaa-bbbb-7ccc-8ddd-000000000001",
	attempts: 1,
	address: { kind: "named", namespace: "o", name: "w" },
	trigger: "event",
	passedCheck: null,
};

test("a process does not take over the same accepted run twice", () => {
	const accepted = createInterrupted(false);
	assert.deepEqual([accepted.resume(run), accepted.resume(run)], [true, false]);
});

test("on a platform that may end an invocation, a run can be taken over again", () => {
	const accepted = createInterrupted(true);
	assert.deepEqual([accepted.resume(run), accepted.resume(run)], [true, true]);
});
