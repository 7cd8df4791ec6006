import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { waking } from "../src/runs/waking.ts";

type Deps = Parameters<typeof waking>[0];

const RUN = { owner_id: "o", id: "r" };

/** Times in milliseconds. What is stored of a run's time is rounded up to a second. */
test("a run is woken at its time rather than at the next second, and if it waits anew, then", async (context) => {
	context.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 0 });
	const resumed: number[] = [];
	let due_at = 2;
	const get = async () => ({
		...{ owner_id: RUN.owner_id, page_name: RUN.id },
		metadata_json: JSON.stringify({ status: "accepted", is_parked: true, due_at }),
	});
	const { wakeOnTime } = waking({
		store: { entries: { get } } as unknown as Deps["store"],
		clock: { now: () => Date.now() },
		background: { run: (_name: string, work: () => Promise<unknown>) => void work() } as Deps["background"],
		resume: () => resumed.push(Date.now()),
	});
	const pass = async (ms: number) => {
		for (let at = 0; at < ms; at += 50) {
			context.mock.timers.tick(50);
			await nextTurn();
		}
	};
	wakeOnTime({ ...RUN, parkedUntil: 1_100 });
	await pass(2_000);
	assert.deepEqual(resumed, [1_100]);
	wakeOnTime({ ...RUN, parkedUntil: 2_500 });
	due_at = 5;
	await pass(4_000);
	assert.deepEqual(resumed, [1_100, 5_000]);
});
