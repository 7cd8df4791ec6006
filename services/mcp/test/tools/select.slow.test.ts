import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { joinPath } from "@tripline/engine/expressions/path";
import fc from "fast-check";
import { anyCharacter } from "../../../../test/any-character.ts";
import { selectPart } from "../../src/tools/select.ts";
import { ToolProblem } from "../../src/tools/tool.ts";

const value: Json = {
	items: [{ name: "a" }, { name: "b" }, { name: "c" }],
	headers: { "content-type": "text/plain", "c d": 1, 'quo"te': 2, 名前: 3 },
	empty: [],
	text: "hello",
};

describe("select", () => {
	test("accepts paths of the workflow language, with a slice at the end", () => {
		const cases: [string, Json][] = [
			["", value],
			["$", value],
			["text", "hello"],
			["items[0].name", "a"],
			["$.items[0].name", "a"],
			["items[ 1 ]", { name: "b" }],
			['headers["c d"]', 1],
			["headers['c d']", 1],
			['headers["quo\\"te"]', 2],
			["headers.content-type", "text/plain"],
			["headers.名前", 3],
			['headers["\\u540d\\u524d"]', 3],
			["items[1:]", [{ name: "b" }, { name: "c" }]],
			["items[:1]", [{ name: "a" }]],
			["items[1:2]", [{ name: "b" }]],
			["items[5:9]", []],
		];
		for (const [select, expected] of cases)
			assert.deepEqual(selectPart(value, select).value, expected, select);
		assert.deepEqual(selectPart([1, 2, 3], "[1:]"), { value: [2, 3], path: "", first: 1 });
	});

	test("says which part does not exist and which parts do", () => {
		const cases: [string, RegExp][] = [
			["itms", /no "itms" in the whole value; it has items, headers, empty, text\. Did you mean "items"/],
			["items[3]", /items is a list of 3: \[0\] to \[2\]/],
			["items.name", /items is a list of 3.*there is no "name" in it/],
			["items[0].nme", /no "nme" in items\[0\]; it has name\. Did you mean "name"/],
			["empty[0]", /empty is an empty list/],
			["text.length", /text is text and has no parts/],
			["text[0:2]", /text is text; a slice \[a:b\] applies only to a list/],
			["items[0:1].name", /nothing can follow a slice/],
			["items[-1]", /syntax error at "\[-1\]"/],
			["items[", /syntax error at "\["/],
			["a..b", /no "a" in the whole value|syntax error/],
			["items name", /syntax error at " name"/],
			["headers.__proto__", /no "__proto__" in headers/],
			["constructor", /no "constructor" in the whole value/],
		];
		for (const [select, expected] of cases) {
			assert.throws(
				() => selectPart(value, select),
				(error: unknown) => error instanceof ToolProblem && expected.test(error.message),
				select,
			);
		}
	});

	test("finds every part by its own path", () => {
		fc.assert(
			fc.property(fc.json({ stringUnit: anyCharacter }), (text) => {
				const whole = JSON.parse(text) as Json;
				walk(whole, "", (part, path) => assert.equal(selectPart(whole, path).value, part, path));
			}),
		);
	});

	test("answers or explains any path, in bounded time", () => {
		const part = fc.constantFrom(
			".",
			"[",
			"]",
			'"',
			"'",
			"\\",
			":",
			"0",
			"9999999999",
			"a",
			" ",
			"\ud800",
			"$",
			"\\u00",
		);
		fc.assert(
			fc.property(fc.array(part, { maxLength: 200 }), (parts) => {
				try {
					selectPart(value, parts.join(""));
				} catch (error) {
					assert.ok(error instanceof ToolProblem);
					assert.ok(error.message.length < 1_500);
				}
			}),
		);
		const started = performance.now();
		for (const hostile of [`["${"\\".repeat(999)}`, "[".repeat(999), `['${"a\\".repeat(499)}`])
			assert.throws(() => selectPart(value, hostile), ToolProblem);
		assert.ok(performance.now() - started < 10_000);
	});
});

function walk(value: Json, path: string, visit: (value: Json, path: string) => void): void {
	visit(value, path);
	if (typeof value !== "object" || value === null) return;
	if (Array.isArray(value))
		for (const [place, each] of value.entries()) walk(each, joinPath(path, place), visit);
	else for (const [key, each] of Object.entries(value)) walk(each, joinPath(path, key), visit);
}
