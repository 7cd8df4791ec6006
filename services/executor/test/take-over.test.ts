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

test("a run that is due before it has left its process is resumed once it has", async () => {
	const { promise: left, resolve: leave } = Promise.withResolvers<boolean>();
	const { promise: again, resolve: comeBack } = Promise.withResolvers<string>();
	let places = 0;
	const deps = {
		background: { run: (_name: string, work: () => Promise<unknown>) => void work() },
		isolatesRequests: false,
		durable: null,
		clock: { now: () => 2_000 },
		runs: {
			placeFor(owner: string) {
				places += 1;
				if (places === 2) comeBack(owner);
				return left;
			},
		},
		store: {
			entries: {
				get: async () => ({
					...{ owner_id: run.owner_id, page_name: run.id },
					metadata_json: JSON.stringify({ status: "accepted", is_parked: true, due_at: 2 }),
				}),
			},
		},
	};
	const accepted = acceptedRuns(deps as unknown as Deps);
	accepted.resume(run);
	await accepted.wake(run.owner_id, [run.id]);
	assert.equal(places, 1);
	leave(false);
	assert.equal(await again, run.owner_id);
});
