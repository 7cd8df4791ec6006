import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { compileAggregate, compileExpression } from "../../src/expressions/compile-expression.ts";
import { compileText } from "../../src/expressions/compile-text.ts";
import type { Compiled } from "../../src/expressions/problem.ts";
import { catchFailure, createMeter, createNames, evaluateCel } from "./evaluate.ts";

const data: { [name: string]: Json } = {
	input: { a: 1, list: [1, 2], name: "Ada" },
	a: { b: 1 },
	"my-node": { x: 1 },
	"my big node": { x: 1 },
	訂單: 1,
};
const names = { ...createNames(data), isNode: (id: string) => Object.hasOwn(data, id) };

const list = (compiled: Compiled<unknown>) =>
	compiled.ok ? [] : compiled.problems.map(({ offset, hint = "" }) => [offset, hint] as const);
const ofExpression = (text: string, item = false) =>
	list(compileExpression(text, names, { item, meter: createMeter() }));
const ofTemplate = (text: string) => list(compileText(text, names, createMeter()));

function assertHint(found: readonly (readonly [number, string])[], offset: number, hint: RegExp): void {
	assert.equal(found.length, 1, JSON.stringify(found));
	assert.equal(found[0]?.[0], offset);
	assert.match(found[0]?.[1] ?? "", hint);
}

describe("an expression in another language's words says what to write", () => {
	const HAS = /has\(a\.b\) \? a\.b : c/;
	const cases: [string, number, RegExp][] = [
		["a?.b", 2, HAS],
		["input.a ?? 1", 9, HAS],
		["a.?b", 2, HAS],
		["input.a.orValue(1)", 8, HAS],
		["coalesce(a.b, 1)", 0, HAS],
		["a.b = 1", 4, /compared with ==/],
		["a.b === 1", 6, /compared with ==/],
		["a.b !== 1", 6, /== and !=/],
		["a.b <> 1", 5, /write !=/],
		["a.b => 1", 4, /write >=/],
		["input.list.map(x => x)", 17, /list\.map\(x, x\.name\)/],
		["a.b == 1 and a.b == 2", 9, /write && for and/],
		["a.b == 1 OR a.b == 2", 9, /write \|\| for or/],
		["not a.b", 4, /write ! for not/],
		["1 not in input.list", 2, /!\(x in list\)/],
		["a.b is null", 4, /write == null/],
		["len(input.list)", 0, /use size\(\)/],
		["input.list.length()", 11, /use size\(\)/],
		["a.b == None", 7, /write null/],
		["a.b == True", 7, /write true/],
		["if(a.b, 1, 2)", 0, /condition \? a : b/],
		["$json.a", 0, /no \$/],
		["input.name.toString()", 11, /use string\(\)/],
		["max(1, 2)", 0, /a < b \? a : b/],
	];
	for (const [text, offset, hint] of cases) test(text, () => assertHint(ofExpression(text), offset, hint));

	test("and no word of the runtime is taken for one", () => {
		for (const word of ["constructor", "__proto__", "toLocaleString", "hasOwnProperty"])
			for (const [, hint] of [...ofExpression(`a ${word}`), ...ofExpression(`${word}(a)`)])
				assert.equal(typeof hint, "string");
	});

	test("at run time, where a list or text is asked for its length", () => {
		assert.equal(
			catchFailure(() => evaluateCel("input.list.length > 1", data)),
			'"input.list.length" is missing: "input.list" is a list, not an object; write size(input.list)',
		);
		assert.equal(evaluateCel("a.length", { a: { length: 3 } }), 3);
	});
});

describe("a node's name that is not one word is recognised", () => {
	const cases: [string, number, RegExp][] = [
		["my-node.x > 1", 0, /nodes\["my-node"\]/],
		["1 + my-node.x", 4, /nodes\["my-node"\]/],
		["my big node.x > 1", 3, /nodes\["my big node"\]/],
		["(my big node.x)", 4, /nodes\["my big node"\]/],
		["input.a-my-node.x", 8, /nodes\["my-node"\]/],
	];
	for (const [text, offset, hint] of cases) test(text, () => assertHint(ofExpression(text), offset, hint));

	test("in templates too", () => {
		assertHint(ofTemplate("total: {{my-node.x}}"), 11, /nodes\["my-node"\]/);
		assertHint(ofTemplate("{{ my big node.x | upper }}"), 6, /nodes\["my big node"\]/);
	});

	test("but only if there is such a node", () => {
		assert.deepEqual(
			ofExpression("our-node.x").map(([offset]) => offset),
			[0, 4],
		);
		assert.deepEqual(ofExpression("input.a - a.b"), []);
	});
});

describe("a bare name in an expression over a list", () => {
	test("is often a field of the element", () => {
		assertHint(ofExpression("total > 5", true), 0, /the element is item: write item\.total for its field/);
		assertHint(list(compileAggregate("sum(total)", names, createMeter())), 4, /write item\.total/);
	});

	test("but not where there is no element", () => {
		assertHint(ofExpression("total > 5"), 0, /^$/);
	});
});

describe("a template that is none says what to write", () => {
	const COMPUTE = /component compute/;
	const cases: [string, number, RegExp][] = [
		["{{a.b + 1}}", 6, COMPUTE],
		["{{input.a * a.b}}", 10, COMPUTE],
		["{{a.b - 1}}", 6, COMPUTE],
		["{{a.b > 1}}", 6, COMPUTE],
		["{{a.b ? 1 : 2}}", 6, COMPUTE],
		["{{!a.b}}", 2, COMPUTE],
		["{{1 + 2}}", 2, COMPUTE],
		["{{a.b and input.a}}", 6, COMPUTE],
		["{{input.list[a.b]}}", 13, COMPUTE],
		["{{a.b ?? 1}}", 6, /a\.b \| default\(c\)/],
		["{{a.b || 1}}", 7, /a\.b \| default\(c\)/],
		["{{a?.b}}", 3, /a\.b \| default\(c\)/],
		["{{a.b | default 1}}", 16, /parentheses: write default\(/],
		["{{upper(input.name)}}", 7, /write \| upper/],
		["{{input.name.toUpperCase()}}", 24, /write \| upper/],
		["{{len(input.list)}}", 5, /write \| length/],
		["{{input.list[-1]}}", 13, /write \| last/],
		["{{input.list[0:2]}}", 14, /slice\(0, 2\)/],
		["{{$json.a}}", 2, /no \$/],
		["{{#if a}}", 2, /no blocks/],
		["{{if a}}", 5, /no blocks/],
		["{{our-node.x}}", 5, /nodes\["my node"\]/],
		["{{input.name | size}}", 15, /write \| length/],
		["{{input.name | toUpperCase}}", 15, /write \| upper/],
		["{{input.name | contains('A')}}", 15, /component compute or if/],
		["{{input.list | sort}}", 15, /component sort/],
		["{{input.list | uniq}}", 15, /write \| unique/],
		["{{input.name | escape}}", 15, /write \| html/],
		["{{input.a | plus(1)}}", 12, COMPUTE],
		["{{input.a | or('x')}}", 12, /default\(x\)/],
	];
	for (const [text, offset, hint] of cases) test(text, () => assertHint(ofTemplate(text), offset, hint));
});
