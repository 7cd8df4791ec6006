import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { Frame } from "../../src/frame.ts";
import {
	fails,
	gives,
	later,
	listStatuses,
	type Nodes,
	runNodes,
	type Triplet,
	waitsForAbort,
} from "./build.ts";

const one = gives(1);
/** The list of a body node in the frame around the loop. */
const readOutput =
	(place: number) =>
	({ outputs }: Frame) =>
		outputs[place];
const itemTimes =
	(factor: number) =>
	({ item }: Frame) =>
		(item as number) * factor;
const failsAt =
	(...indexes: number[]) =>
	({ index, item }: Frame) => {
		if (indexes.includes(index as number)) throw new Error(`bad ${item}`);
		return item;
	};

describe("FOREACH", () => {
	test("runs the body for each element, then gives its outputs as a list", async () => {
		const outcome = await runNodes(
			{
				list: gives([1, 2, 3]),
				double: itemTimes(2),
				place: ({ index, outputs }) => `${index}:${outputs[1]}`,
				after: ({ outputs }) => [outputs[1], outputs[2]] as Json,
			},
			[
				["list", "FOREACH x", "double"],
				["double", "ON_SUCCESS", "place"],
				["list", "ON_SUCCESS", "after"],
			],
		);
		assert.deepEqual(outcome.data, [
			[2, 4, 6],
			["0:2", "1:4", "2:6"],
		]);
		assert.deepEqual(
			outcome.nodes.map(({ attempts }) => attempts),
			[1, 1, 1, 1],
		);
	});

	test("keeps the order of the elements in whatever order they end", async () => {
		const outcome = await runNodes(
			{
				list: gives([30, 1, 15]),
				wait: (frame, call) => later(frame.item as number, frame.item)(frame, call),
				after: readOutput(1),
			},
			[
				["list", "FOREACH x", "wait"],
				["list", "ON_SUCCESS", "after"],
			],
		);
		assert.deepEqual(outcome.data, [30, 1, 15]);
	});

	test("gives each element a frame within the enclosing one", async () => {
		const frames: Frame[] = [];
		await runNodes(
			{ list: gives(["a"]), body: (frame) => frames.push(frame) },
			[["list", "FOREACH x", "body"]],
			{
				input: { from: "trigger" },
			},
		);
		const [frame] = frames;
		assert.deepEqual(frame?.roots.input, { from: "trigger" });
		assert.equal(frame?.item, "a");
		assert.equal(frame?.index, 0);
		assert.deepEqual(frame?.parent?.outputs[0], ["a"]);
		assert.equal(frame?.parent?.parent, null);
	});

	test("follows the other edges only after the loop", async () => {
		const order: string[] = [];
		await runNodes(
			{
				list: gives([1, 2]),
				body: async () => {
					await new Promise((resolve) => setTimeout(resolve, 5));
					order.push("body");
					return null;
				},
				after: () => order.push("after"),
			},
			[
				["list", "ALWAYS", "after"],
				["list", "FOREACH x", "body"],
			],
		);
		assert.deepEqual(order, ["body", "body", "after"]);
	});

	test("gives empty lists for an empty list", async () => {
		const outcome = await runNodes({ list: gives([]), body: one, after: readOutput(1) }, [
			["list", "FOREACH x", "body"],
			["list", "ON_SUCCESS", "after"],
		]);
		assert.deepEqual(outcome.data, []);
		assert.equal(listStatuses(outcome).body, "skipped");
	});

	test("gives null for an element whose node was skipped or had a handled failure", async () => {
		const outcome = await runNodes(
			{
				list: gives([1, 2, 3]),
				even: ({ item }) => (item as number) % 2 === 0,
				yes: itemTimes(10),
				risky: failsAt(0),
				mend: one,
				never: one,
				after: ({ outputs }) => [outputs[2], outputs[3], outputs[4], outputs[5]] as Json,
			},
			[
				["list", "FOREACH x", "even"],
				["even", "ON_TRUE", "yes"],
				["list", "FOREACH x", "risky"],
				["risky", "ON_FAIL", "mend"],
				["mend", "ON_FAIL", "never"],
				["list", "ON_SUCCESS", "after"],
			],
		);
		assert.deepEqual(outcome.data, [
			[null, 20, null],
			[null, 2, 3],
			[1, null, null],
			[null, null, null],
		]);
	});

	test("fails a node whose output is not a list", async () => {
		for (const output of ["text", null, { length: 1 }]) {
			const outcome = await runNodes({ a: gives(output), b: one }, [["a", "FOREACH x", "b"]]);
			assert.equal(outcome.error, "a: the output is not a list");
			assert.deepEqual(listStatuses(outcome), { a: "failed", b: "skipped" });
		}
	});

	test("nested gives nested lists", async () => {
		const outcome = await runNodes(
			{
				rows: gives([[1, 2], [], [3]]),
				row: ({ item }) => item,
				cell: ({ item, parent }) => `${parent?.index}${item}`,
				after: readOutput(2),
			},
			[
				["rows", "FOREACH row", "row"],
				["row", "FOREACH cell", "cell"],
				["rows", "ON_SUCCESS", "after"],
			],
		);
		assert.deepEqual(outcome.data, [["01", "02"], [], ["23"]]);
	});

	test("nested gives null for an element whose inner loop was skipped", async () => {
		const outcome = await runNodes(
			{
				rows: gives([true, false]),
				ask: ({ item }) => item,
				list: gives([1, 2]),
				cell: ({ item }) => item,
				after: readOutput(3),
			},
			[
				["rows", "FOREACH row", "ask"],
				["ask", "ON_TRUE", "list"],
				["list", "FOREACH cell", "cell"],
				["rows", "ON_SUCCESS", "after"],
			],
		);
		assert.deepEqual(outcome.data, [[1, 2], null]);
	});

	test("a node that the FOREACH edge and a body edge reach waits for the body edge", async () => {
		const outcome = await runNodes(
			{ list: gives([1]), a: later(5, 7), b: ({ outputs }) => outputs[1], after: readOutput(2) },
			[
				["list", "FOREACH x", "a"],
				["list", "FOREACH x", "b"],
				["a", "ON_FAIL", "b"],
				["list", "ON_SUCCESS", "after"],
			],
		);
		assert.deepEqual(outcome.data, [7]);
	});

	test("body nodes never end the run, and the list's node does if no other edge was taken", async () => {
		const outcome = await runNodes({ list: gives([1]), body: gives("x") }, [["list", "FOREACH x", "body"]]);
		assert.deepEqual(outcome.data, [1]);
	});

	test("runs at most `concurrency` elements at a time over all loops of a node", async () => {
		let running = 0;
		let most = 0;
		const act = async () => {
			most = Math.max(most, ++running);
			await new Promise((resolve) => setTimeout(resolve, 2));
			running--;
			return null;
		};
		const outcome = await runNodes(
			{ list: { act: gives([1, 2, 3, 4, 5]), concurrency: 3 }, a: act, b: act },
			[
				["list", "FOREACH x", "a"],
				["list", "FOREACH y", "b"],
			],
		);
		assert.equal(most, 3);
		assert.deepEqual(
			outcome.nodes.map(({ attempts }) => attempts),
			[1, 1, 1],
		);
	});

	test("sums up durations of a body node and gives its worst status", async () => {
		let now = 0;
		const outcome = await runNodes(
			{
				list: { act: gives([1, 2, 3]), onItemError: "collect" },
				body: (frame) => {
					now += 2;
					return failsAt(1, 2)(frame);
				},
			},
			[["list", "FOREACH x", "body"]],
			{ clock: { now: () => now } },
		);
		assert.deepEqual(outcome.nodes[1], {
			id: "body",
			component: "test",
			status: "failed",
			duration_ms: 6,
			attempts: 1,
			error: "bad 2",
		});
	});
});

