import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileText, hasTemplate } from "../../src/expressions/compile-text.ts";
import { TooMuchWork } from "../../src/meter.ts";
import {
	assertCompiled,
	catchFailure,
	createFrame,
	createMeter,
	createNames,
	evaluateText,
	findTextProblems,
} from "./evaluate.ts";

const data: { [name: string]: Json } = {
	input: { name: "Ann", total: 12.5, paid: true, none: null, "c d": 7, items: [{ sku: "a" }, { sku: "b" }] },
	order: { 金額: 99 },
	訂單: { x: 1 },
	"my node": { ok: true },
	n𝒜me: 3,
};

describe("a template evaluates to", () => {
	const cases: [string, Json][] = [
		["", ""],
		["plain", "plain"],
		["} }} { a", "} }} { a"],
		["{{input.name}}", "Ann"],
		["{{ input . name }}", "Ann"],
		["{{input.total}}", 12.5],
		["{{input.paid}}", true],
		["{{input.none}}", null],
		["{{input.items}}", [{ sku: "a" }, { sku: "b" }]],
		["{{input.items[1].sku}}", "b"],
		['{{input["c d"]}}', 7],
		["{{input['c d']}}", 7],
		['{{input["c\\u0020d"]}}', 7],
		["{{order.金額}}", 99],
		["{{訂單.x}}", 1],
		["{{n𝒜me}}", 3],
		['{{nodes["my node"].ok}}', true],
		["{{nodes.order.金額}}", 99],
		["Dear {{input.name}}!", "Dear Ann!"],
		["{{input.name}}{{input.name}}", "AnnAnn"],
		[" {{input.total}}", " 12.5"],
		["<{{input.none}}>", "<>"],
		["<{{input.paid}}>", "<true>"],
		["<{{input.items}}>", '<[{"sku":"a"},{"sku":"b"}]>'],
		['{{"{{"}}', "{{"],
		['{{"{{"}}input.name}}', "{{input.name}}"],
		["{{'}}' | length}}", 2],
		['{{"a\\n\\t\\"\\\'\\\\"}}', "a\n\t\"'\\"],
		["{{input.gone | default(5)}}", 5],
		["{{input.gone.deeper[3] | default(null)}}", null],
		["{{skipped.x | default('-')}}", "-"],
		["{{input.gone | upper | default('x') | length}}", 1],
		["{{input.none | default(1)}}", null],
		["{{input.items | first | default(1)}}", { sku: "a" }],
	];
	for (const [text, expected] of cases)
		test(`${JSON.stringify(text)} as ${JSON.stringify(expected)}`, () => {
			assert.deepEqual(evaluateText(text, data), expected);
		});

	test("a value as it is, even if it looks like a template", () => {
		const hostile = { a: "{{7*7}}", b: ["{{credential.x}}", { "{{a}}": "{{" }] };
		assert.deepEqual(evaluateText("{{input}}", { input: hostile }), hostile);
		assert.equal(evaluateText("<{{input.a}}>", { input: hostile }), "<{{7*7}}>");
	});

	test("the credential where it is allowed", () => {
		assert.equal(evaluateText("Bearer {{credential.api}}", {}, true), "Bearer <api>");
		assert.equal(evaluateText("{{credential['my key'].token}}", {}, true), "<my key token>");
	});
});

test("hasTemplate detects only two opening braces", () => {
	assert.equal(hasTemplate("a {{b}}"), true);
	assert.equal(hasTemplate("a { { b } }"), false);
});

