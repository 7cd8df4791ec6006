import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { manualClock } from "../../../../packages/platform/test/contracts/contract.ts";
import { RunCapture } from "../../src/kept/capture.ts";
import type { CapturedRun } from "../../src/kept/document.ts";
import { memoryRuns } from "../../src/kept/memory.ts";

const createRun = (id: string, characters = 400): CapturedRun => ({
	id,
	workflow: "w",
	versionNumber: 1,
	version: "1",
	trigger: "named",
	time: "2026-11-01T12:00:00.000Z",
	request: undefined,
	graph: { nodes: [], edges: [] },
	context: {},
	capture: new RunCapture("x".repeat(characters)),
});

describe("runs in memory", () => {
	test("a run is found by its namespace and id", () => {
		const memory = memoryRuns({ clock: manualClock() });
		const run = createRun("1");
		memory.put("a", run);
		assert.equal(memory.get("a", "1"), run);
		assert.equal(memory.get("b", "1"), null);
		assert.equal(memory.get("a", "2"), null);
	});

	test("a deleted run is gone", () => {
		const memory = memoryRuns({ clock: manualClock() });
		memory.put("a", createRun("1"));
		assert.equal(memory.delete("b", "1"), false);
		assert.equal(memory.delete("a", "1"), true);
		assert.equal(memory.delete("a", "1"), false);
		assert.equal(memory.get("a", "1"), null);
	});

	test("when memory is full the oldest runs go", () => {
		const memory = memoryRuns({ clock: manualClock(), maxBytes: 500_000 });
		for (let id = 0; id < 500; id++) memory.put("a", createRun(String(id)));
		const left = Array.from({ length: 500 }, (_, id) => id).filter((id) => memory.get("a", String(id)));
		assert.ok(left.length > 90 && left.length < 115, String(left.length));
		assert.equal(left.at(-1), 499);
		assert.equal(left[0], 500 - left.length);
	});

	test("a busy namespace displaces only its own runs", () => {
		const memory = memoryRuns({ clock: manualClock(), maxBytes: 500_000 });
		for (let id = 0; id < 20; id++) memory.put("quiet", createRun(String(id)));
		for (let id = 0; id < 5_000; id++) memory.put("busy", createRun(String(id)));
		for (let id = 0; id < 20; id++) assert.notEqual(memory.get("quiet", String(id)), null);
	});

	test("two busy namespaces get about the same", () => {
		const memory = memoryRuns({ clock: manualClock(), maxBytes: 500_000 });
		for (let id = 0; id < 3_000; id++) memory.put("early", createRun(String(id)));
		for (let id = 0; id < 3_000; id++) memory.put("late", createRun(String(id)));
		const count = (namespace: string) =>
			Array.from({ length: 3_000 }, (_, id) => memory.get(namespace, String(id))).filter(Boolean).length;
		assert.ok(Math.abs(count("early") - count("late")) < 15, `${count("early")} and ${count("late")}`);
	});

	test("of a run that was put twice the later one is found", () => {
		const memory = memoryRuns({ clock: manualClock(), maxBytes: 500_000 });
		const later = createRun("1");
		memory.put("a", createRun("1"));
		memory.put("a", later);
		assert.equal(memory.get("a", "1"), later);
	});

	test("a run that is larger than all memory does not stay, and nothing breaks", () => {
		const memory = memoryRuns({ clock: manualClock(), maxBytes: 20_000 });
		memory.put("a", createRun("1", 50_000));
		assert.equal(memory.get("a", "1"), null);
		memory.put("a", createRun("2"));
		assert.notEqual(memory.get("a", "2"), null);
	});

	test("a namespace wants at most 100 runs a second, whatever others do", () => {
		const clock = manualClock();
		const memory = memoryRuns({ clock });
		for (let id = 0; id < 100; id++) {
			assert.equal(memory.wants("a"), true);
			memory.put("a", createRun(String(id)));
		}
		assert.deepEqual([memory.wants("a"), memory.wants("b")], [false, true]);
		clock.advance(1_000);
		assert.equal(memory.wants("a"), true);
	});
});
