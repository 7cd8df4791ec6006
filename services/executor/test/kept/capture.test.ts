import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { CapturedStep } from "@tripline/engine/run/options";
import { RunCapture } from "../../src/kept/capture.ts";

const MIB = 1024 * 1024;

const createStep = (id: string, place: string, more: Partial<CapturedStep> = {}): CapturedStep => ({
	id,
	place,
	attempt: 1,
	status: "success",
	duration_ms: 1,
	output: null,
	...more,
});

const listPlaces = ({ steps }: RunCapture, id: string): string[] =>
	steps.filter((step) => step.id === id).map(({ place }) => place);

describe("the capture of a run", () => {
	test("holds the values themselves, in the order of their ends", () => {
		const input = { a: 1 };
		const capture = new RunCapture(input);
		const output = { b: [2] };
		capture.record(createStep("one", "", { output }));
		capture.record(createStep("two", ""));
		assert.equal(capture.input, input);
		assert.equal(capture.steps[0]?.output, output);
		assert.deepEqual(
			capture.steps.map(({ id }) => id),
			["one", "two"],
		);
		assert.deepEqual([capture.isCut, capture.isSparse], [false, false]);
	});

	test("stays below 4 MiB in a loop without end, and drops the oldest elements", () => {
		const capture = new RunCapture({});
		capture.record(createStep("list", "", { output: [1, 2, 3] }));
		for (let index = 0; index < 20_000; index++)
			capture.record(createStep("each", String(index), { output: `${index}`.padEnd(1_000) }));
		assert.ok(capture.bytes <= 4 * MIB, String(capture.bytes));
		const places = listPlaces(capture, "each");
		assert.ok(places.length > 3_000 && places.length < 4_300, String(places.length));
		assert.equal(places.at(-1), "19999");
		assert.equal(places[0], String(20_000 - places.length));
		assert.deepEqual(listPlaces(capture, "list"), [""]);
		assert.deepEqual([capture.isCut, capture.isSparse], [true, true]);
	});

	test("keeps all nodes of elements that failed, and of the elements around them", () => {
		const capture = new RunCapture({});
		for (let outer = 0; outer < 200; outer++) {
			capture.record(createStep("outer", `${outer}`, { output: "x".repeat(1_000) }));
			for (let inner = 0; inner < 50; inner++) {
				capture.record(createStep("before", `${outer}.${inner}`, { output: "x".repeat(1_000) }));
				if (outer === 3 && inner === 7)
					capture.record(createStep("fails", "3.7", { status: "failed", error: "no", output: undefined }));
			}
		}
		assert.ok(listPlaces(capture, "before").includes("3.7"));
		assert.ok(!listPlaces(capture, "before").includes("3.8"));
		assert.deepEqual(listPlaces(capture, "fails"), ["3.7"]);
		assert.ok(listPlaces(capture, "outer").includes("3"));
		assert.ok(!listPlaces(capture, "outer").includes("4"));
	});

	test("stays below 4 MiB if every element fails", () => {
		const capture = new RunCapture({});
		for (let index = 0; index < 30_000; index++)
			capture.record(createStep("each", String(index), { status: "failed", error: "no".repeat(500) }));
		assert.ok(capture.bytes <= 4 * MIB, String(capture.bytes));
		assert.equal(listPlaces(capture, "each")[0], "0");
	});

	test("records that a node ran whose output does not fit, with the size of it", () => {
		const capture = new RunCapture({});
		for (const id of ["a", "b", "c", "d", "e"])
			capture.record(createStep(id, "", { output: "x".repeat(MIB) }));
		const last = capture.steps.at(-1);
		assert.deepEqual([last?.id, last?.output, last?.droppedBytes], ["e", undefined, MIB + 2]);
		assert.deepEqual([capture.isCut, capture.isSparse], [true, false]);
	});

	test("does not hold an input that is too large", () => {
		const capture = new RunCapture("x".repeat(5 * MIB));
		assert.deepEqual([capture.input, capture.droppedInputBytes], [undefined, 5 * MIB + 2]);
		assert.equal(capture.isCut, true);
		assert.ok(capture.bytes < 5_000);
	});
});
