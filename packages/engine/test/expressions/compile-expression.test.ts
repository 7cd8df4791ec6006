import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { compileExpression } from "../../src/expressions/compile-expression.ts";
import {
	assertCompiled,
	catchFailure,
	createFrame,
	createMeter,
	createNames,
	evaluateCel,
	evaluateCelItem,
	findCelProblems,
} from "./evaluate.ts";

const data: { [name: string]: Json } = {
	input: {
		total: 150,
		price: 2.5,
		name: "Ann",
		none: null,
		ok: true,
		key: "name",
		tags: ["a", "b"],
		items: [
			{ sku: "a", price: 1, n: 2 },
			{ sku: "b", price: 2.5, n: 1 },
		],
		at: "2026-01-02T03:04:05Z",
	},
	order: { 金額: 99 },
	訂單: { x: 1 },
	"my node": { ok: true },
};

describe("an expression evaluates to", () => {
	const cases: [string, Json][] = [
		['input.total > 100 && nodes["my node"].ok', true],
		["nodes.order.金額 + 訂單.x", 100],
		['order["金額"] == 99', true],
		["input.price + 1", 3.5],
		["1 + input.price", 3.5],
		["2 * input.total - 1", 299],
		["input.total / 4", 37.5],
		["7 / 2", 3.5],
		["input.total % 4 == 2", true],
		["input.total == 150 && 150 == input.total && input.total != 151", true],
		["input.total == 150.0", true],
		["input.price < 3 && 3 >= input.price && 2 < input.price", true],
		["-input.total", -150],
		["!input.ok", false],
		["1.5e3", 1500],
		["0x10 + 1u", 17],
		["'a' + \"b\" + r'\\n'", "ab\\n"],
		["'''a'b'''", "a'b"],
		["[1, 'a', null, [true]]", [1, "a", null, [true]]],
		["{'a': 1, 'b': {'c': input.tags}}", { a: 1, b: { c: ["a", "b"] } }],
		["{'a' + 'b': 1}", { ab: 1 }],
		["input.tags + ['c']", ["a", "b", "c"]],
		["'a' in input.tags && !('z' in input.tags)", true],
		["1 in [1.0, 2]", true],
		["'name' in input && !('toString' in input)", true],
		["input.tags == ['a', 'b'] && input.items[0] == {'n': 2, 'price': 1, 'sku': 'a'}", true],
		["input.total == '150' || input.none == 0", false],
		["input.none == null", true],
		["input.total > 100 ? 'big' : 'small'", "big"],
		["input.tags[1]", "b"],
		["input[input.key]", "Ann"],
		["has(input.name) && !has(input.x) && !has(input.x.y.z) && has(input.items)", true],
		["has(skipped) || has(skipped.x) || has(nodes.skipped.x) || has(input['gone'])", false],
		["input.items.all(i, i.price > 0)", true],
		["input.items.exists(i, i.sku == 'b')", true],
		["input.items.exists_one(i, i.n == 1)", true],
		["input.items.map(i, i.price * i.n)", [2, 2.5]],
		["input.items.map(i, i.n > 1, i.sku)", ["a"]],
		["input.items.filter(i, i.price > 2)[0].sku", "b"],
		["input.items.filter(i, i.n > 0).map(i, i.n).filter(n, n > 1)", [2]],
		["input.items.map(項, 項.n)", [2, 1]],
		["input.items.map(i, input.tags.filter(t, t == i.sku))", [["a"], ["b"]]],
		["order.all(k, k == '金額')", true],
		["[].all(x, false) && ![].exists(x, true)", true],
		["size(input.tags) + input.name.size() + size({'a': 1}) + '😀'.size()", 7],
		["input.name.contains('nn') && input.name.startsWith('A') && input.name.endsWith('n')", true],
		["input.name.indexOf('n') + input.name.lastIndexOf('n') + 'x'.indexOf('y')", 2],
		["input.name.lower() + input.name.upper() + ' x '.trim()", "annANNx"],
		["'ÄB'.lowerAscii() + 'äb'.upperAscii()", "Äbä" + "B"],
		["'a-b-c'.split('-').join('+').replace('+', '')", "abc"],
		["'hello'.substring(1, 3) + 'hello'.substring(4)", "elo"],
		["string(1.5) + string(true) + string('x')", "1.5truex"],
		["int('42') + int(3.9) + double('1.5')", 46.5],
		["int(-3.9)", -3],
		["bool('true') && !bool('false') && bool(input.ok)", true],
		["round(2.345, 2) + round(1.5)", 4.35],
		[
			"[type(1), type('a'), type(null), type([]), type({}), type(true)]",
			["number", "string", "null", "list", "map", "bool"],
		],
		["timestamp(input.at) > timestamp('2026-01-01T00:00:00Z')", true],
		["timestamp(input.at) - timestamp('2026-01-01') > duration('1d3h')", true],
		["timestamp(input.at)", "2026-01-02T03:04:05.000Z"],
		["[timestamp(input.at) + duration('1h'), duration('-1.5h')]", ["2026-01-02T04:04:05.000Z", "-5400s"]],
		["{'t': timestamp(0)}", { t: "1970-01-01T00:00:00.000Z" }],
		[
			"timestamp(input.at).getFullYear() + timestamp(input.at).getMonth() + timestamp(input.at).getDate()",
			2028,
		],
		["timestamp(input.at).getDayOfWeek() * 100 + timestamp(input.at).getDayOfYear()", 501],
		["duration('90m').getHours() + duration('90m').getMinutes()", 91],
		["int(timestamp('1970-01-01T00:01:00Z'))", 60],
		["input.total > 100 // a remark with 'quotes and 金", true],
		["true || input.gone", true],
		["input.gone > 1 || true", true],
		["input.gone > 1 && false", false],
		["[1, 'x', 3].exists(x, x > 2)", true],
		["input.items", data.input === null ? null : (data.input as { items: Json }).items],
	];
	for (const [text, expected] of cases)
		test(text, () => {
			assert.deepEqual(evaluateCel(text, data), expected);
		});

	test("item and index if it is evaluated for each element", () => {
		assert.equal(evaluateCelItem("item.price * 2 + index", { price: 4 }, 3), 11);
		assert.equal(findCelProblems("item.price", data)[0]?.code, "unknown_reference");
		assert.match(
			catchFailure(() => evaluateCelItem("item.gone", {})),
			/^"item\.gone" is missing: "item" has no "gone"; it is empty$/,
		);
	});

	test("a new list in each run", () => {
		const bind = assertCompiled(
			compileExpression("[1, [2]]", createNames({}), { item: false, meter: createMeter() }),
		);
		assert.notEqual(bind(createFrame(createMeter()))(), bind(createFrame(createMeter()))());
	});
});

