import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { Meter, TooMuchWork } from "@tripline/engine/meter";
import fc from "fast-check";
import { parse, stringify } from "yaml";
import { DescriptionProblem } from "../src/problem.ts";
import { readPlainYaml, UnusualYaml } from "../src/yaml.ts";
import { createMeter } from "./make.ts";

const read = (text: string) => readPlainYaml(text, createMeter());

/** What the reader does not know it must leave to a complete one, and what it reads it must read alike. */
function assertSame(text: string): void {
	let value: Json;
	try {
		value = read(text);
	} catch (error) {
		if (error instanceof UnusualYaml || error instanceof DescriptionProblem) return;
		throw error;
	}
	assert.deepEqual(value, parse(text), text);
}

const CASES: readonly (readonly [what: string, text: string])[] = [
	["a map", "a: 1\nb: two\n"],
	["a map in a map", "a:\n  b:\n    c: d\n"],
	["a list at the indentation of its key", "a:\n- 1\n- 2\nb: 3\n"],
	["a list that is indented", "a:\n  - 1\n  - 2\n"],
	["maps in a list", "- a: 1\n  b: 2\n- a: 3\n"],
	["lists in a list", "- - 1\n  - 2\n- - 3\n"],
	["brackets", "a: [1, two, {b: c}]\nd: {e: [f], g: }\n"],
	["brackets over lines", "a: [1,\n  2,\n  3]\n"],
	["brackets with blank lines", "a: [1,\n\n  2]\nb: {c: d,\n\n  e: f}\n"],
	["a block text with a tab", "a: |\n  \t\n  b\n"],
	["a block text", "a: |\n  one\n   two\n\n  three\nb: 1\n"],
	["a block text without its last break", "a: |-\n  one\n  two\n\nb: 1\n"],
	["a block text with all breaks", "a: |+\n  one\n\nb: 1\n"],
	["a block text with a given indentation", "a: |2\n    one\n  two\n"],
	["a folded text", "a: >\n  one\n  two\n\n  three\n    four\n  five\n"],
	["an unquoted text over lines", "a: one\n  two\n\n  three\nb: 1\n"],
	["a quoted text over lines", "a: \"one\n  two\n\n  three\"\nb: 'it''s'\n"],
	["escapes", 'a: "\\u00e9\\n\\t\\x41\\"\\\\ \\/"\n'],
	["an escaped line break", 'a: "one\\\n  two"\n'],
	["comments", "# top\na: 1 # one\n# between\nb: 'x # y' # z\n"],
	["a no-break space, which is part of a text", "a: here:\u00a0<b>\nb: \u00a0x\u00a0\n"],
	["other keys", "\"a b\": 1\n'c': 2\n200: 3\n/path/{id}: 4\na.b-c: 5\n"],
	["numbers", "a: [1, -2, 1.5, 1e3, 0x1F, 0o17, 1_000, +3, .5, 08]\n"],
	["words", "a: [true, False, null, ~, yes, no, on, off, NULL]\n"],
	["dates and versions", "a: 2020-01-01\nb: 3.0.1\nc: 1.0\n"],
	["an alias", "a: &x {b: 1}\nc: *x\n"],
	["an anchor at a block", "a: &x\n  b: 1\nc: *x\n"],
	["line breaks of Windows", "a: 1\r\nb:\r\n  - 2\r\n"],
	["the start and the end of a document", "---\na: 1\n...\n"],
	["a byte order mark", "\ufeffa: 1\n"],
	["empty values", "a:\nb:\n  c:\nd: ''\n"],
	["an address", "a: http://example.com:80/x#y\n"],
	["nothing", ""],
];

