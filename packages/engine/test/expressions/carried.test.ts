import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import type { CarriedExpression } from "../../src/component.ts";
import { CarriedExpressions, compileCarried } from "../../src/expressions/carried.ts";
import type { Names } from "../../src/frame.ts";
import { ANY } from "../../src/types/type.ts";
import {
	assertCompiled,
	catchFailure,
	createFrame,
	createMeter,
	createNames,
	evaluateCelItem,
} from "./evaluate.ts";

type Data = { [name: string]: Json };

function carry(text: string, data: Data, names: Names = createNames(data)): CarriedExpression {
	const meter = createMeter();
	return assertCompiled(compileCarried(text, names, { element: ANY, meter }))(createFrame(meter));
}

/** As it arrives after it was stored. */
const evaluate = (carried: CarriedExpression, item: Json): Json =>
	new CarriedExpressions().evaluate(JSON.parse(JSON.stringify(carried)), item, createMeter());

describe("a carried expression has only the values that it reads", () => {
	const order = { id: 7, lines: [{ sku: "a" }, { sku: "b" }], customer: { name: "Ada", notes: "long" } };
	const cases: readonly [string, Data][] = [
		["item.id == input.order.id", { input: { order: { id: 7 } } }],
		[
			"input.order.customer.name == item.name && input.order.id > 1",
			{ input: { order: { id: 7, customer: { name: "Ada" } } } },
		],
		["input.order['id'] == item.id", { input: { order: { id: 7 } } }],
		["input.order.lines[1].sku == item.sku", { input: { order: { lines: order.lines } } }],
		["input.order.lines.exists(line, line.sku == item.sku)", { input: { order: { lines: order.lines } } }],
		["size(input.order) > 1", { input: { order } }],
		["input[item.key].id == 7", { input: { order, secret: "s" } }],
		["has(input.order.gone) || has(input.nothing.at.all)", { input: { order: {} } }],
		['nodes["pick"].id == item.id', { "nodes pick": { id: 1 } }],
		["item.id == 7", {}],
	];
	for (const [text, values] of cases) {
		test(text, () => {
			const data = { input: { order, secret: "s" }, pick: { id: 1, secret: "s" } };
			assert.deepEqual(carry(text, data), { text, values });
		});
	}
});

test("a value that is missing is missing where it is evaluated too", () => {
	const carried = carry("input.order.id == item.id", { input: {} });
	assert.match(
		catchFailure(() => evaluate(carried, { id: 1 })),
		/"input\.order" is missing/,
	);
	assert.equal(evaluate(carry("has(input.order) || item", { input: {} }), true), true);
	assert.match(
		catchFailure(() => evaluate(carry("skipped.id == item", {}), 1)),
		/"skipped" is missing/,
	);
});

test("the values of the turn before are carried by loop and node", () => {
	const names: Names = {
		...createNames({}),
		last: (name) => (name === "page_last" ? (id) => () => ({ id, next: 3, other: 4 }) : undefined),
	};
	const carried = carry("item.page == page_last.fetch.next", {}, names);
	assert.deepEqual(carried.values, { "page_last fetch": { next: 3 } });
	assert.equal(evaluate(carried, { page: 3 }), true);
});

test("evaluating one spends from the meter", () => {
	const carried = carry("input.list.all(a, input.list.all(b, a + b + item > 0))", {
		input: { list: Array.from({ length: 2_000 }, (_, nth) => nth) },
	});
	assert.match(
		catchFailure(() => evaluate(carried, 1)),
		/takes too long/,
	);
});

test("it has the same value as in its run", () => {
	const key = fc.constantFrom("a", "b", "c");
	const path = fc
		.tuple(fc.constantFrom("input", "other", "item"), fc.array(key, { maxLength: 3 }))
		.map(([root, keys]) => [root, ...keys].join("."));
	const text = fc.oneof(
		fc.tuple(path, path).map(([one, other]) => `${one} == ${other}`),
		fc.tuple(path, key).map(([one, name]) => `has(${one}.${name}) ? ${one}.${name} : null`),
		fc.tuple(path, path, key).map(([one, other, name]) => `[${one}, ${other}].map(x, has(x.${name}))`),
	);
	const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
		tree: fc.oneof(
			{ maxDepth: 3 },
			fc.constantFrom<Json>(1, "x", null),
			fc.dictionary(key, tie("tree"), { noNullPrototype: true }),
		),
	}));
	const attempt = (work: () => Json) => {
		try {
			return { value: work() };
		} catch {
			return "failed";
		}
	};
	fc.assert(
		fc.property(text, tree, tree, tree, (expression, input, other, item) => {
			const data = { input, other };
			assert.deepEqual(
				attempt(() => evaluate(carry(expression, data), item)),
				attempt(() => evaluateCelItem(expression, item, 0, data)),
			);
		}),
		{ numRuns: 2_000 },
	);
});
