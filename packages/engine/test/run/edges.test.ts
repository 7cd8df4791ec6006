import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { run } from "../../src/run.ts";
import {
	buildOptions,
	buildPlan,
	fails,
	gives,
	later,
	listStatuses,
	type Nodes,
	runNodes,
	type Triplet,
} from "./build.ts";

const listRan = async (nodes: Nodes, triplets: readonly Triplet[]) =>
	Object.entries(listStatuses(await runNodes(nodes, triplets)))
		.filter(([, status]) => status !== "skipped")
		.map(([id]) => id)
		.join(" ");

const one = gives(1);

describe("edges", () => {
	test("ON_SUCCESS is taken after a success and not after a failure", async () => {
		assert.equal(await listRan({ a: one, b: one }, [["a", "ON_SUCCESS", "b"]]), "a b");
		assert.equal(
			await listRan({ a: fails("no"), b: one, c: one }, [
				["a", "ON_SUCCESS", "b"],
				["a", "ON_FAIL", "c"],
			]),
			"a c",
		);
	});

	test("ON_FAIL is not taken after a success", async () => {
		assert.equal(await listRan({ a: one, b: one }, [["a", "ON_FAIL", "b"]]), "a");
	});

	test("ALWAYS is taken either way", async () => {
		assert.equal(await listRan({ a: one, b: one }, [["a", "ALWAYS", "b"]]), "a b");
		assert.equal(await listRan({ a: fails("no"), b: one }, [["a", "ALWAYS", "b"]]), "a b");
	});

	test("ON_TRUE and ON_FALSE depend on the output", async () => {
		const triplets = [
			["a", "ON_TRUE", "yes"],
			["a", "ON_FALSE", "no"],
		] as const;
		assert.equal(await listRan({ a: gives(true), yes: one, no: one }, triplets), "a yes");
		assert.equal(await listRan({ a: gives(false), yes: one, no: one }, triplets), "a no");
	});

	test("a condition whose output is not true or false fails", async () => {
		for (const output of ["true", 1, null, {}, []]) {
			const outcome = await runNodes({ a: gives(output), b: one }, [["a", "ON_FALSE", "b"]]);
			assert.equal(outcome.error, "a: the output is not true or false");
			assert.deepEqual(listStatuses(outcome), { a: "failed", b: "skipped" });
		}
	});

	test("CASE compares the output as text", async () => {
		for (const [output, value] of [
			["new", "new"],
			[2, "2"],
			[1.5, "1.5"],
			[true, "true"],
			[null, "null"],
			["", ""],
		] as const) {
			const triplets: Triplet[] = [
				["a", `CASE ${value}`, "match"],
				["a", "CASE other", "other"],
				["a", "DEFAULT", "rest"],
			];
			assert.equal(
				await listRan({ a: gives(output), match: one, other: one, rest: one }, triplets),
				"a match",
			);
		}
	});

	test("every CASE with the value is taken", async () => {
		const triplets: Triplet[] = [
			["a", "CASE x", "b"],
			["a", "CASE x", "c"],
		];
		assert.equal(await listRan({ a: gives("x"), b: one, c: one }, triplets), "a b c");
	});

	test("lists and objects match no CASE, and DEFAULT is taken", async () => {
		for (const output of [["x"], [], { x: 1 }]) {
			const triplets: Triplet[] = [
				["a", "CASE x", "b"],
				["a", "CASE ", "b"],
				["a", "CASE [object Object]", "b"],
				["a", "DEFAULT", "c"],
			];
			assert.equal(await listRan({ a: gives(output), b: one, c: one }, triplets), "a c");
		}
	});

	test("neither CASE nor DEFAULT is taken after a failure", async () => {
		const triplets: Triplet[] = [
			["a", "CASE null", "b"],
			["a", "DEFAULT", "c"],
			["a", "ON_FAIL", "d"],
		];
		assert.equal(await listRan({ a: fails("no"), b: one, c: one, d: one }, triplets), "a d");
	});

	test("a node waits for all its edges and runs if one was taken", async () => {
		const order: string[] = [];
		const nodes: Nodes = {
			fast: gives(true),
			slow: later(20, true),
			join: () => order.push("join"),
			after: later(0),
		};
		const outcome = await runNodes(nodes, [
			["fast", "ON_TRUE", "join"],
			["slow", "ON_FALSE", "join"],
			["join", "ON_SUCCESS", "after"],
		]);
		assert.deepEqual(listStatuses(outcome), {
			fast: "success",
			slow: "success",
			join: "success",
			after: "success",
		});
		assert.deepEqual(order, ["join"]);
	});

	test("a node without a taken edge is skipped, and so are the nodes after it", async () => {
		const outcome = await runNodes({ a: gives(true), b: one, c: one, d: one }, [
			["a", "ON_FALSE", "b"],
			["b", "ON_SUCCESS", "c"],
			["b", "ALWAYS", "d"],
		]);
		assert.deepEqual(listStatuses(outcome), { a: "success", b: "skipped", c: "skipped", d: "skipped" });
		assert.deepEqual(
			outcome.nodes.map(({ attempts }) => attempts),
			[1, 0, 0, 0],
		);
	});

	test("a node with an edge from the trigger waits for its other edges and runs even if none was taken", async () => {
		let sawOutput: unknown;
		const nodes: Nodes = { a: later(5, false), b: ({ outputs }) => (sawOutput = outputs[0]) };
		const outcome = await runNodes(nodes, [
			["input", "ON_SUCCESS", "b"],
			["a", "ON_TRUE", "b"],
		]);
		assert.deepEqual(listStatuses(outcome), { a: "success", b: "success" });
		assert.equal(sawOutput, false);
	});

	test("two edges between the same nodes start the second once", async () => {
		let starts = 0;
		await runNodes({ a: one, b: () => ++starts }, [
			["a", "ON_SUCCESS", "b"],
			["a", "ALWAYS", "b"],
		]);
		assert.equal(starts, 1);
	});

	test("independent nodes run concurrently", async () => {
		let running = 0;
		let most = 0;
		const act = async () => {
			most = Math.max(most, ++running);
			await new Promise((resolve) => setTimeout(resolve, 5));
			running--;
			return null;
		};
		await runNodes({ a: act, b: act, c: act }, []);
		assert.equal(most, 3);
	});
});

