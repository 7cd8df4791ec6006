import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { NodeProgress, NodeText } from "../../src/run/options.ts";
import { type Act, fails, failsLater, gives, later, runNodes, type Triplet, waitsForAbort } from "./build.ts";

/** Records the progress reports of each node. */
function createObserver() {
	const told: NodeProgress[] = [];
	const observe = (progress: NodeProgress) => void told.push(progress);
	return {
		observe,
		told,
		of: (id: string) => told.filter((each) => each.id === id).map(({ status }) => status),
	};
}

describe("an observer", () => {
	test("is notified of starts, ends and skips in order", async () => {
		const { observe, told } = createObserver();
		await runNodes(
			{ a: gives(true), yes: later(5), no: gives(1) },
			[
				["a", "ON_TRUE", "yes"],
				["a", "ON_FALSE", "no"],
			],
			{ observe },
		);
		assert.deepEqual(
			told.map(({ id, status, attempt }) => [id, status, attempt]),
			[
				["a", "running", 1],
				["a", "success", undefined],
				["yes", "running", 1],
				["no", "skipped", undefined],
				["yes", "success", undefined],
			],
		);
		const [ended] = told.filter(({ id, status }) => id === "yes" && status === "success");
		assert.ok((ended?.duration_ms ?? 0) >= 4);
	});

	test("gets the texts that nodes write while they run", async () => {
		const pieces: NodeText[] = [];
		const write: Act = async (_, call) => {
			call.emit("Hel");
			call.emit("lo");
			return "Hello";
		};
		await runNodes({ a: write }, [], { onText: (piece) => void pieces.push(piece) });
		assert.deepEqual(pieces, [
			{ id: "a", text: "Hel" },
			{ id: "a", text: "lo" },
		]);
	});

	test("is notified of each failed attempt with its error", async () => {
		const { observe, told } = createObserver();
		await runNodes({ a: { act: fails("no"), retry: { max: 1, delay_ms: 1 } } }, [], { observe });
		assert.deepEqual(
			told.map(({ status, attempt, error }) => [status, attempt, error]),
			[
				["running", 1, undefined],
				["retrying", 1, "no"],
				["running", 2, undefined],
				["failed", undefined, "no"],
			],
		);
	});

	test("is notified of the element of a loop and the total", async () => {
		const { observe, told } = createObserver();
		await runNodes(
			{ list: gives([[1, 2], [3]]), each: gives([1, 2]), inner: gives(1) },
			[
				["list", "FOREACH x", "each"],
				["each", "FOREACH y", "inner"],
			],
			{ observe },
		);
		const elements = (id: string) =>
			told.filter((each) => each.id === id && each.status === "running").map(({ element }) => element);
		assert.deepEqual(elements("list"), [undefined]);
		assert.deepEqual(elements("each"), [
			{ index: 0, of: 2 },
			{ index: 1, of: 2 },
		]);
		assert.deepEqual(
			elements("inner").map((element) => element?.of),
			[null, null, null, null],
		);
	});

	test("is notified of cancelled nodes", async () => {
		const { observe, of } = createObserver();
		await runNodes({ a: failsLater("no", 5), b: waitsForAbort([]) }, [], { observe });
		assert.deepEqual(of("b"), ["running", "cancelled"]);
		assert.deepEqual(of("a"), ["running", "failed"]);
	});

	test("changes nothing, and its last notification matches the trace", async () => {
		const edge = fc
			.tuple(fc.nat(5), fc.nat(5), fc.constantFrom("ON_SUCCESS", "ON_FAIL", "ALWAYS"))
			.filter(([a, b]) => a !== b)
			.map(([a, b, on]): Triplet => [`n${Math.min(a, b)}`, on, `n${Math.max(a, b)}`]);
		await fc.assert(
			fc.asyncProperty(
				fc.array(edge, { maxLength: 9 }),
				fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
				async (edges, good) => {
					const nodes = Object.fromEntries(good.map((ok, nth) => [`n${nth}`, ok ? gives(nth) : fails("no")]));
					const { observe, of } = createObserver();
					const clock = { now: () => 0 };
					const plain = await runNodes(nodes, edges, { clock });
					const watched = await runNodes(nodes, edges, { clock, observe });
					assert.deepEqual(watched, plain);
					for (const { id, status } of watched.nodes) assert.equal(of(id).at(-1) ?? "skipped", status);
				},
			),
			{ numRuns: 100 },
		);
	});
});
