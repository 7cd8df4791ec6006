import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { compileAggregate, compileExpression } from "../../src/expressions/compile-expression.ts";
import { MAX_DOCUMENT_UNITS, MAX_NODE_UNITS, Meter } from "../../src/meter.ts";
import {
	assertCompiled,
	catchFailure,
	createFrame,
	createMeter,
	createNames,
	evaluateCel,
	findCelProblems,
} from "./evaluate.ts";

const list = Array.from({ length: 400_000 }, (_, place) => place);
const data: { [name: string]: Json } = {
	input: {
		list,
		text: "a".repeat(1_000_000),
		same: "a".repeat(1_000_000),
		needle: `aaaaaaaaaa${"b"}${"a".repeat(16_000)}`,
	},
};

describe("stops an expression that takes too long", () => {
	const cases: [string, RegExp][] = [
		["input.list.all(a, input.list.all(b, a + b >= 0))", /takes too long/],
		["input.list.exists(a, input.list.exists(b, b.gone))", /takes too long/],
		["input.list.all(a, input.text == input.same)", /takes too long/],
		["input.list.exists(a, -1 in input.list)", /takes too long/],
		["input.list.map(a, input.list + input.list).size()", /takes too long/],
		["input.text.contains(input.needle)", /takes too long/],
		["input.text.split(input.needle).size()", /takes too long/],
		["input.text.replace(input.needle, '')", /takes too long/],
		["input.list.exists(a, input.text.upper() == 'x')", /takes too long/],
		["input.list.exists(a, input.text.split('').size() == 0)", /takes too long/],
		["input.list.all(a, input.list.all(b, true)) || true", /takes too long/],
		["input.list.map(a, input.list)", /larger than 1048576/],
		["input.list.map(a, input.text).join('')", /more than 1048576/],
		["input.text + input.text", /more than 1048576/],
		["input.text.replace('a', 'bbbb')", /more than 1048576/],
		["[input.list, input.list, input.list]", /larger than 1048576/],
	];
	for (const [text, message] of cases)
		test(text, () => {
			const start = performance.now();
			assert.match(
				catchFailure(() => evaluateCel(text, data)),
				message,
			);
			assert.ok(performance.now() - start < 10_000);
		});

	test("counts all elements together", () => {
		const names = createNames(data);
		const each = assertCompiled(
			compileExpression("item in input.list", names, { item: true, meter: createMeter() }),
		)(createFrame(createMeter()));
		assert.match(
			catchFailure(() => {
				for (let index = 0; index < 400_000; index++) each(index, index);
			}),
			/takes too long/,
		);
	});

	test("counts a large result without copying it", () => {
		const rows: Json = Array.from({ length: 15_000 }, (_, id) => ({ id, name: `name ${id}`, tags: ["a"] }));
		const result = evaluateCel("input.rows.map(row, [row])", { input: { rows } }) as Json[][];
		assert.equal(result.length, 15_000);
		assert.ok(result.every(([row], place) => row === rows[place]));
	});

	test("counts each part of a result, and again what it copies", () => {
		const item = {
			at: "2026-01-02",
			names: Object.fromEntries(list.slice(0, 50).map((at) => [`n${at}`, 1])),
		};
		const countUnits = (text: string): number => {
			const meter = createMeter();
			const options = { item: true, meter: createMeter() };
			assertCompiled(compileExpression(text, createNames({}), options))(createFrame(meter))(item, 0);
			return MAX_NODE_UNITS - meter.left;
		};
		assert.ok(countUnits("[item.names]") >= 50 * 6);
		assert.ok(countUnits("[item.names, timestamp(item.at)]") >= 50 * 20);
	});

	test("allows work on one long list", () => {
		assert.equal(evaluateCel("input.list.filter(x, x % 1000 == 0 && x > 10).size()", data), 399);
		assert.equal(evaluateCel("input.text.contains('b') || input.text.startsWith('aa')", data), true);
	});
});

test("limits how many short expressions one document can have", () => {
	const meter = new Meter(MAX_DOCUMENT_UNITS);
	let count = 0;
	const message = catchFailure(() => {
		for (; count < 20_000; count++) compileAggregate("sum(item + 1)", createNames({}), meter);
	});
	assert.match(message, /takes too long/);
	assert.ok(count > 10_000 && count < 15_000, `${count}`);
});

describe("rejects an expression that is", () => {
	const deep = (open: string, close: string, count: number) =>
		`${open.repeat(count)}true${close.repeat(count)}`;
	const cases: [string, string, RegExp][] = [
		["too long", `true${" ".repeat(5000)}`, /more than 4096 characters/],
		["too deep in parentheses", deep("(", ")", 500), /nests too deep/],
		["too deep in lists", deep("[", "]", 500), /nests too deep/],
		["too deep in negations", deep("!", "", 4000), /nests too deep/],
		["too long a chain", `1${"+1".repeat(1000)}`, /nests too deep/],
		["too long a path", `input${".a".repeat(500)}`, /nests too deep/],
		["a list of too many parts", `[${"1,".repeat(1500)}1]`, /too many parts/],
		[
			"three loops in each other",
			"input.a.all(x, input.b.all(y, input.c.all(z, true)))",
			/nested at most 2 deep/,
		],
		[
			"three loops, the innermost over a loop's list",
			"input.a.map(x, input.b.map(y, input.c.filter(z, z).size()))",
			/nested at most 2 deep/,
		],
	];
	for (const [name, text, message] of cases)
		test(name, () => {
			assert.match(findCelProblems(text, data)[0]?.message ?? "", message);
		});
});
