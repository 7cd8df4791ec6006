import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { findLiterals } from "../../src/domain/code-literals.ts";

const findSources = (code: string) => findLiterals(code).patterns.map(({ source }) => source);

describe("literals in code", () => {
	test("patterns are distinguished from divisions", () => {
		assert.deepEqual(findSources("return /a+/.test(input.x)"), ["a+"]);
		assert.deepEqual(findSources("const half = total / 2 / count;"), []);
		assert.deepEqual(findSources("x = (a + b) / c; y = list[0] / d; z = 'x' / 1"), []);
		assert.deepEqual(findSources("f(/x/g, !/y/i, [/z/], a ? /q/ : /r/)"), ["x", "y", "z", "q", "r"]);
		assert.deepEqual(findSources("const p = /[/]a\\/b/u; return p"), ["[/]a\\/b"]);
		assert.deepEqual(findSources("const returned = 4; returned / 2 / 1"), []);
		assert.deepEqual(findSources("/(a+)+/.test(x)"), ["(a+)+"]);
		assert.deepEqual(findLiterals("/a/gi").patterns, [{ source: "a", flags: "gi" }]);
	});

	test("comments and strings contain no patterns", () => {
		assert.deepEqual(findSources("// /a/\n/* /b/ */ 'it /c/' + \"/d/\" + `/e/`"), []);
		assert.deepEqual(findSources("`#{ /in/.test(x) ? `#{/deep/}` : {a: 1} } /out/`".replaceAll("#", "$")), [
			"in",
			"deep",
		]);
	});

	test("strings are found as written", () => {
		assert.deepEqual(findLiterals("'a\\'b' + \"c\" + `d#{1}e`".replace("#", "$")).texts, [
			"a\\'b",
			"c",
			"d${",
			"e",
		]);
	});

	test("any code is read to its end", () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom(..."/*'\"`$}{\\[]()\n ab=") }), (code) => {
				findLiterals(code);
			}),
			{ numRuns: 500 },
		);
		for (const piece of ["/", "`${", "'", "/*", "\\"]) findLiterals(piece.repeat(20_000));
	});
});
