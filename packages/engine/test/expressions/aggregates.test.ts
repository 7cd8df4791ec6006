import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compileAggregate } from "../../src/expressions/compile-expression.ts";
import { assertCompiled, createFrame, createMeter, createNames } from "./evaluate.ts";

const names = createNames({ context: { rate: 2 } });

describe("an aggregate", () => {
	for (const name of ["sum", "avg", "min", "max", "first", "last", "list"])
		test(`${name} computes its argument for each element`, () => {
			const aggregate = assertCompiled(
				compileAggregate(`${name}(item.price * context.rate + index)`, names, createMeter()),
			)(createFrame(createMeter()));
			assert.equal(aggregate.function, name);
			assert.equal(aggregate.each({ price: 3 }, 1), 7);
		});

	test("count takes no argument", () => {
		assert.equal(
			assertCompiled(compileAggregate(" count() ", names, createMeter()))(createFrame(createMeter()))
				.function,
			"count",
		);
	});

	const bad: [string, number, RegExp][] = [
		["item.price", 0, /not an aggregate/],
		["1 + sum(item.price)", 0, /not an aggregate/],
		["sume(item.price)", 0, /no aggregate "sume"/],
		["constructor(item.price)", 0, /no aggregate/],
		["sum()", 0, /sum takes 1 argument/],
		["sum(item.a, item.b)", 0, /sum takes 1 argument/],
		["count(item.a)", 0, /count takes no argument/],
		["sum(gone.x)", 4, /nothing here is called gone/],
		["sum(item.price", 14, /ends too early/],
		["sum(sum(item.price))", 4, /sum\(\) is not supported/],
	];
	for (const [text, offset, message] of bad)
		test(`${text} is refused`, () => {
			const result = compileAggregate(text, names, createMeter());
			const problem = result.ok ? undefined : result.problems[0];
			assert.equal(problem?.offset, offset);
			assert.match(problem?.message ?? "", message);
		});
});
