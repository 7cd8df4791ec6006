import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parseQuery } from "../../src/domain/search/query.ts";
import { buildSnippet } from "../../src/domain/search/snippet.ts";

/** The snippet with matches in brackets, and the reason. */
function renderSnippet(title: string, text: string, q: string): [string, string] | null {
	const found = buildSnippet(title, text, parseQuery(q));
	if (found === null) return null;
	let marked = "";
	let done = 0;
	for (const { start, end } of found.matches) {
		marked += `${found.snippet.slice(done, start)}[${found.snippet.slice(start, end)}]`;
		done = end;
	}
	return [marked + found.snippet.slice(done), found.why];
}

describe("the snippet of an entry", () => {
	const cases: [string, string, string, string, [string, string] | null][] = [
		[
			"title and text",
			"Daily report",
			"The\nreports go\tout.",
			"report",
			["The [reports] go out.", "title: report; text: reports"],
		],
		["no text", "Daily report", " \n", "dail", ["[Daily] report", "title: Daily"]],
		["only the title matches", "Tea", "Some text", "tea", ["Some text", "title: Tea"]],
		["no match", "Tea", "Some text", "coffee", null],
		["accents", "", "Im Café Größe", "cafe grosse", ["Im [Café] [Größe]", "text: Café, Größe"]],
		["pairs", "", "私は東京都へ行く", "東京都", ["私は[東京都]へ行く", "text: 東京都"]],
		["one character", "", "東京都", "都", ["東京[都]", "text: 都"]],
		[
			"a prefix",
			"",
			"reporting on reports",
			"repo",
			["[reporting] on [reports]", "text: reporting, reports"],
		],
		[
			"irregular stems",
			"",
			"sensibility of ponies filing",
			"sensible pony file",
			["[sensibility] of [ponies] [filing]", "text: sensibility, ponies, filing"],
		],
		["not within a word", "", "subreport report", "report ", ["subreport [report]", "text: report"]],
		[
			"parts of a name",
			"",
			"call http_request",
			"http_request",
			["call [http]_[request]", "text: http, request"],
		],
		[
			"control characters",
			"",
			"a\u0001\u0002b needle\u001b[31m",
			"needle",
			["a b [needle] [31m", "text: needle"],
		],
	];
	for (const [name, title, text, q, expected] of cases) {
		test(name, () => assert.deepEqual(renderSnippet(title, text, q), expected));
	}

	test("the part with the most distinct words is shown", () => {
		const filler = "lorem ipsum dolor ".repeat(30);
		const found = renderSnippet("", `${filler}alpha ${filler}alpha beta ${filler}beta`, "alpha beta");
		assert.match(found?.[0] ?? "", /^….*\[alpha\] \[beta\].*…$/);
	});

	test("a match far into a long text is found", () => {
		const found = renderSnippet("", `${"lorem ipsum dolor ".repeat(2700)}needle`, "needle");
		assert.match(found?.[0] ?? "", /^….*\[needle\]$/);
	});
});

test("for any texts a snippet is short, on one line, and contains its matches", () => {
	const anyText = fc.string({
		unit: fc.constantFrom("a", "bc", "é", "漢", "字", " ", "\n", "𠮷", "e\u0301", "-", "word"),
		maxLength: 400,
	});
	fc.assert(
		fc.property(anyText, anyText, anyText, (title, text, q) => {
			const found = buildSnippet(title, text, parseQuery(q));
			if (found === null) return;
			assert.ok(found.snippet.length <= 260, String(found.snippet.length));
			assert.ok(found.snippet.isWellFormed());
			assert.doesNotMatch(found.snippet, /[\n\t]| {2}|^ | $/);
			let last = 0;
			for (const { start, end } of found.matches) {
				assert.ok(start >= last && end > start && end <= found.snippet.length);
				last = end;
			}
			assert.notEqual(found.why, "");
		}),
		{ numRuns: 1000 },
	);
});