describe("a missing reference names its path and the missing part", () => {
	const cases: [string, string][] = [
		[
			"{{input.order.total}}",
			'"input.order.total" is missing: "input" has no "order"; it has name, total, paid, none, "c d", items',
		],
		["x {{input.name.first}}", '"input.name.first" is missing: "input.name" is text, not an object'],
		["{{input.none.x}}", '"input.none.x" is missing: "input.none" is null, not an object'],
		["{{input.items[2]}}", '"input.items[2]" is missing: "input.items" has 2 elements'],
		[
			"{{input.items.length}}",
			'"input.items.length" is missing: "input.items" is a list, not an object; write {{input.items | length}}',
		],
		["{{input[0]}}", '"input[0]" is missing: "input" is an object, not a list'],
		[
			'{{input["x y"]}}',
			'"input["x y"]" is missing: "input" has no "x y"; it has name, total, paid, none, "c d", items',
		],
		[
			"{{input.totl}}",
			'"input.totl" is missing: "input" has no "totl"; it has total, name, paid, none, "c d", items',
		],
		["{{input.name | upper | slice(0, 1) | first}}", '"input.name" | first: needs a list, but it is text'],
	];
	for (const [text, message] of cases)
		test(text, () => {
			assert.equal(
				catchFailure(() => evaluateText(text, data)),
				message,
			);
		});

	test("with at most ten keys of the value, shortened and quoted", () => {
		const explain = (x: JsonObject) => catchFailure(() => evaluateText("{{x.a}}", { x })).split("; ")[1];
		assert.equal(explain({}), "it is empty");
		const keys = Array.from({ length: 12 }, (_, index) => [`key${index}`, "secret"]);
		assert.equal(
			explain(Object.fromEntries(keys)),
			"it has key0, key1, key2, key3, key4, key5, key6, key7, key8, key9 and 2 more",
		);
		assert.equal(explain({ 'a\n"b': 1, 鍵: 2 }), 'it has "a\\n\\"b", 鍵');
		assert.equal(explain({ ["x".repeat(50)]: 1 }), `it has "${"x".repeat(40)}…"`);
	});

	test("of a node without an output", () => {
		assert.match(
			catchFailure(() => evaluateText("{{skipped.a}}", data)),
			/^"skipped\.a" is missing: "skipped" has no value/,
		);
		assert.match(
			catchFailure(() => evaluateText('{{nodes["skipped"]}}', data)),
			/^"nodes\["skipped"\]" is missing: /,
		);
	});
});

