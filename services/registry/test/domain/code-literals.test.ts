import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { literalsOf } from "../../src/domain/code-literals.ts";

const sourcesOf = (code: string) => literalsOf(code).patterns.map(({ source }) => source);

describe("literals in code", () => {
	test("patterns are distinguished from divisions", () => {
		assert.deepEqual(sourcesOf("return /a+/.test(input.x)"), ["a+"]);
		assert.deepEqual(sourcesOf("const half = total / 2 / count;"), []);
		assert.deepEqual(sourcesOf("x = (a + b) / c; y = list[0] / d; z = 'x' / 1"), []);
		assert.deepEqual(sourcesOf("f(/x/g, !/y/i, [/z/], a ? /q/ : /r/)"), ["x", "y", "z", "q", "r"]);
		assert.deepEqual(sourcesOf("const p = /[/]a\\/b/u; return p"), ["[/]a\\/b"]);
		assert.deepEqual(sourcesOf("const returned = 4; returned / 2 / 1"), []);
		assert.deepEqual(sourcesOf("/(a+)+/.test(x)"), ["(a+)+"]);
		assert.deepEqual(literalsOf("/a/gi").patterns, [{ source: "a", flags: "gi" }]);
	});

	test("comments and strings contain no patterns", () => {
		assert.deepEqual(sourcesOf("// /a/\n/* /b/ */ 'it /c/' + \"/d/\" + `/e/`"), []);
		assert.deepEqual(sourcesOf("`#{ /in/.test(x) ? `#{/deep/}` : {a: 1} } /out/`".replaceAll("#", "$")), [
			"in",
			"deep",
		]);
	});

	test("strings are found as written", () => {
		assert.deepEqual(literalsOf("'a\\'b' + \"c\" + `d#{1}e`".replace("#", "$")).texts, [
			"a\\'b",
			"c",
			"d${",
			"e",
		]);
	});

	test("any code is read to its end", () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom(..."/*'\"`$}{\\[]()\n ab=") }), (code) => {
				literalsOf(code);
			}),
			{ numRuns: 500 },
		);
		for (const piece of ["/", "`${", "'", "/*", "\\"]) literalsOf(piece.repeat(20_000));
	});
});