describe("an element's failure", () => {
	test("that is collected is counted in the log of the loop's node", async () => {
		const runLoop = (...failing: number[]) =>
			runNodes(
				{ list: { act: gives([5, 6]), onItemError: "collect" }, body: failsAt(...failing), after: one },
				[
					["list", "FOREACH x", "body"],
					["list", "ON_SUCCESS", "after"],
				],
			);
		const some = await runLoop(1);
		assert.deepEqual(some.nodes[0]?.log, ["1 of 2 elements failed; element 1: body: bad 6"]);
		assert.equal(some.warning, undefined);
		const all = await runLoop(0, 1);
		assert.equal(all.success, true);
		assert.deepEqual(all.nodes[0]?.log, ["2 of 2 elements failed; element 0: body: bad 5"]);
		assert.equal(all.warning, "list: 2 of 2 elements failed; element 0: body: bad 5");
		assert.equal((await runLoop()).nodes[0]?.log, undefined);
	});

	test("that is collected around a loop names the element of the inner loop", async () => {
		const outcome = await runNodes(
			{
				outer: { act: gives([1]), onItemError: "collect" },
				inner: { act: gives([1, 2]), concurrency: 1 },
				body: failsAt(1),
			},
			[
				["outer", "FOREACH x", "inner"],
				["inner", "FOREACH y", "body"],
			],
		);
		assert.deepEqual(outcome.nodes[0]?.log, ["1 of 1 elements failed; element 0: body[1]: bad 2"]);
	});

	test("fails the run with the element's index", async () => {
		const outcome = await runNodes(
			{ list: { act: gives([5, 6, 7]), concurrency: 1 }, body: failsAt(1), after: one, tidy: one },
			[
				["list", "FOREACH x", "body"],
				["list", "ON_SUCCESS", "after"],
				["list", "ON_FAIL", "after"],
				["list", "ALWAYS", "tidy"],
			],
		);
		assert.equal(outcome.error, "body[1]: bad 6");
		assert.equal(outcome.failedNode, "body");
		assert.deepEqual(listStatuses(outcome), {
			list: "success",
			body: "failed",
			after: "skipped",
			tidy: "success",
		});
	});

	test("prevents waiting elements from starting", async () => {
		const outcome = await runNodes({ list: gives([5, 6, 7]), body: failsAt(0) }, [
			["list", "FOREACH x", "body"],
		]);
		assert.equal(outcome.error, "body[0]: bad 5");
		assert.equal(outcome.nodes[1]?.attempts, 1);
	});

	test("fails the run with both indexes in nested loops", async () => {
		const outcome = await runNodes(
			{
				rows: gives([
					[1, 2],
					[3, 4],
				]),
				row: ({ item }) => item,
				cell: ({ item }) => {
					if (item === 3) throw new Error("three");
					return item;
				},
			},
			[
				["rows", "FOREACH row", "row"],
				["row", "FOREACH cell", "cell"],
			],
		);
		assert.equal(outcome.error, "cell[1][0]: three");
	});

	test("cancels the elements in flight and concurrent nodes", async () => {
		const aborted: string[] = [];
		const outcome = await runNodes(
			{
				list: gives([0, 1, 2]),
				body: async (frame, call) =>
					frame.index === 1 ? fails("no")(frame, call) : waitsForAbort(aborted)(frame, call),
				next: one,
				beside: waitsForAbort(aborted),
			},
			[
				["list", "FOREACH x", "body"],
				["body", "ON_SUCCESS", "next"],
			],
		);
		assert.equal(outcome.error, "body[1]: no");
		assert.deepEqual(aborted.sort(), ["beside", "body", "body"]);
		assert.deepEqual(listStatuses(outcome), {
			list: "success",
			body: "failed",
			next: "skipped",
			beside: "cancelled",
		});
	});

	test("still runs what the failed node's ALWAYS edges lead to within the element", async () => {
		const seen: unknown[] = [];
		const outcome = await runNodes(
			{
				list: gives([0, 1]),
				body: failsAt(0),
				tidy: async ({ index }) => {
					await new Promise((resolve) => setTimeout(resolve, 2));
					seen.push(index);
					return null;
				},
			},
			[
				["list", "FOREACH x", "body"],
				["body", "ALWAYS", "tidy"],
			],
		);
		assert.equal(outcome.error, "body[0]: bad 0");
		assert.deepEqual(seen, [0]);
	});

	test("cancels a running loop when another node fails", async () => {
		const aborted: string[] = [];
		const outcome = await runNodes(
			{ list: gives([0, 1]), body: waitsForAbort(aborted), bad: later(5, "?"), never: one },
			[
				["list", "FOREACH x", "body"],
				["bad", "ON_TRUE", "never"],
			],
			{ clock: { now: () => 0 } },
		);
		assert.equal(outcome.error, "bad: the output is not true or false");
		assert.deepEqual(aborted, ["body", "body"]);
		assert.deepEqual(listStatuses(outcome), {
			list: "success",
			body: "cancelled",
			bad: "failed",
			never: "skipped",
		});
	});
});