describe("resolves only the names that an expression uses", () => {
	const listNames = (text: string) => {
		const seen: string[] = [];
		const read = (name: string) => {
			seen.push(name);
			return () => ({ list: [1] }) as Json;
		};
		assertCompiled(
			compileExpression(
				text,
				{ named: read, node: (id) => read(`node ${id}`), credentials: true },
				{ item: true, meter: createMeter() },
			),
		);
		return seen;
	};
	test("each once, and neither loop variables nor item", () => {
		assert.deepEqual(listNames("a.x == a.y && b == 1"), ["a", "b"]);
		assert.deepEqual(listNames("a.list.all(x, x > item.y + index)"), ["a"]);
		assert.deepEqual(listNames("x.list.all(x, x > 1)"), ["x"]);
		assert.deepEqual(listNames('nodes["a b"].x + nodes.c.x > 1 && size("names in text") > 0'), [
			"node a b",
			"node c",
		]);
		assert.deepEqual(listNames("has(a.b.c)"), ["a"]);
	});
});

describe("a failure names what failed", () => {
	const GONE =
		'"input.gone" is missing: "input" has no "gone"; it has none, total, price, name, ok, key, tags, items, at';
	const cases: [string, string][] = [
		["input.gone > 5", GONE],
		["input.gone.deeper", GONE],
		["input.name.x", '"input.name.x" is missing: "input.name" is text, not an object'],
		["input.none.x == 1", '"input.none.x" is missing: "input.none" is null, not an object'],
		["input.tags[9]", '"input.tags[9]" is missing: "input.tags" has 2 elements'],
		["input.tags[0 - 1]", '"input.tags[0 - 1]": a list index must be a whole number from 0'],
		["input.tags['x']", '"input.tags[\'x\']" is missing: "input.tags" is a list, not an object'],
		["input[input.name]", '"input[input.name]" is missing: "input" has no such key or index'],
		["input.items.all(i, i.gone)", '"i.gone" is missing: "i" has no "gone"; it has sku, price, n'],
		["input.total > 'x'", "\"input.total > 'x'\": cannot compare a number with text"],
		[
			"input.name + 1",
			'"input.name + 1": cannot add text and a number; use string(...) to convert a value to text',
		],
		["input.name && true", '"input.name": must be true or false, but it is text'],
		["!input.name", '"input.name": must be true or false, but it is text'],
		["input.total ? 1 : 2", '"input.total": must be true or false, but it is a number'],
		["input.total / (input.total - 150)", '"input.total / (input.total - 150)": cannot divide by zero'],
		[
			"(input.total + 1) * ('x' + input.name)",
			"\"(input.total + 1) * ('x' + input.name)\": cannot multiply a number and text",
		],
		["input.name.all(x, x)", '"input.name.all(x, x)": needs a list or an object, but it is text'],
		["size(input.total)", '"size(input.total)": needs text, a list or an object, but it is a number'],
		["int(input.name)", '"int(input.name)": the text is not a number'],
		[
			"timestamp(input.name)",
			'"timestamp(input.name)": needs an ISO 8601 time or a Unix time in seconds or milliseconds',
		],
		["timestamp(input.at).ms", '"timestamp(input.at).ms" is missing: "timestamp(input.at)" is a timestamp'],
		["input.items.join()", '"input.items.join()": needs a list of text values, but it contains an object'],
		[
			"9007199254740991 + input.total",
			'"9007199254740991 + input.total": the whole number is too large to be exact',
		],
		["1e308 * input.total", '"1e308 * input.total": the number is too large'],
		["{input.name: 1, input.total: 2}", '"input.total": a key must be text'],
	];
	for (const [text, message] of cases)
		test(text, () => {
			assert.equal(
				catchFailure(() => evaluateCel(text, data)),
				message,
			);
		});

	test("of a node without an output", () => {
		assert.match(
			catchFailure(() => evaluateCel("skipped.x > 1")),
			/^"skipped" is missing: "skipped" has no value in this run/,
		);
		assert.match(
			catchFailure(() => evaluateCel('nodes["skipped"] == 1')),
			/^"nodes\["skipped"\]" is missing/,
		);
	});
});

