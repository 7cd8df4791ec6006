import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { markPinned, mayPin, pinOutputs } from "../../src/pin.ts";
import { run } from "../../src/run.ts";
import {
	type Act,
	buildOptions,
	buildPlan,
	fails,
	gives,
	listStatuses,
	type Nodes,
	type Triplet,
} from "./build.ts";
import { compileDocument } from "./run-document.ts";

const mustNotRun: Act = () => assert.fail("a pinned node ran");

const runPinned = (
	pinned: { readonly [node: string]: Json },
	nodes: Nodes,
	triplets: readonly Triplet[] = [],
) => run(pinOutputs(buildPlan(nodes, triplets), new Map(Object.entries(pinned))), buildOptions());

describe("a pinned output", () => {
	test("is what the node gives, and the node does not run", async () => {
		const outcome = await runPinned(
			{ call: { id: 7 } },
			{ call: mustNotRun, after: ({ outputs }) => outputs[0] },
			[["call", "ON_SUCCESS", "after"]],
		);
		assert.deepEqual([outcome.success, outcome.data], [true, { id: 7 }]);
	});

	test("may be null", async () => {
		const outcome = await runPinned({ call: null }, { call: mustNotRun });
		assert.deepEqual([outcome.success, outcome.data], [true, null]);
	});

	test("leads along the edges of a success, not of a failure", async () => {
		const outcome = await runPinned({ call: 1 }, { call: fails("no"), good: gives(1), bad: gives(2) }, [
			["call", "ON_SUCCESS", "good"],
			["call", "ON_FAIL", "bad"],
		]);
		assert.deepEqual(listStatuses(outcome), { call: "success", good: "success", bad: "skipped" });
	});

	test("decides which branch is taken", async () => {
		const outcome = await runPinned({ is: false }, { is: gives(true), yes: gives(1), no: gives(2) }, [
			["is", "ON_TRUE", "yes"],
			["is", "ON_FALSE", "no"],
		]);
		assert.deepEqual(listStatuses(outcome), { is: "success", yes: "skipped", no: "success" });
	});

	test("that does not fit the node's edges fails the node, without another attempt", async () => {
		const is = { act: mustNotRun, retry: { max: 3, delay_ms: 1 } };
		const outcome = await runPinned({ is: "yes" }, { is, yes: gives(1) }, [["is", "ON_TRUE", "yes"]]);
		assert.equal(outcome.error, "is: the output is not true or false");
		assert.equal(outcome.nodes[0]?.attempts, 1);
	});

	test("is bounded like any other output", async () => {
		const outcome = await runPinned({ call: "x".repeat(1_048_577) }, { call: mustNotRun });
		assert.equal(outcome.error, "call: the output is larger than 1 MiB as JSON");
	});

	test("of a list is what its loop goes through", async () => {
		const outcome = await runPinned(
			{ list: [1, 2, 3] },
			{ list: mustNotRun, each: ({ item }) => Number(item) * 2, all: ({ outputs }) => outputs[1] },
			[
				["list", "FOREACH x", "each"],
				["list", "ON_SUCCESS", "all"],
			],
		);
		assert.deepEqual(outcome.data, [2, 4, 6]);
	});

	test("in a loop is given for every element", async () => {
		const outcome = await runPinned(
			{ each: { id: 7 } },
			{ list: gives([1, 2]), each: mustNotRun, all: ({ outputs }) => outputs[1] },
			[
				["list", "FOREACH x", "each"],
				["list", "ON_SUCCESS", "all"],
			],
		);
		assert.deepEqual(outcome.data, [{ id: 7 }, { id: 7 }]);
	});

	test("of a node that is not reached changes nothing", async () => {
		const pins = new Map([["no", 1]]);
		const outcome = await runPinned({ no: 1 }, { is: gives(true), no: mustNotRun }, [
			["is", "ON_FALSE", "no"],
		]);
		assert.deepEqual(listStatuses(outcome), { is: "success", no: "skipped" });
		assert.deepEqual(markPinned(outcome.nodes, pins), outcome.nodes);
	});

	test("is marked in the trace, and others are not", async () => {
		const outcome = await runPinned({ call: 1 }, { call: mustNotRun, other: gives(2) });
		const marked = markPinned(outcome.nodes, new Map([["call", 1]]));
		assert.deepEqual(
			marked.map(({ id, pinned }) => [id, pinned]),
			[
				["call", true],
				["other", undefined],
			],
		);
	});

	test("leaves the plan as it is", async () => {
		const plan = buildPlan({ a: gives("real") }, []);
		await run(pinOutputs(plan, new Map([["a", "pinned"]])), buildOptions());
		assert.equal((await run(plan, buildOptions())).data, "real");
	});
});

describe("in a repeated part", () => {
	const repeated: JsonObject = {
		triplets: ["input >> then >> again", "again >> repeat turn >> ask", "again >> then >> end"],
		config: {
			again: { component: "repeat", until: "ask.done", max: 3 },
			ask: { component: "refuse", value: "asked" },
			end: { component: "give", value: "{{ask}}" },
		},
	};
	const { plan } = compileDocument(repeated);
	assert.ok(plan !== null);

	test("a pinned output is given in every turn", async () => {
		const done = await run(pinOutputs(plan, new Map([["ask", { done: true }]])), buildOptions());
		assert.deepEqual(done.data, { done: true });
		const never = await run(pinOutputs(plan, new Map([["ask", { done: false }]])), buildOptions());
		assert.equal(never.error, "again: until was not true after 3 turns");
	});

	test("the node that repeats cannot be pinned, and the repeated ones can", () => {
		assert.deepEqual(
			plan.nodes.map((node) => [node.id, mayPin(node)]),
			[
				["again", false],
				["ask", true],
				["end", true],
			],
		);
	});
});