describe("the YAML reader", () => {
	for (const [what, text] of CASES)
		test(`reads ${what}`, () => {
			const value = read(text);
			assert.deepEqual(value, parse(text.replace(/^\ufeff/, "")));
		});

	for (const [what, text] of [
		["an unquoted text over lines in brackets", "a: [b\n\n  c]\n"],
		["a tag", "a: !!str 1\n"],
		["a merge", "a: &x {b: 1}\nc:\n  <<: *x\n"],
		["a complex key", "? a\n: b\n"],
		["an anchor in a list", "- &x 1\n- *x\n"],
		["a tab as indentation", "a:\n\tb: 1\n"],
		["a second document", "a: 1\n---\nb: 2\n"],
		["an alias of nothing", "a: *x\n"],
	] as const)
		test(`leaves ${what} to a complete reader`, () => assert.throws(() => read(text), UnusualYaml));

	test("refuses a key that is there twice", () =>
		assert.throws(() => read("a: 1\na: 2\n"), /line 2 has the key "a" a second time/));

	for (const text of ["__proto__: 1\n", "a: {__proto__: 1}\n", "a:\n  '__proto__':\n    b: 1\n"])
		test(`refuses the key __proto__ in ${JSON.stringify(text)}`, () =>
			assert.throws(() => read(text), /__proto__/));

	test("refuses what nests too deeply", () => {
		assert.throws(() => read(`${"- ".repeat(1_000)}a`), /nests deeper than 200 levels/);
		assert.throws(() => read(`a: ${"[".repeat(1_000)}`), /nests deeper than 200 levels/);
		const lines = Array.from({ length: 1_000 }, (_, n) => `${" ".repeat(n)}a:`);
		assert.throws(() => read(lines.join("\n")), /nests deeper than 200 levels/);
	});

	for (const [what, text] of [
		["lines", "a: 1\n".repeat(1)],
		["blank lines", "\n".repeat(10_000)],
		["comments", "# x\n".repeat(10_000)],
		["one long line", `a: ${"x".repeat(100_000)}`],
		["brackets", `a: [${"1, ".repeat(10_000)}1]`],
		["brackets over lines", `a: [\n${"  1,\n".repeat(50)}  1]`],
		["a quoted text over lines", `a: "${"x\n  ".repeat(10_000)}"`],
		["a block text", `a: |\n${"  x\n".repeat(10_000)}`],
		["an unquoted text over lines", `a: x\n${"  x\n".repeat(10_000)}`],
	] as const)
		test(`spends for ${what}`, () => {
			const units = Math.max(4, text.length / 4);
			assert.throws(() => readPlainYaml(text, new Meter(units)), TooMuchWork);
		});

	test("reads what the library writes as the library does", () => {
		const letters = fc.string({ unit: fc.constantFrom(..."ab: #-'\"\n{}[],&*!|>%@`?~1.é\t\\") });
		const value = fc.jsonValue({ maxDepth: 4, stringUnit: "grapheme" });
		const dictionary = fc.dictionary(letters, fc.oneof(letters, fc.array(letters), value), { maxKeys: 5 });
		const options = fc.record({
			lineWidth: fc.constantFrom(0, 20, 80),
			indentSeq: fc.boolean(),
			defaultStringType: fc.constantFrom("PLAIN", "QUOTE_DOUBLE", "QUOTE_SINGLE", "BLOCK_LITERAL"),
			collectionStyle: fc.constantFrom("any", "block", "flow"),
		} as const);
		fc.assert(
			fc.property(dictionary, options, (written, how) => {
				assertSame(stringify(written, { aliasDuplicateObjects: false, ...how } as object));
			}),
		);
	});

	test("reads any text as the library does, or not at all", () => {
		const line = fc.tuple(
			fc.constantFrom("", "  ", "    "),
			fc.constantFrom("", "- ", "a: ", "b: ", "'c': ", '"d": ', "- a: "),
			fc.constantFrom(
				"",
				"1",
				"x",
				"x y",
				"'q'",
				'"q"',
				"[1, 2]",
				"{a: 1}",
				"|",
				">-",
				"# c",
				"x # c",
				"x: y",
				"&n",
				"*n",
			),
		);
		fc.assert(
			fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
				const text = lines.map((parts) => parts.join("")).join("\n");
				let expected: Json;
				try {
					expected = parse(text) as Json;
				} catch {
					// What the library refuses, this reader may read if it is harmless.
					return;
				}
				let value: Json;
				try {
					value = read(text);
				} catch (error) {
					assert.ok(error instanceof UnusualYaml || error instanceof DescriptionProblem, text);
					return;
				}
				assert.deepEqual(value, expected, text);
			}),
		);
	});
});