describe("a bad expression is rejected at its offset with a clear message", () => {
	const cases: [string, number, RegExp, RegExp?][] = [
		["", 0, /is empty/],
		["  ", 0, /is empty/],
		["input.total >", 13, /ends too early/],
		["(input.total", 12, /ends too early/],
		["input.total = 5", 12, /unexpected "="/, /==/],
		["input.total === 5", 14, /unexpected "="/, /==/],
		["input.ok and true", 9, /unexpected "and"/, /&&/],
		["input.ok or true", 9, /unexpected "or"/, /\|\|/],
		["not input.ok", 4, /unexpected "input"/, /!/],
		["input.ok & true", 9, /unexpected "&"/, /&&/],
		["{{input.total}} > 5", 13, /expected ":" before/, /not \{\{input\.total\}\}/],
		["input.name | upper", 11, /unexpected "\|"/, /no filters/],
		["input.tags[0", 12, /ends too early/],
		["input.tags[0)", 12, /expected "\]" before "\)"/],
		["'abc", 0, /nterminated/],
		["1 + 'a'", 0, /cannot add a number and text/],
		["1 / 0", 0, /cannot divide by zero/],
		["true && 5", 0, /must be true or false/],
		["int('x')", 0, /not a number/],
		["foo(1)", 0, /no function "foo"/],
		["sise(input.tags)", 0, /no function/, /Did you mean "size"\?/],
		["input.name.lowr()", 11, /no function/, /Did you mean "lower"\?/],
		["input.tags.length()", 11, /length\(\) is not supported/, /size\(\)/],
		["lower(input.name)", 0, /a method, not a function/, /value\.lower/],
		["size()", 0, /size takes 1 argument/],
		["input.name.trim(1)", 11, /trim takes no argument/],
		["input.tags.all(1, true)", 15, /must be a name/],
		["(1 + 'a') == 2", 1, /^"1 \+ 'a'": cannot add/],
		["input.tags.all(x)", 11, /takes a name and an expression/],
		["has(1)", 0, /has takes one path/],
		["has(input.name + 'x')", 0, /has takes one path/],
		["b'abc'", 0, /bytes are not supported/],
		["9007199254740993", 0, /too large to be exact/],
		["nodes", 0, /node's name is missing/, /nodes\["my node"\]/],
		["nodes[input.name]", 0, /must be text in quotes/],
		["package.x", 0, /reserved word/, /nodes\["name"\]/],
		["{1: 2}", 1, /cannot be a key/],
		["input.?x", 6, /expected a name/],
		["input.name.matches('a')", 11, /matches\(\) is not supported/, /contains/],
		["12金", 2, /unexpected/],
	];
	for (const [text, offset, message, hint] of cases)
		test(JSON.stringify(text), () => {
			const [problem] = findCelProblems(text, data);
			assert.equal(problem?.code, "bad_expression");
			assert.match(problem?.message ?? "", message);
			assert.equal(problem?.offset, offset);
			if (hint !== undefined) assert.match(problem?.hint ?? "", hint);
		});

	test("with every unknown name in one pass", () => {
		assert.deepEqual(
			findCelProblems("gone > 1 && input.x == nodes['away'].y && foo(1)", data).map(({ code, offset }) => [
				code,
				offset,
			]),
			[
				["unknown_reference", 0],
				["unknown_reference", 23],
				["bad_expression", 42],
			],
		);
	});

	test("with a credential, even where templates may use one", () => {
		const names = createNames({ credential: { a: "s" } }, true);
		const result = compileExpression("credential.a == 's'", names, { item: false, meter: createMeter() });
		assert.equal(!result.ok && result.problems[0]?.code, "credential_not_allowed");
	});
});
