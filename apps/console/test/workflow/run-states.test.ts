import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DrawnEdge } from "../../src/pages/workflow/graph/drawn.ts";
import {
	applyEvent,
	applyTrace,
	findFailedNode,
	listTakenEdges,
	NO_STATES,
	type NodeState,
	toStates,
} from "../../src/pages/workflow/run/run-states.ts";

const edge = (text: string): DrawnEdge => {
	const [from = "", on = "", to = ""] = text.split(" ");
	return { id: text, from, to, on: on as DrawnEdge["on"], detail: null, isImplied: false };
};
const states = (of: Readonly<Record<string, NodeState["status"]>>) =>
	new Map(Object.entries(of).map(([id, status]) => [id, { status, attempts: 1 }]));
const record = {
	id: "1",
	time: "",
	workflow: "w",
	verdict: "failed" as const,
	duration_ms: 1,
	error: "b: broke",
	target: null,
	trigger: null,
	failed_node: "b",
};

describe("node states of a run", () => {
	it("follow the events", () => {
		const running = applyEvent(NO_STATES, { id: "a", component: "set", status: "running", attempt: 1 });
		const done = applyEvent(running, {
			id: "a",
			component: "set",
			status: "success",
			attempt: 2,
			duration_ms: 5,
		});
		assert.deepEqual([running.get("a")?.status, done.get("a")?.attempts], ["running", 2]);
	});

	it("keep the progress of a loop when the trace arrives", () => {
		const elements = { total: 3, ended: 3, failed: 0 };
		const told = applyEvent(NO_STATES, {
			id: "a",
			component: "set",
			status: "running",
			attempt: 1,
			elements,
		});
		const trace = applyTrace(told, [
			{ id: "a", component: "set", status: "success", duration_ms: 1, attempts: 3 },
		]);
		assert.deepEqual(trace.get("a")?.elements, elements);
	});

	it("say whose output was pinned", () => {
		const node = { component: "set", status: "success", duration_ms: 1, attempts: 1 } as const;
		const trace = applyTrace(NO_STATES, [
			{ ...node, id: "a", pinned: true },
			{ ...node, id: "b" },
		]);
		assert.deepEqual([trace.get("a")?.pinned, trace.get("b")?.pinned], [true, undefined]);
	});

	it("have the failed node of a record without a trace", () =>
		assert.deepEqual([...toStates(record)], [["b", { status: "failed", attempts: 0, error: "b: broke" }]]));

	it("include the failed node", () =>
		assert.equal(findFailedNode(states({ a: "success", b: "failed" })), "b"));
});

describe("edges a run took", () => {
	const path = (edges: readonly string[], of: Readonly<Record<string, NodeState["status"]>>) =>
		[...listTakenEdges(edges.map(edge), states(of))].join(", ");

	it("follow success and failure", () =>
		assert.equal(
			path(["a ON_SUCCESS b", "a ON_FAIL c", "input ON_SUCCESS a"], {
				a: "failed",
				b: "skipped",
				c: "success",
			}),
			"a ON_FAIL c, input ON_SUCCESS a",
		));

	it("do not follow ALWAYS from a skipped node", () =>
		assert.equal(path(["a ALWAYS b"], { a: "skipped", b: "skipped" }), ""));

	it("follow the branch whose node ran", () =>
		assert.equal(
			path(["a ON_TRUE b", "a ON_FALSE c"], { a: "success", b: "skipped", c: "success" }),
			"a ON_FALSE c",
		));

	it("do not include a shortcut next to the branch that ran", () =>
		assert.equal(
			path(["a ON_TRUE b", "b ON_SUCCESS d", "a ON_FALSE d"], { a: "success", b: "success", d: "success" }),
			"a ON_TRUE b, b ON_SUCCESS d",
		));

	it("include the shortcut if the branch was skipped", () =>
		assert.equal(
			path(["a ON_TRUE b", "b ON_SUCCESS d", "a ON_FALSE d"], { a: "success", b: "skipped", d: "success" }),
			"a ON_FALSE d",
		));

	it("do not lead to nodes that were not reached yet", () =>
		assert.equal(path(["a ON_SUCCESS b"], { a: "success" }), ""));
});
