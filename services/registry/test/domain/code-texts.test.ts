import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { findTexts } from "../../src/domain/code-texts.ts";

describe("strings in code", () => {
	test("are found as written", () => {
		assert.deepEqual(findTexts("'a\\'b' + \"c\" + `d#{1}e`".replace("#", "$")), ["a\\'b", "c", "d${", "e"]);
		assert.deepEqual(findTexts("`#{ f('in') ? `#{'deep'}` : {a: 1} } out`".replaceAll("#", "$")), [
			"${",
			"in",
			"${",
			"deep",
			"",
			" out",
		]);
	});

	test("do not start in comments or patterns", () => {
		assert.deepEqual(findTexts("// it's\n/* it's */ 'a'"), ["a"]);
		assert.deepEqual(findTexts("return /'/.test(input.x) ? 'a' : 'b'"), ["a", "b"]);
		assert.deepEqual(findTexts("f(/'/g, !/\"/i, [/`/], a ? /[/']/u : /\\/'/, 'a')"), ["a"]);
	});

	test("are found between divisions", () => {
		assert.deepEqual(findTexts("const half = total / 2 + 'a' / count;"), ["a"]);
		assert.deepEqual(findTexts("x = (a + b) / f('a') / c; y = list[0] / g('b') / d"), ["a", "b"]);
		assert.deepEqual(findTexts("const returned = 4; returned / f('a') / 1"), ["a"]);
	});

	test("are found to the end of any code", () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom(..."/*'\"`$}{\\[]()\n ab=") }), (code) => {
				assert.ok(findTexts(code).every((text) => text.endsWith("${") || code.includes(text)));
			}),
			{ numRuns: 500 },
		);
		for (const piece of ["/", "`${", "'", "/*", "\\"])
			assert.ok(Array.isArray(findTexts(piece.repeat(20_000))));
	});
});
