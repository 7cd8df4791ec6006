import assert from "node:assert/strict";
import { test } from "node:test";
import type { LayoutStep } from "../../src/pages/graph/layout.ts";
import { layoutRun } from "../../src/pages/graph/layout-run.ts";

function createFakeRun(t: { after(done: () => void): void }) {
	let tell: (event: { data: LayoutStep }) => void = () => {};
	const faked = {
		LAYOUT_WORKER: "",
		Worker: class {
			addEventListener(type: string, listener: typeof tell): void {
				if (type === "message") tell = listener;
			}
			postMessage(): void {}
			terminate(): void {}
		},
		requestAnimationFrame: () => 0,
	};
	Object.assign(globalThis, faked);
	t.after(() => {
		for (const name of Object.keys(faked)) Reflect.deleteProperty(globalThis, name);
	});
	const seen: string[] = [];
	const run = layoutRun({
		onPositions: ([x]) => seen.push(`at ${x}`),
		onRunning: (isRunning) => seen.push(isRunning ? "runs" : "rests"),
	});
	const start = () =>
		run.start({
			positions: new Float32Array(),
			settled: new Uint8Array(),
			ends: new Uint32Array(),
			everyMs: 1,
		});
	const answer = (id: number, x: number, isDone = false) =>
		tell({ data: { id, positions: new Float32Array([x, 0]), isDone } });
	return { run, start, answer, seen };
}

test("runs until the last step", (t) => {
	const { start, answer, seen } = createFakeRun(t);
	start();
	answer(1, 5);
	answer(1, 6, true);
	assert.deepEqual(seen, ["runs", "at 5", "at 6", "rests"]);
});

test("ignores results of a stopped or replaced layout", (t) => {
	const { run, start, answer, seen } = createFakeRun(t);
	start();
	start();
	answer(1, 5, true);
	run.stop();
	answer(2, 6);
	assert.deepEqual(seen, ["runs", "runs", "rests"]);
});
