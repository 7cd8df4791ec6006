import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { catchFailure, evaluateText, findTextProblems } from "./evaluate.ts";

const applyFilters = (value: Json, filters: string) => evaluateText(`{{v | ${filters}}}`, { v: value });

describe("the filter", () => {
	const cases: [Json, string, Json][] = [
		[{ a: [1, null] }, "json", '{"a":[1,null]}'],
		["x", "json", '"x"'],
		['{"a":[1]}', "parse_json", { a: [1] }],
		[["a", 1, null, { b: 2 }], "join('-')", 'a-1--{"b":2}'],
		[[], "join(',')", ""],
		["a,b,,c", "split(',')", ["a", "b", "", "c"]],
		["a😀", "split('')", ["a", "😀"]],
		["  x\n", "trim", "x"],
		["straße", "upper", "STRASSE"],
		["ÄB", "lower", "äb"],
		["a😀", "length", 2],
		[[1, 2, 3], "length", 3],
		[{ a: 1, b: 2 }, "length", 2],
		[[1, 2, 3], "first", 1],
		[[1, 2, 3], "last", 3],
		[{ b: 1, a: 2 }, "keys", ["b", "a"]],
		[[1, 2, 3, 4], "slice(1, 3)", [2, 3]],
		[[1, 2, 3, 4], "slice(-2)", [3, 4]],
		["a😀bc", "slice(1, 3)", "😀b"],
		["abc", "slice(0, 99)", "abc"],
		[1.005, "round(2)", 1.01],
		[2.5, "round", 3],
		[-2.5, "round(0)", -3],
		[-0.2, "round", 0],
		[1234.5678, "round(1)", 1234.6],
		[1e-7, "round(2)", 0],
		[1.5e-7, "round(7)", 2e-7],
		[1e300, "round(2)", 1e300],
		["a b&ü/", "url", "a%20b%26%C3%BC%2F"],
		[42, "url", "42"],
		["äöü", "base64", "w6TDtsO8"],
		["", "base64", ""],
		["w6TDtsO8", "from_base64", "äöü"],
		["Pj8_", "from_base64", ">??"],
		["Pj8/", "from_base64", ">??"],
		["/wA=", "from_base64", "\ufffd\ufffd"],
		["abc", "sha256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
		["2026-03-04T05:06:07.089Z", "date('YYYY-MM-DD HH:mm:ss.SSS')", "2026-03-04 05:06:07.089"],
		["2026-03-04T05:06:07Z", "date('DD.MM.YYYY [at] HH:mm')", "04.03.2026 at 05:06"],
		["2026-03-04T05:06:07+02:00", "date('iso')", "2026-03-04T03:06:07.000Z"],
		["2026-03-04 05:06", "date('iso')", "2026-03-04T05:06:00.000Z"],
		["2026-03-04", "date('YYYYMMDDTHHmmssZ')", "20260304T000000Z"],
		["2024-02-29", "date('DD')", "29"],
		["0050-01-01", "date('YYYY')", "0050"],
		[1_700_000_000, "date('iso')", "2023-11-14T22:13:20.000Z"],
		[1_700_000_000_000, "date('iso')", "2023-11-14T22:13:20.000Z"],
		[1_700_000_000_999, "date('unix')", 1_700_000_000],
		[0, "date('YYYY')", "1970"],
		["x", "default('y')", "x"],
		["a.b.c", "replace('.', '-')", "a-b-c"],
		["aaa", "replace('aa', 'b')", "ba"],
		["a+b", "replace('+', '$& $1')", "a$& $1b"],
		["xay", "replace('a', '')", "xy"],
		['<b title="it\'s">&amp;</b>', "html", "&lt;b title=&quot;it&#39;s&quot;&gt;&amp;amp;&lt;/b&gt;"],
		["plain 林", "html", "plain 林"],
		[7, "html", "7"],
		["12.5", "number", 12.5],
		[" -3e2\n", "number", -300],
		["007", "number", 7],
		[4, "number", 4],
		["x", "text", "x"],
		[1.5, "text", "1.5"],
		[null, "text", ""],
		[{ a: [1] }, "text", '{"a":[1]}'],
		[[1, "1", 1, null, null, true], "unique", [1, "1", null, true]],
		[[{ a: 1, b: [2] }, { b: [2], a: 1 }, { a: 1 }], "unique", [{ a: 1, b: [2] }, { a: 1 }]],
		[[], "unique", []],
		[[1, 2.5, -3], "sum", 0.5],
		[[], "sum", 0],
		[[3, -1, 2], "min", -1],
		[[3, -1, 2], "max", 3],
		[[], "min | default('none')", "none"],
		[[], "max | default(null)", null],
		[[{ name: "a" }, { name: null }], "pluck('name')", ["a", null]],
		[[], "pluck('name')", []],
		[[1, { name: 2 }, { name: "From", value: "a" }, { name: "from", value: "b" }], "named('FROM')", "a"],
		[[{ name: "From" }], "named('to') | default('none')", "none"],
		[[{ name: "to" }], "named('to') | default('none')", "none"],
		[
			{ b: 1, a: { c: 2 } },
			"entries",
			[
				{ key: "b", value: 1 },
				{ key: "a", value: { c: 2 } },
			],
		],
		[{}, "entries", []],
	];
	for (const [value, filters, expected] of cases)
		test(`${filters} makes ${JSON.stringify(expected)} of ${JSON.stringify(value)}`, () => {
			assert.deepEqual(applyFilters(value, filters), expected);
		});

	test("parse_json keeps __proto__ as plain data", () => {
		const parsed = applyFilters('{"__proto__":{"x":1}}', "parse_json") as object;
		assert.equal(Object.hasOwn(parsed, "__proto__"), true);
		assert.equal("x" in parsed, false);
	});

	test("pluck and entries keep __proto__ out of the language", () => {
		const value = JSON.parse('{"__proto__":{"x":1}}') as Json;
		assert.deepEqual(applyFilters(value, "entries"), [{ key: "__proto__", value: { x: 1 } }]);
		assert.match(
			findTextProblems("{{v | pluck('__proto__')}}", { v: [] })[0]?.message ?? "",
			/name of a field/,
		);
	});

	test("base64 accepts long text", () => {
		assert.equal(applyFilters("é".repeat(20_000), "base64"), btoa("\u00c3\u00a9".repeat(20_000)));
	});
});

describe("a filter rejects at compile time", () => {
	const cases: [string, RegExp, RegExp?][] = [
		["uper", /no filter "uper"/, /Did you mean "upper"\?/],
		["parsejson", /no filter/, /parse_json/],
		["constructor", /no filter/],
		["__proto__", /no filter/],
		["toString", /no filter/],
		["somethingelse", /no filter/, /the filters are default, json/],
		["replace('a')", /replace takes 2 arguments/],
		["replace('', 'b')", /replace needs text in quotes of 1 to 100 characters/],
		["replace('a', 1)", /replace needs text in quotes/],
		["pluck", /pluck takes 1 argument/],
		["pluck(1)", /pluck needs the name of a field in quotes/],
		["pluck('constructor')", /pluck needs the name of a field/],
		["sum('a')", /sum takes no argument/],
		["join", /join takes 1 argument/],
		["join('a', 'b')", /join takes 1 argument/],
		["trim(1)", /trim takes no argument/],
		["default", /default takes 1 argument/],
		["slice", /slice takes 1 to 2 arguments/],
		["join(1)", /join needs text/],
		["slice('1')", /slice needs a whole number/],
		["slice(1.5)", /slice needs a whole number/],
		["round(16)", /round needs a whole number from 0 to 15/],
		["round(-1)", /round needs a whole number from 0 to 15/],
		["date('yyyy-MM')", /unknown token "y"/, /YYYY/],
		["date('')", /1 to 100 characters/],
		["date('YY')", /unknown token "Y"/],
		["date('[open')", /unknown token "\["/],
		[`split('${"x".repeat(101)}')`, /at most 100 characters/],
	];
	for (const [filters, message, hint] of cases)
		test(filters.slice(0, 40), () => {
			const [problem] = findTextProblems(`{{v | ${filters}}}`, { v: "x" });
			assert.equal(problem?.code, "bad_template");
			assert.match(problem?.message ?? "", message);
			if (hint !== undefined) assert.match(problem?.hint ?? "", hint);
		});
});

describe("a filter rejects a wrong value without showing it", () => {
	const cases: [Json, string, RegExp][] = [
		[5, "trim", /^"v" \| trim: needs text, but it is a number$/],
		[null, "upper", /needs text, but it is null/],
		[["secret"], "lower", /it is a list/],
		["secret", "join(',')", /needs a list, but it is text/],
		["secret", "keys", /needs an object/],
		[["secret"], "keys", /needs an object/],
		[true, "length", /needs text, a list or an object, but it is true or false/],
		["secret", "first", /needs a list/],
		[[], "first", /^"v" is empty: \| first has nothing to return$/],
		[[], "last | upper", /is empty/],
		["secret", "parse_json", /the text is not JSON$/],
		["1e999", "parse_json", /a number is too large/],
		["[".repeat(100) + "]".repeat(100), "parse_json", /deeper than 64/],
		["secret", "round", /needs a number/],
		["secret", "date('iso')", /needs an ISO 8601 time/],
		["2026-02-30", "date('iso')", /needs an ISO 8601 time/],
		["2026-01-01T25:00:00Z", "date('iso')", /needs an ISO 8601 time/],
		[1e300, "date('iso')", /needs an ISO 8601 time/],
		[{ secret: 1 }, "url", /it is an object/],
		["\ud800", "url", /unpaired surrogate/],
		[5, "replace('a', 'b')", /needs text, but it is a number/],
		[{ secret: 1 }, "html", /needs text, a number, or true or false, but it is an object/],
		[null, "html", /it is null/],
		["secret", "number", /^"v" \| number: the text is not a number such as 12\.5$/],
		["1,5", "number", /not a number/],
		["0x10", "number", /not a number/],
		["", "number", /not a number/],
		["1".repeat(41), "number", /not a number/],
		["1e999", "number", /the number is too large/],
		[true, "number", /needs text or a number, but it is true or false/],
		["secret", "unique", /needs a list/],
		["secret", "sum", /needs a list of numbers, but it is text/],
		[[1, "secret"], "sum", /^"v" \| sum: needs a list of numbers, but element 1 is text$/],
		[[1, null], "max", /element 1 is null/],
		[[1e308, 1e308], "sum", /the sum is too large/],
		[[], "min", /^"v" is empty: \| min has nothing to return$/],
		[[{ a: 1 }, { secret: 1 }], "pluck('a')", /^"v" \| pluck: element 1 has no "a"$/],
		[["secret"], "pluck('a')", /^"v" \| pluck: element 0 is text, not an object$/],
		[[[1]], "pluck('a')", /element 0 is a list, not an object/],
		["secret", "pluck('a')", /needs a list/],
		["secret", "named('a')", /needs a list/],
		["sec ret", "from_base64", /^"v" \| from_base64: the text is not base64$/],
		[["secret"], "entries", /needs an object, but it is a list/],
		["\ud800", "sha256", /unpaired surrogate/],
	];
	for (const [value, filters, message] of cases)
		test(`${filters} of ${JSON.stringify(value).slice(0, 40)}`, () => {
			const failure = catchFailure(() => applyFilters(value, filters));
			assert.match(failure, message);
			assert.doesNotMatch(failure, /secret/);
		});

	test("and text that grows past the limit", () => {
		assert.match(
			catchFailure(() => applyFilters("ß".repeat(600_000), "upper")),
			/more than 1048576/,
		);
		assert.match(
			catchFailure(() => applyFilters("é".repeat(300_000), "url")),
			/more than 1048576/,
		);
		assert.match(
			catchFailure(() => applyFilters("x".repeat(1_000_000), "base64")),
			/more than 1048576/,
		);
		assert.match(
			catchFailure(() => applyFilters("<".repeat(300_000), "html")),
			/more than 1048576/,
		);
		assert.match(
			catchFailure(() => applyFilters("a".repeat(100_000), `replace('a', '${"b".repeat(10_000)}')`)),
			/more than 1048576/,
		);
	});
});
