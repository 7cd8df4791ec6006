import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { NodeTrace, RunResult } from "@tripline/contract/workflows";
import { heldRuns } from "../src/runs/held-runs.ts";

const node = (id: string, error?: string): NodeTrace => ({
	id,
	component: "set",
	status: error === undefined ? "success" : "failed",
	duration_ms: 0,
	attempts: 1,
	...(error !== undefined && { error }),
});

const result = (execution_id: string, nodes: NodeTrace[] = [node(execution_id)]): RunResult => ({
	success: true,
	duration_ms: 1,
	execution_id,
	workflow: "w",
	data: null,
	nodes,
});

describe("held runs", () => {
	test("returns a run's trace to its owner only", async () => {
		const held = heldRuns();
		held.hold("acme", result("1"));
		const run = await held.find("acme", "1");
		assert.deepEqual(run?.nodes, [node("1")]);
		assert.equal(run?.success, true);
		assert.equal(await held.find("other", "1"), null);
		assert.equal(await held.find("acme", "2"), null);
	});

	test("drops the oldest run when the limit is reached", async () => {
		const held = heldRuns({ max: 3 });
		for (const id of ["1", "2", "3", "4", "5"]) held.hold("acme", result(id));
		const found = ["1", "2", "3", "4", "5"].map(async (id) => (await held.find("acme", id)) !== null);
		assert.deepEqual(await Promise.all(found), [false, false, true, true, true]);
	});

	test("large traces evict older ones, and a trace over the limit is not held", async () => {
		const held = heldRuns({ max: 10, maxBytes: 20_000 });
		held.hold("acme", result("small"));
		held.hold("acme", result("1", [node("n", "x".repeat(9_700))]));
		assert.equal(await held.find("acme", "small"), null);
		held.hold("acme", result("huge", [node("n", "x".repeat(20_000))]));
		assert.equal(await held.find("acme", "huge"), null);
		assert.notEqual(await held.find("acme", "1"), null);
		for (let id = 2; id < 40; id++) held.hold("acme", result(String(id)));
		assert.equal(await held.find("acme", "1"), null);
		const found = await Promise.all([...Array(40).keys()].map((id) => held.find("acme", String(id))));
		assert.equal(found.filter((run) => run !== null).length, 10);
	});

	test("does not hold a result without a trace", async () => {
		const held = heldRuns();
		const { nodes: _, ...bare } = result("1");
		held.hold("acme", bare);
		assert.equal(await held.find("acme", "1"), null);
	});
});