describe("the run's data", () => {
	test("is the output of the node that ended it", async () => {
		assert.deepEqual((await runNodes({ a: one, b: gives({ x: 2 }) }, [["a", "ON_SUCCESS", "b"]])).data, {
			x: 2,
		});
	});

	test("is an object by node name in plan order if several nodes ended it", async () => {
		const outcome = await runNodes({ first: later(5, 1), second: gives(2) });
		assert.equal(JSON.stringify(outcome.data), '{"first":1,"second":2}');
	});

	test("includes a node named __proto__ like any other", async () => {
		const nodes = Object.fromEntries([
			["__proto__", gives("polluted")],
			["b", gives(2)],
		]);
		const { data } = await runNodes(nodes);
		assert.equal(JSON.stringify(data), '{"__proto__":"polluted","b":2}');
		assert.equal(({} as { polluted?: string }).polluted, undefined);
	});

	test("is the output of a node that took no edge", async () => {
		assert.equal((await runNodes({ a: gives(false), b: one }, [["a", "ON_TRUE", "b"]])).data, false);
	});

	test("is null when the run failed", async () => {
		assert.equal((await runNodes({ a: one, b: fails("no") })).data, null);
	});

	test("is an empty object without nodes", () => {
		const outcome = run(buildPlan({}, []), buildOptions());
		assert.ok(!(outcome instanceof Promise));
		assert.deepEqual([outcome.success, outcome.data], [true, {}]);
	});
});

describe("a run of synchronous components", () => {
	test("returns without a promise, a timer or an abort signal", (t) => {
		const timers = t.mock.method(globalThis, "setTimeout");
		const controllers = t.mock.method(globalThis, "AbortController");
		const outcome = runNodes(
			{ a: gives(true), b: gives([1, 2]), c: one, d: one, e: fails("no"), f: one },
			[
				["a", "ON_TRUE", "b"],
				["b", "FOREACH x", "c"],
				["b", "ON_SUCCESS", "d"],
				["d", "ON_SUCCESS", "e"],
				["e", "ON_FAIL", "f"],
			],
			{ clock: { now: () => 0 } },
		);
		assert.ok(!(outcome instanceof Promise));
		assert.equal(outcome.success, true);
		assert.equal(timers.mock.callCount(), 0);
		assert.equal(controllers.mock.callCount(), 0);
	});

	test("measures durations by the given clock", () => {
		let now = 100;
		const clock = { now: () => now };
		const outcome = runNodes(
			{
				a: () => {
					now += 3;
					return 1;
				},
				b: () => {
					now += 2;
					return 1;
				},
			},
			[["a", "ON_SUCCESS", "b"]],
			{ clock },
		);
		assert.ok(!(outcome instanceof Promise));
		assert.equal(outcome.duration_ms, 5);
		assert.deepEqual(outcome.nodes, [
			{ id: "a", component: "test", status: "success", duration_ms: 3, attempts: 1 },
			{ id: "b", component: "test", status: "success", duration_ms: 2, attempts: 1 },
		]);
	});

	test("runs ten thousand nodes in a chain", async () => {
		const ids = Array.from({ length: 10_000 }, (_, index) => `n${index}`);
		const nodes = Object.fromEntries(ids.map((id) => [id, one]));
		const { region, ...plan } = buildPlan(nodes, []);
		const chained = plan.nodes.map((node, index) => ({
			...node,
			incoming: index === 0 ? 0 : 1,
			edges: index === 9_999 ? [] : [{ to: index + 1, on: "ON_SUCCESS" as const }],
		}));
		const outcome = await run(
			{ ...plan, nodes: chained, region: { ...region, starts: [0] } },
			buildOptions(),
		);
		assert.equal(outcome.success, true);
		const skipped = chained.map((node, index) =>
			index === 0 ? { ...node, edges: [{ to: 1, on: "ON_FAIL" as const }] } : node,
		);
		const second = await run({ ...plan, nodes: skipped, region: { ...region, starts: [0] } }, buildOptions());
		assert.equal(second.nodes.filter(({ status }) => status === "skipped").length, 9_999);
	});
});