describe("on_item_error: collect", () => {
	const list = (items: Json[]) => ({ act: gives(items), onItemError: "collect" }) as const;
	const collected = async (nodes: Nodes, triplets: readonly Triplet[], ...places: number[]) => {
		const outcome = await runNodes(
			{ ...nodes, after: ({ outputs }) => places.map((place) => outputs[place]) },
			[...triplets, ["list", "ON_SUCCESS", "after"]],
		);
		assert.equal(outcome.error, undefined);
		return outcome.data;
	};

	test("gives the error for the failed node and those that could not run because of it", async () => {
		const data = await collected(
			{ list: list([1, 2]), risky: failsAt(0), next: one, last: one },
			[
				["list", "FOREACH x", "risky"],
				["risky", "ON_SUCCESS", "next"],
				["next", "ALWAYS", "last"],
			],
			1,
			2,
			3,
		);
		const bad = { error: "bad 1" };
		assert.deepEqual(data, [
			[bad, 2],
			[bad, 1],
			[bad, 1],
		]);
	});

	test("does not affect independent nodes, also within the element", async () => {
		const data = await collected(
			{ list: list([1, 2]), risky: failsAt(0), tidy: one, beside: later(5, "b"), join: gives("j") },
			[
				["list", "FOREACH x", "risky"],
				["list", "FOREACH x", "beside"],
				["risky", "ALWAYS", "tidy"],
				["risky", "ON_SUCCESS", "join"],
				["beside", "ON_SUCCESS", "join"],
			],
			1,
			2,
			3,
			4,
		);
		assert.deepEqual(data, [
			[{ error: "bad 1" }, 2],
			[1, 1],
			["b", "b"],
			["j", "j"],
		]);
	});

	test("gives null, not the error, where the failure was handled", async () => {
		const data = await collected(
			{ list: list([1]), risky: failsAt(0), mend: one, next: one },
			[
				["list", "FOREACH x", "risky"],
				["risky", "ON_FAIL", "mend"],
				["risky", "ON_SUCCESS", "next"],
			],
			1,
			2,
			3,
		);
		assert.deepEqual(data, [[null], [1], [null]]);
	});

	test("gives the error for the bodies of loops that could not run", async () => {
		const data = await collected(
			{ list: list([1, 2]), risky: failsAt(0), inner: gives([1, 2]), cell: ({ item }) => item },
			[
				["list", "FOREACH x", "risky"],
				["risky", "ON_SUCCESS", "inner"],
				["inner", "FOREACH y", "cell"],
			],
			3,
		);
		assert.deepEqual(data, [[{ error: "bad 1" }, [1, 2]]]);
	});

	test("collects a failure of a nested loop that stops", async () => {
		const data = await collected(
			{
				list: list([1, 2]),
				inner: gives([5, 6]),
				cell: ({ index, parent }) => {
					if (index === 1 && parent?.index === 0) throw new Error("no");
					return index;
				},
				next: one,
			},
			[
				["list", "FOREACH x", "inner"],
				["inner", "FOREACH y", "cell"],
				["inner", "ON_SUCCESS", "next"],
			],
			1,
			2,
			3,
		);
		const bad = { error: "cell[1]: no" };
		assert.deepEqual(data, [
			[
				[5, 6],
				[5, 6],
			],
			[bad, [0, 1]],
			[bad, 1],
		]);
	});

	test("of the inner loop prevents the outer one from failing", async () => {
		const outcome = await runNodes(
			{
				rows: gives([[1], [2]]),
				row: { act: ({ item }) => item, onItemError: "collect" },
				cell: failsAt(0),
				after: readOutput(2),
			},
			[
				["rows", "FOREACH r", "row"],
				["row", "FOREACH c", "cell"],
				["rows", "ON_SUCCESS", "after"],
			],
		);
		assert.deepEqual(outcome.data, [[{ error: "bad 1" }], [{ error: "bad 2" }]]);
	});
});