describe("a bad template is rejected at its exact offset", () => {
	const cases: [string, number, RegExp][] = [
		["a {{", 2, /no closing/],
		["a {{input", 2, /no closing/],
		["a {{input.", 2, /no closing/],
		["a {{input | ", 2, /no closing/],
		["a {{input | join(", 2, /no closing/],
		["a {{input[", 2, /no closing/],
		["a {{input} b", 9, /unexpected "}"/],
		["{{}}", 0, /no reference/],
		["{{  }}", 0, /no reference/],
		["{{input.name x}}", 13, /unexpected "x"/],
		["{{input.name + 1}}", 13, /unexpected "\+"/],
		["{{7*7}}", 2, /unexpected "7"/],
		["{{input.0}}", 8, /digit/],
		["{{input[-1]}}", 8, /an index from 0/],
		["{{input[1.5]}}", 9, /unexpected "\."/],
		["{{input[99999999999]}}", 8, /an index from 0/],
		["{{input[x]}}", 8, /an index from 0/],
		["{{input..x}}", 8, /unexpected "\."/],
		["{{input.name()}}", 12, /unexpected "\("/],
		["{{.name}}", 2, /unexpected "\."/],
		["{{{input}}}", 2, /unexpected "{"/],
		["{{input | }}", 10, /unexpected "}"/],
		['{{"a}}', 2, /no closing "/],
		['{{"\\x41"}}', 3, /escape/],
		['{{"\\u12"}}', 3, /escape/],
		['{{"\\ud800"}}', 2, /unpaired surrogate/],
		["{{input | join(x)}}", 15, /^the filter join takes constants, not a reference: only default takes one$/],
		["{{input | join([])}}", 15, /argument must be/],
		["{{input | default({})}}", 18, /argument must be .* that of default may be a reference/],
		["{{input | default(x y)}}", 20, /unexpected "y"/],
		["{{input | default(x", 0, /no closing/],
		["{{input | default(nodes)}}", 18, /node's name is missing/],
		["{{input | default(input.__proto__)}}", 24, /cannot be read/],
		["{{input | join('a' 'b')}}", 19, /unexpected "'"/],
		["{{input | slice(1.)}}", 18, /a digit after/],
		["{{input | round(nope)}}", 16, /round takes constants/],
		["{{input.na\u0000me}}", 10, /unexpected/],
		["{{input.name\ud800}}", 12, /unexpected/],
		["{{nodes}}", 2, /node's name is missing/],
		["{{nodes[0]}}", 2, /node's name is missing/],
	];
	for (const [text, offset, message] of cases)
		test(JSON.stringify(text), () => {
			const [problem] = findTextProblems(text, data);
			assert.equal(problem?.code, "bad_template");
			assert.equal(problem?.offset, offset);
			assert.match(problem?.message ?? "", message);
		});

	test("with every problem in one pass, ordered by offset", () => {
		const problems = findTextProblems("{{a b}} {{gone}} {{input | uper}} {{input.name}} {{", data);
		assert.deepEqual(
			problems.map(({ code, offset }) => [code, offset]),
			[
				["bad_template", 4],
				["unknown_reference", 10],
				["bad_template", 27],
				["bad_template", 49],
			],
		);
	});

	test("with the problem that the name lookup returns", () => {
		assert.deepEqual(findTextProblems("xx {{gone.x}}"), [
			{ code: "unknown_reference", message: "nothing here is called gone", offset: 5 },
		]);
		assert.equal(findTextProblems('{{nodes["gone"]}}')[0]?.code, "unknown_reference");
	});

	test("with a bounded number of problems", () => {
		assert.equal(findTextProblems("{{gone}}".repeat(1000)).length, 20);
		assert.equal(findTextProblems("{{!}}".repeat(1000)).length, 20);
	});
});

describe("a credential", () => {
	test("is rejected where it is not allowed", () => {
		assert.equal(
			findTextProblems("{{credential.api}}", { credential: { api: "s" } })[0]?.code,
			"credential_not_allowed",
		);
		assert.equal(
			findTextProblems("{{credential['api'] | sha256}}", { credential: { api: "s" } })[0]?.code,
			"credential_not_allowed",
		);
	});
	test("must be named: they cannot be read all at once", () => {
		assert.equal(
			findTextProblems("{{credential}}", { credential: { api: "s" } }, true)[0]?.code,
			"bad_template",
		);
	});

	test("is one name and at most one field, without filters", () => {
		for (const text of [
			"{{credential[0]}}",
			"{{credential.a[0]}}",
			"{{credential.a.b.c}}",
			"{{credential.a.__proto__}}",
			"{{credential.constructor}}",
			"{{credential.a | upper}}",
			"{{credential.a | default('x')}}",
		]) {
			assert.deepEqual(
				findTextProblems(text, {}, true).map(({ code }) => code),
				["bad_template"],
				text,
			);
		}
	});
});

describe("default takes a reference", () => {
	const values: { [name: string]: Json } = { a: { x: 1, none: null, list: [] }, b: { y: 2 }, "my node": 3 };
	const cases: [string, Json][] = [
		["{{a.gone | default(b.y)}}", 2],
		["{{a.x | default(b.y)}}", 1],
		["{{a.none | default(b.y)}}", null],
		["{{a.gone | default(a.none)}}", null],
		['{{a.gone | default(b.gone) | default("")}}', ""],
		["{{a.gone | default(skipped.x) | default(b.y) | default(9)}}", 2],
		['{{a.gone | default( nodes["my node"] )}}', 3],
		["{{a.list | first | default(b.y)}}", 2],
		["{{a.gone | default(a.list[0]) | default(true)}}", true],
		["{{a.gone | default(b) | keys}}", ["y"]],
		["<{{a.gone | default(b.y)}}>", "<2>"],
	];
	for (const [text, expected] of cases)
		test(text, () => assert.deepEqual(evaluateText(text, values), expected));

	test("and the failure names the first reference if all are missing", () => {
		assert.equal(
			catchFailure(() => evaluateText("{{a.gone | default(b.gone) | default(skipped)}}", values)),
			'"a.gone" is missing: "a" has no "gone"; it has none, x, list',
		);
	});

	test("and a later failure names the value that was used", () => {
		for (const [text, message] of [
			["{{a.gone | default(b.y) | upper}}", '"b.y" | upper: needs text, but it is a number'],
			["{{a.gone | default(a.list) | first}}", '"a.list" is empty: | first has nothing to return'],
			[
				"{{a.gone | default(b.gone) | default(1) | upper}}",
				'"a.gone" | upper: needs text, but it is a number',
			],
		] as const)
			assert.equal(
				catchFailure(() => evaluateText(text, values)),
				message,
			);
	});

	test("and an unknown name is a problem at its offset", () => {
		assert.deepEqual(findTextProblems("{{a.x | default(gone.y)}}", values), [
			{ code: "unknown_reference", message: "nothing here is called gone", offset: 16 },
		]);
	});

	test("but not a credential", () => {
		for (const isAllowed of [true, false])
			assert.deepEqual(
				findTextProblems("{{a.x | default(credential.api)}}", values, isAllowed).map(({ code, offset }) => [
					code,
					offset,
				]),
				[["credential_not_allowed", 16]],
			);
	});

	test("and a list or an object can come from the context", () => {
		assert.match(
			findTextProblems("{{a.x | default([])}}", values)[0]?.hint ?? "",
			/default\(context\.none\)/,
		);
	});
});

describe("size is bounded", () => {
	const large = "x".repeat(600_000);
	const wide = Array.from({ length: 5000 }, () => "y".repeat(1000));

	test("of concatenated text", () => {
		assert.match(
			catchFailure(() => evaluateText("{{a}}{{a}}", { a: large })),
			/more than 1048576 characters/,
		);
	});
	test("of JSON in text, before it is serialised", () => {
		const repeated = Array.from({ length: 5000 }, () => wide);
		for (const text of ["x{{a}}", "{{a | json}}", "{{a | join(',')}}"])
			assert.match(
				catchFailure(() => evaluateText(text, { a: repeated })),
				/more than 1048576 characters/,
			);
	});
	test("of nesting", () => {
		let deep: Json = 1;
		for (let level = 0; level < 20_000; level++) deep = [deep];
		assert.match(
			catchFailure(() => evaluateText("x{{a}}", { a: deep })),
			/deeper than 64/,
		);
	});
	test("of a path and of filters", () => {
		assert.match(findTextProblems(`{{a${".b".repeat(100)}}}`)[0]?.message ?? "", /at most 64 parts/);
		assert.match(findTextProblems(`{{a${" | trim".repeat(20)}}}`)[0]?.message ?? "", /at most 16 filters/);
	});
	test("but a single reference passes any value through", () => {
		assert.equal(evaluateText("{{a}}", { a: wide }), wide);
	});
});

test("1 MiB of text compiles in linear time, or is stopped", () => {
	const names = createNames({ a: 1 });
	const measureMs = (text: string) => {
		const start = process.threadCpuUsage();
		try {
			compileText(text, names, createMeter());
		} catch (error) {
			assert.ok(error instanceof TooMuchWork);
		}
		return process.threadCpuUsage(start).user / 1000;
	};
	for (const part of ["{{a}}", "{", "{{", '{{"', "{{a|", '{{"\\n', "{{a.", "}}", "é"]) {
		measureMs(part.repeat(1000));
		assert.ok(measureMs(part.repeat(Math.floor(1_048_576 / part.length))) < 5000, part);
	}
});

test("a compiled template is reused for every frame", () => {
	const evaluate = assertCompiled(
		compileText("{{input}}!", { ...createNames({}), named: () => (f) => f.roots.input }, createMeter()),
	);
	const withInput = (input: Json) => ({
		...createFrame(createMeter()),
		roots: { ...createFrame(createMeter()).roots, input },
	});
	assert.equal(evaluate(withInput("a")), "a!");
	assert.equal(evaluate(withInput("b")), "b!");
});
