import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CapturedStep } from "../../src/run/options.ts";
import { fails, failsLater, gives, later, runNodes, type Triplet, waitsForAbort } from "./build.ts";

/** Runs the nodes and returns what was captured, without durations. */
async function captureRun(nodes: Parameters<typeof runNodes>[0], triplets: readonly Triplet[] = []) {
	const steps: CapturedStep[] = [];
	const outcome = await runNodes(nodes, triplets, { capture: { record: (step) => steps.push(step) } });
	return { outcome, steps: steps.map(({ duration_ms: _, ...step }) => step) };
}

describe("capturing what nodes give", () => {
	test("each node that ran is captured with its output, and a skipped one is not", async () => {
		const output = { some: ["thing"] };
		const { steps } = await captureRun({ a: gives(true), yes: later(1, output), no: gives(1) }, [
			["a", "ON_TRUE", "yes"],
			["a", "ON_FALSE", "no"],
		]);
		assert.deepEqual(steps, [
			{ id: "a", place: "", attempt: 1, status: "success", error: undefined, output: true },
			{ id: "yes", place: "", attempt: 1, status: "success", error: undefined, output },
		]);
		assert.equal(steps[1]?.output, output, "the value itself, not a copy");
	});

	test("each failed attempt is captured with its error, and the last one with its number", async () => {
		let tries = 0;
		const act = () => {
			if (++tries < 3) throw new Error(`no ${tries}`);
			return "yes";
		};
		const { steps } = await captureRun({ a: { act, retry: { max: 3, delay_ms: 1 } } });
		assert.deepEqual(
			steps.map(({ attempt, status, error, output }) => [attempt, status, error, output]),
			[
				[1, "retried", "no 1", undefined],
				[2, "retried", "no 2", undefined],
				[3, "success", undefined, "yes"],
			],
		);
	});

	test("a node in loops is captured for each element, with its place in them", async () => {
		const { steps } = await captureRun(
			{ list: gives([1, 2]), each: gives(["a", "b"]), inner: (frame) => `${frame.item}` },
			[
				["list", "FOREACH x", "each"],
				["each", "FOREACH y", "inner"],
			],
		);
		assert.deepEqual(
			steps.filter(({ id }) => id === "inner").map(({ place, output }) => [place, output]),
			[
				["0.0", "a"],
				["0.1", "b"],
				["1.0", "a"],
				["1.1", "b"],
			],
		);
		assert.deepEqual(
			steps.filter(({ id }) => id === "each").map(({ place }) => place),
			["0", "1"],
		);
	});

	test("attempts are counted for each element separately", async () => {
		const { steps } = await captureRun(
			{
				list: gives([0, 1]),
				each: {
					act: (frame) => {
						if (frame.index === 1) throw new Error("no");
						return 1;
					},
					retry: { max: 1, delay_ms: 1 },
				},
			},
			[["list", "FOREACH x", "each"]],
		);
		assert.deepEqual(
			steps.filter(({ id }) => id === "each").map(({ place, attempt, status }) => [place, attempt, status]),
			[
				["0", 1, "success"],
				["1", 1, "retried"],
				["1", 2, "failed"],
			],
		);
	});

	test("failed and cancelled nodes are captured without an output", async () => {
		const { steps } = await captureRun({ a: failsLater("no", 5), b: waitsForAbort([]), c: fails("first") });
		assert.deepEqual(
			steps.map(({ id, status, error, output }) => [id, status, error, output]),
			[
				["c", "failed", "first", undefined],
				["a", "cancelled", undefined, undefined],
				["b", "cancelled", undefined, undefined],
			],
		);
	});

	test("capturing changes nothing", async () => {
		const nodes = { a: gives([1, 2]), b: fails("no"), c: gives(3) };
		const triplets: Triplet[] = [
			["a", "FOREACH x", "b"],
			["a", "ALWAYS", "c"],
		];
		const clock = { now: () => 0 };
		const plain = await runNodes(nodes, triplets, { clock });
		assert.deepEqual(await runNodes(nodes, triplets, { clock, capture: { record() {} } }), plain);
	});
});
