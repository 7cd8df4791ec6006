import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { NodeEvent } from "@tripline/contract/workflows";
import { runProgress } from "../src/domain/run-progress.ts";

const node = { id: "a", component: "set" };

function readAll(progress: ReturnType<typeof runProgress>): NodeEvent[] {
	const events: NodeEvent[] = [];
	for (let event = progress.next(); event !== null; event = progress.next()) events.push(event);
	return events;
}

describe("run progress", () => {
	test("reports each state once if it is read in time", () => {
		const progress = runProgress();
		progress.observe({ ...node, status: "running", attempt: 1 });
		assert.deepEqual(readAll(progress), [{ ...node, status: "running", attempt: 1 }]);
		assert.deepEqual(readAll(progress), []);
		progress.observe({ ...node, status: "retrying", attempt: 1, error: "no" });
		assert.deepEqual(readAll(progress), [{ ...node, status: "retrying", attempt: 1, error: "no" }]);
		progress.observe({ ...node, status: "running", attempt: 2 });
		progress.observe({ ...node, status: "success", duration_ms: 7 });
		assert.deepEqual(readAll(progress), [{ ...node, status: "success", attempt: 2, duration_ms: 7 }]);
		progress.finish([{ ...node, status: "success", duration_ms: 7, attempts: 2 }]);
		assert.deepEqual(readAll(progress), [], "the end was told already");
	});

	test("reports a loop once between releases, with counts", () => {
		const progress = runProgress();
		const total = 10_000;
		let events = 0;
		for (let index = 0; index < total; index++) {
			const element = { index, of: total };
			progress.observe({ ...node, status: "running", attempt: 1, element });
			events += readAll(progress).length;
			progress.observe({ ...node, status: index === 5 ? "failed" : "success", duration_ms: 1, element });
			events += readAll(progress).length;
			if (index === 4_999) {
				progress.release();
				const [event] = readAll(progress);
				assert.deepEqual(event?.elements, { ended: 5_000, failed: 1, total });
				assert.equal(event?.status, "running");
			}
		}
		assert.equal(events, 1, "the first start");
		assert.equal(progress.isHolding, true);
		const error = "no";
		progress.finish([{ ...node, status: "failed", duration_ms: total, attempts: 1, error }]);
		assert.deepEqual(readAll(progress), [
			{
				...node,
				status: "failed",
				attempt: 1,
				duration_ms: total,
				error,
				elements: { ended: total, failed: 1, total },
			},
		]);
	});

	test("ends with the final state of every node, including unreported ones", () => {
		const progress = runProgress();
		progress.observe({ ...node, status: "running", attempt: 1 });
		progress.finish([
			{ ...node, status: "cancelled", duration_ms: 3, attempts: 1 },
			{ id: "b", component: "set", status: "skipped", duration_ms: 0, attempts: 0 },
		]);
		assert.deepEqual(readAll(progress), [
			{ ...node, status: "cancelled", attempt: 1, duration_ms: 3 },
			{ id: "b", component: "set", status: "skipped", attempt: 0 },
		]);
		progress.observe({ ...node, status: "running", attempt: 1 });
		assert.deepEqual(readAll(progress), []);
	});
});
