import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { anyCharacter } from "../../../../test/any-character.ts";
import { fold } from "../../src/domain/search/fold.ts";
import { MAX_FORM_LENGTH, tokenize } from "../../src/domain/search/tokens.ts";

const listForms = (text: string) => tokenize(text, 1000).map(({ form }) => form);

describe("the tokens of a text", () => {
	const cases: [string, string[]][] = [
		["", []],
		[" \t\n!?—…🙂", []],
		["The quick, brown Fox.", ["the", "quick", "brown", "fox"]],
		["don't", ["don", "t"]],
		["l’eau", ["l", "eau"]],
		["Café CAFÉ cafe\u0301", ["cafe", "cafe", "cafe"]],
		["Straße ŁÓDŹ Øresund Ελλάς", ["strasse", "lodz", "oresund", "ελλασ"]],
		["ＡＢＣ ﬁle ①", ["abc", "file", "1"]],
		["co\u00adoperate", ["cooperate"]],
		["Ёлка й", ["елка", "й"]],
		["مُحَمَّد שָׁלוֹם", ["محمد", "שלום"]],
		["की का", ["की", "का"]],
		["http_request", ["http", "request", "http·request"]],
		["v1.3.0", ["v1", "3", "0", "v1·3·0"]],
		["foo-bar foo.bar", ["foo", "bar", "foo·bar", "foo", "bar", "foo·bar"]],
		["a@b.co", ["a", "b", "co", "a·b·co"]],
		["end. Next", ["end", "next"]],
		["10mg H2O", ["10mg", "h2o"]],
		["知识库", ["知识", "识库"]],
		["中", ["中"]],
		["㈠月", ["一月"]],
		["毎朝レポート", ["毎朝", "朝レ", "レポ", "ポー", "ート"]],
		["ﾊﾞﾅﾅ", ["バナ", "ナナ"]],
		["か\u3099く", ["がく"]],
		["한국어 검색", ["한국", "국어", "검색"]],
		["\u1112\u1161\u11ab\u1100\u116e\u11a8", ["한국"]],
		["กินข้าว", ["กิน", "นข้", "ข้า", "าว"]],
		["Tripline入門guide", ["tripline", "入門", "guide"]],
		["𠮷野家", ["𠮷野", "野家"]],
	];
	for (const [text, expected] of cases) {
		test(JSON.stringify(text), () => assert.deepEqual(listForms(text), expected));
	}

	test("have the right positions", () => {
		const text = "Der Café-Tisch, 東京タワー";
		assert.deepEqual(
			tokenize(text, 100).map(({ start, end }) => text.slice(start, end)),
			["Der", "Café", "Tisch", "Café-Tisch", "東京", "京タ", "タワ", "ワー"],
		);
	});

	test("are truncated in a very long word and limited in a very long text", () => {
		assert.deepEqual(listForms("x".repeat(1_000_000)), ["x".repeat(MAX_FORM_LENGTH)]);
		assert.deepEqual(listForms("x-".repeat(100)).at(-1), "x");
		assert.ok(tokenize("a ".repeat(100_000), 50).length <= 51);
		assert.ok(tokenize("漢".repeat(100_000), 50).length <= 50 * 4);
	});
});

const anyText = fc.string({
	unit: fc.oneof(fc.string({ unit: anyCharacter, maxLength: 3 }), fc.string({ maxLength: 5 })),
});

test("for any text, words have only letters and digits and lie within it, in order", () => {
	fc.assert(
		fc.property(anyText, (text) => {
			let last = 0;
			for (const { kind, form, start, end } of tokenize(text, 100)) {
				assert.match(form, kind === "whole" ? /^[\p{L}\p{N}\p{M}·]+$/u : /^[\p{L}\p{N}\p{M}]+$/u);
				assert.ok(form.isWellFormed());
				assert.ok(start < end && end <= text.length);
				if (kind !== "whole") assert.ok(start >= last);
				if (kind === "word") last = end;
			}
		}),
		{ numRuns: 2000 },
	);
});

test("folding is idempotent", () => {
	fc.assert(
		fc.property(anyText, (text) => {
			const once = fold(text);
			assert.equal(fold(once), once);
		}),
		{ numRuns: 2000, examples: [["A\uFE77"]] },
	);
});
