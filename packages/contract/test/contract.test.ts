import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { anyCharacter } from "../../../test/any-character.ts";
import { uuidv7 } from "../src/ids.ts";
import {
	findUnstorable,
	findUnstorableParsed,
	MAX_JSON_DEPTH,
	nestsTooDeep,
	readMemberTexts,
} from "../src/json.ts";
import { nameUpTo } from "../src/names.ts";
import { Cursor, encodeCursor, Instant } from "../src/paging.ts";

describe("ids", () => {
	test("a UUIDv7 has its version and variant, and its time in front", () => {
		const id = uuidv7(Date.UTC(2026, 10, 15));
		assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
		assert.equal(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16), Date.UTC(2026, 10, 15));
	});

	test("ten thousand ids of one millisecond differ", () => {
		assert.equal(new Set(Array.from({ length: 10_000 }, () => uuidv7(0))).size, 10_000);
	});
});

describe("cursors", () => {
	test("any position is decoded from its cursor", () => {
		fc.assert(
			fc.property(fc.nat(1e10), fc.nat(1e10), (created_at, seq) => {
				assert.deepEqual(Cursor.parse(encodeCursor({ created_at, seq })), { created_at, seq });
			}),
		);
	});

	test("any other text is a position or a clear error, never a crash", () => {
		fc.assert(
			fc.property(fc.string({ unit: anyCharacter }), (text) => {
				const result = Cursor.safeParse(text);
				if (!result.success) assert.equal(result.error.issues[0]?.message, "is not a cursor of this list");
			}),
		);
	});
});

describe("instants", () => {
	test("Unix seconds and ISO 8601 mean the same", () => {
		assert.equal(Instant.parse("1772323200"), 1_772_323_200);
		assert.equal(Instant.parse("2026-03-01T00:00:00Z"), 1_772_323_200);
		assert.equal(Instant.parse("2026-03-01T01:00:00.999+01:00"), 1_772_323_200);
	});
});

describe("names", () => {
	test("the length counts characters, not code units", () => {
		assert.ok(nameUpTo(3).safeParse("🧵🧵🧵").success);
		assert.equal(nameUpTo(3).safeParse("🧵🧵🧵🧵").success, false);
	});
});

describe("storable JSON", () => {
	test("any JSON value of well-formed text is storable", () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: "grapheme" }), (value) => {
				const hasNul = JSON.stringify(value).includes("\\u0000");
				assert.equal(findUnstorable(value) === null, !hasNul);
			}),
		);
	});

	test("nesting counts arrays and objects alike", () => {
		const nest = (depth: number): unknown =>
			depth === 0 ? 1 : depth % 2 ? [nest(depth - 1)] : { a: nest(depth - 1) };
		assert.equal(findUnstorable(nest(MAX_JSON_DEPTH)), null);
		assert.match(findUnstorable(nest(MAX_JSON_DEPTH + 1)) ?? "", /deeper than 64/);
	});

	test("scanning the text finds the same problems as walking the value", () => {
		const texts = [
			"1e400",
			"-1E+999",
			"[1e2]",
			'"1e400"',
			"9".repeat(400),
			'"\\u0000"',
			'"\\ud800"',
			'"\\uD83D\\uDE00"',
			'"\\\\u0000"',
			'"\\\\\\u0000"',
			'"\\u00e9"',
			"true",
			"false",
		];
		for (const text of texts)
			assert.equal(findUnstorableParsed(JSON.parse(text), text), findUnstorable(JSON.parse(text)));
		fc.assert(
			fc.property(fc.json({ maxDepth: 6, stringUnit: anyCharacter }), (text) => {
				assert.equal(findUnstorableParsed(JSON.parse(text), text), findUnstorable(JSON.parse(text)));
			}),
		);
	});

	test("member texts are found without parsing the rest", () => {
		const names = ["a", "b", "a b"] as const;
		const odd = fc.constantFrom(...names, '"', "\\", "{", "}", ",", ":", "[a", "\u0001");
		const { json } = fc.letrec((tie) => ({
			json: fc.oneof(
				{ maxDepth: 4 },
				odd,
				fc.integer(),
				fc.constant(null),
				fc.array(tie("json"), { maxLength: 3 }),
				fc.dictionary(odd, tie("json"), { maxKeys: 4 }),
			),
		}));
		fc.assert(
			fc.property(fc.dictionary(odd, json, { maxKeys: 6 }), fc.constantFrom(0, 1), (given, indent) => {
				// Nothing is parsed: JSON.parse of V8 14.6 reads some escaped names as others.
				const write = (value: unknown) => JSON.stringify(value, null, indent);
				const members = Object.entries(given).map(([name, value]) => `${write(name)}: ${write(value)}`);
				const found = readMemberTexts(`{ ${members.join(" , ")} }`, names);
				for (const name of names)
					assert.equal(found[name]?.trim(), Object.hasOwn(given, name) ? write(given[name]) : undefined);
			}),
			{ numRuns: 500 },
		);
		assert.deepEqual(readMemberTexts('{"a":1,"\\u0061":{"a":2}}', names), { a: '{"a":2}' });
		for (const text of ['{"a":1', '{"a":1,"b":{"c":"}', "["])
			assert.throws(() => readMemberTexts(text, names), SyntaxError);
		for (const text of ["[]", '["a",1]', '"a"', "{}", "null"])
			assert.deepEqual(readMemberTexts(text, names), {});
	});

	test("brackets and quotes inside strings do not count as depth", () => {
		const text = JSON.stringify({ a: '[{"\\'.repeat(1000), "[[": "]]" });
		assert.equal(nestsTooDeep(text), false);
		assert.equal(nestsTooDeep("[".repeat(64) + "]".repeat(64)), false);
		assert.equal(nestsTooDeep("[".repeat(65) + "]".repeat(65)), true);
	});

	test("text of any length is scanned", () => {
		const text = JSON.stringify("a".repeat(50_000_000));
		assert.equal(findUnstorableParsed(JSON.parse(text), text), null);
	});
});
