import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { anyCharacter } from "../../../test/any-character.ts";
import { runForError, runForOutput, runNode } from "./run-node.ts";

const runParse = (format: string, text: string, options: { [name: string]: Json } = {}) =>
	["parse", { format, text: "{{input.text}}", ...options }, { input: { text } }] as const;

describe("parse", () => {
	for (const format of ["json", "jsonl", "csv", "tsv", "xml", "html"]) {
		test(`${format}: any text gives a value or a clear error`, async () => {
			const alphabet = fc.constantFrom(
				..."<>/=\"'&;![]-?{}:,\r\n\t aB0#x\u0000\uD800é",
				"]]>",
				"<!--",
				"&#",
				"<a ",
				"</a>",
			);
			const hostile = fc.array(alphabet, { maxLength: 60 }).map((parts) => parts.join(""));
			await fc.assert(
				fc.asyncProperty(fc.oneof(hostile, fc.string({ unit: anyCharacter })), async (text) => {
					const outcome = await runNode(...runParse(format, text));
					if ("error" in outcome)
						assert.match(
							outcome.error,
							/^not (?:JSON: |(?:JSON lines|CSV|TSV), line \d+: |XML, line \d+, column \d+: )./,
						);
				}),
				{ numRuns: 300 },
			);
		});
	}

	test("runs in linear time, whatever the text contains", async () => {
		const size = 100_000;
		const hostile: [format: string, part: string][] = [
			["html", "<"],
			["html", "<a "],
			["html", "<a href='"],
			["html", "<!--"],
			["html", "<table><tr><td>"],
			["html", "<script>"],
			["html", "</"],
			["html", "&#"],
			["html", "&amp"],
			["html", "<h1>x"],
			["html", " \u00a0"],
			["xml", "<a>"],
			["xml", "<a><![CDATA["],
			["xml", "<a b='"],
			["xml", "<?x "],
			["csv", '""'],
			["csv", '"'],
			["csv", ","],
			["csv", "\r"],
			["json", "["],
			["json", '{"":'],
			["jsonl", "[\n"],
			["jsonl", "1\n"],
			["jsonl", "\r"],
			["tsv", "\t"],
			["tsv", '"\t'],
			["ics", "BEGIN:VCALENDAR\n"],
			["ics", "A:\n "],
			["ics", "A;B="],
		];
		for (const [format, part] of hostile) {
			const text = part.repeat(Math.floor(size / part.length));
			// CPU time, not wall time: other tests run in parallel.
			const started = process.threadCpuUsage();
			await runNode(...runParse(format, text));
			const seconds = process.threadCpuUsage(started).user / 1e6;
			assert.ok(seconds < 2, `${format} of ${JSON.stringify(part)}: ${seconds} s`);
		}
	});

	test("rejects options that the format does not have", async () => {
		assert.match(
			await runForError(...runParse("json", "1", { delimiter: ";" })),
			/"delimiter" is not used by json; leave it out/,
		);
		for (const format of ["jsonl", "xml", "html", "ics"]) {
			assert.match(
				await runForError(...runParse(format, "1", { header: true })),
				new RegExp(`"header" is not used by ${format}; leave it out`),
			);
		}
		assert.match(
			await runForError(...runParse("tsv", "a", { delimiter: ";" })),
			/"delimiter" is not used by tsv; leave it out/,
		);
		assert.match(
			await runForError(...runParse("xml", "<a/>", { select: { a: "b" } })),
			/"select" is not used by xml; leave it out/,
		);
		for (const delimiter of ["", ";;", '"', "\n", "😀"]) {
			assert.match(await runForError(...runParse("csv", "a", { delimiter })), /must be one character/);
		}
	});
});

describe("parse json", () => {
	test("returns every JSON value", async () => {
		await fc.assert(
			fc.asyncProperty(fc.jsonValue(), async (value) => {
				const text = JSON.stringify(value);
				assert.equal(JSON.stringify(await runForOutput(...runParse("json", text))), text);
			}),
		);
	});

	test("keeps the key __proto__ as data", async () => {
		const value = await runForOutput(...runParse("json", '{"__proto__": {"a": 1}}'));
		assert.equal(JSON.stringify(value), '{"__proto__":{"a":1}}');
	});

	test("nests at most 64 levels deep", async () => {
		const createNested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
		assert.ok(await runForOutput(...runParse("json", createNested(64))));
		assert.equal(
			await runForError(...runParse("json", createNested(65))),
			"the JSON nests deeper than 64 levels",
		);
		assert.ok(await runForError(...runParse("json", createNested(100_000))));
	});
});

describe("parse jsonl", () => {
	test("reads back any values, with any line ending and blank lines", async () => {
		const lineEnd = fc.constantFrom("\n", "\r\n", "\n\n", "\n \t\r\n");
		await fc.assert(
			fc.asyncProperty(fc.array(fc.jsonValue()), lineEnd, async (values, end) => {
				const lines = values.map((value) => JSON.stringify(value));
				const output = await runForOutput(...runParse("jsonl", `\uFEFF${lines.join(end)}`));
				assert.equal(JSON.stringify(output), `[${lines.join(",")}]`);
			}),
		);
	});

	const deep = "[".repeat(65) + "]".repeat(65);
	const faults: [text: string, error: string][] = [
		['{"a": 1}\n\n{"a": secret}', "not JSON lines, line 3: it cannot be parsed"],
		['1\n{"a":', "not JSON lines, line 2: it ends too early"],
		["1 2", "not JSON lines, line 1: it cannot be parsed"],
		[`1\n${deep}`, "not JSON lines, line 2: it nests deeper than 64 levels"],
	];
	for (const [text, error] of faults) {
		test(`reports the problem and the line of ${JSON.stringify(text.slice(0, 40))}`, async () => {
			assert.equal(await runForError(...runParse("jsonl", text)), error);
		});
	}
});

describe("parse csv", () => {
	const renderCsv = (rows: readonly (readonly string[])[], delimiter: string, lineEnd: string) => {
		const quote = (value: string) => `"${value.replaceAll('"', '""')}"`;
		return rows.map((row) => row.map(quote).join(delimiter) + lineEnd).join("");
	};
	const value = fc.oneof(
		fc.string(),
		fc.constantFrom('"', ",", "\r\n", "\n", "\r", "", "__proto__", ";", "\t"),
	);

	test("reads back what was written, with any delimiter and line ending", async () => {
		const table = fc
			.integer({ min: 1, max: 4 })
			.chain((width) => fc.array(fc.array(value, { minLength: width, maxLength: width }), { maxLength: 6 }));
		await fc.assert(
			fc.asyncProperty(
				table,
				fc.constantFrom(",", ";", "\t", "|"),
				fc.constantFrom("\r\n", "\n", "\r"),
				async (rows, delimiter, lineEnd) => {
					const text = renderCsv(rows, delimiter, lineEnd);
					assert.deepEqual(await runForOutput(...runParse("csv", text, { delimiter, header: false })), rows);
				},
			),
		);
	});

	test("tsv reads back what was written with tabs", async () => {
		const table = fc
			.integer({ min: 1, max: 4 })
			.chain((width) => fc.array(fc.array(value, { minLength: width, maxLength: width }), { maxLength: 6 }));
		await fc.assert(
			fc.asyncProperty(table, async (rows) => {
				const text = renderCsv(rows, "\t", "\n");
				assert.deepEqual(await runForOutput(...runParse("tsv", text, { header: false })), rows);
			}),
		);
	});

	test("tsv has the rules of csv", async () => {
		assert.deepEqual(await runForOutput(...runParse("tsv", 'a\tb,c\n1\t"2\t\n3"')), [
			{ a: "1", "b,c": "2\t\n3" },
		]);
		assert.equal(
			await runForError(...runParse("tsv", "a\tb\n1 2")),
			"not TSV, line 2: 1 value where line 1 has 2; is a tab between the values?",
		);
		assert.match(
			await runForError(...runParse("tsv", "a\ta\n")),
			/^not TSV, line 1: two columns are named a/,
		);
		assert.match(await runForError(...runParse("tsv", 'a\n"x')), /^not TSV, line 2: an opening quote/);
	});

	test("returns objects keyed by the first row; __proto__ is an ordinary name", async () => {
		const output = await runForOutput(...runParse("csv", "\uFEFF__proto__,b\n1,2\n\n3,4"));
		assert.equal(JSON.stringify(output), '[{"__proto__":"1","b":"2"},{"__proto__":"3","b":"4"}]');
	});

	test("returns an empty list for empty text or only a header", async () => {
		assert.deepEqual(await runForOutput(...runParse("csv", "")), []);
		assert.deepEqual(await runForOutput(...runParse("csv", "a,b\r\n")), []);
	});

	const faults: [text: string, error: RegExp][] = [
		['a,b\n"x\ny",1\n2', /^not CSV, line 4: 1 value where line 1 has 2/],
		['a\n"x\ny', /^not CSV, line 2: an opening quote is never closed/],
		['a\n"x"y', /^not CSV, line 2: unexpected text after a closing quote/],
		['a\nx"y"', /^not CSV, line 2: a quote inside a value/],
		["a,a\n1,2", /^not CSV, line 1: two columns are named a/],
		["a,\n1,2", /^not CSV, line 1: column 2 has no name/],
	];
	for (const [text, error] of faults) {
		test(`reports the problem and the line of ${JSON.stringify(text)}`, async () => {
			assert.match(await runForError(...runParse("csv", text)), error);
		});
	}

	test("fails before long names in many rows fill the memory", async () => {
		const text = `${"n".repeat(10_000)}\n${"1\n".repeat(20_000)}`;
		assert.match(
			await runForError(...runParse("csv", text)),
			/would be larger than 16 MiB as JSON; read fewer rows/,
		);
	});
});

describe("parse xml", () => {
	test("reads a feed", async () => {
		const text = `<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand -->
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <channel>
    <title>News &#38; views</title>
    <item><title>One</title><dc:date>2026-01-02</dc:date><empty/></item>
    <item><title><![CDATA[<Two> & more]]></title></item>
  </channel>
</rss>`;
		assert.deepEqual(await runForOutput(...runParse("xml", text)), {
			rss: {
				"@version": "2.0",
				"@xmlns:dc": "http://purl.org/dc/elements/1.1/",
				channel: {
					title: "News & views",
					item: [{ title: "One", "dc:date": "2026-01-02", empty: "" }, { title: "<Two> & more" }],
				},
			},
		});
	});

	test("keeps the white space of text, and joins text around children", async () => {
		assert.deepEqual(await runForOutput(...runParse("xml", "<a> x\r\n </a>")), { a: " x\n " });
		assert.deepEqual(await runForOutput(...runParse("xml", "<a> x <b/> y\n</a>")), {
			a: { b: "", "#text": "x  y" },
		});
	});

	test("keeps __proto__ as data", async () => {
		const output = await runForOutput(
			...runParse("xml", "<__proto__ __proto__='1'><__proto__>2</__proto__></__proto__>"),
		);
		assert.equal(JSON.stringify(output), '{"__proto__":{"@__proto__":"1","__proto__":"2"}}');
	});

	test("reads back any text and attributes", async () => {
		const allowed = fc
			.string({ unit: "grapheme" })
			.map((text) => text.replace(/[^\t\n\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, ""));
		const escapeXml = (text: string) =>
			text.replace(/[&<>"'\t\n]/g, (character) => `&#${character.charCodeAt(0)};`);
		await fc.assert(
			fc.asyncProperty(allowed, allowed, async (text, attribute) => {
				const output = await runForOutput(
					...runParse("xml", `<a b="${escapeXml(attribute)}">${escapeXml(text)}</a>`),
				);
				assert.deepEqual(output, { a: { "@b": attribute, ...(text === "" ? {} : { "#text": text }) } });
			}),
		);
	});

	const faults: [text: string, error: RegExp][] = [
		["", /there is no element/],
		['<!DOCTYPE a [<!ENTITY b "bb">]><a>&b;</a>', /document type .* is not supported/],
		["<a>&b;</a>", /& must begin &amp;/],
		["<a>&#0;</a>", /& must begin/],
		["<a>&#xD800;</a>", /& must begin/],
		["<a>\u0001</a>", /a character that XML does not allow/],
		["<a></b>", /line 1, column 4: <\/b> where <\/a> is expected/],
		["<a>\n<b></a>", /line 2, column 4: <\/a> where <\/b> is expected/],
		["<a><b></b>", /line 1, column 1: <a> is never closed/],
		["<a/><b/>", /only one root element/],
		["<a/>x", /text outside/],
		["x<a/>", /text outside/],
		["</a>", /closes nothing/],
		["<a b='1' b='2'/>", /attribute b is set twice/],
		["<a b=1/>", /must be in quotes/],
		["<a b/>", /expected = after/],
		["<a b='1'c='2'/>", /expected a space/],
		["<a b='<'/>", /write &lt;/],
		["<a b='1", /never closed/],
		["<a>]]></a>", /write \]\]&gt;/],
		["<a><!-- -- --></a>", /-- is not allowed in a comment/],
		["<a><!-- </a>", /<!-- is never closed/],
		["<1a/>", /expected a name/],
		[" <?xml version='1.0'?><a/>", /not at the very beginning/],
		["<?xml version='1.0\"?><a/>", /<\?xml …\?> is wrong/],
		[`${"<a>".repeat(65)}${"</a>".repeat(65)}`, /elements nest deeper than 64 levels/],
		[`${"<a><a/>".repeat(40)}${"</a>".repeat(40)}`, /as JSON it nests deeper than 64 levels/],
	];
	for (const [text, error] of faults) {
		test(`refuses ${JSON.stringify(text.slice(0, 50))}`, async () => {
			assert.match(await runForError(...runParse("xml", text)), error);
		});
	}
});

describe("parse html", () => {
	const parsePage = async (html: string) =>
		(await runForOutput(...runParse("html", html))) as {
			title: string;
			text: string;
			links: { href: string; text: string }[];
			headings: { level: number; text: string }[];
			tables: string[][][];
		};

	test("omits invisible content", async () => {
		const { text, title } = await parsePage(
			"<head><title>A &lt;b&gt;</title><style>p{}</style></head><script>if (a<b) '</p>'</SCRIPT ><!-- no --><template><p>no</template><p>yes<noscript>no</noscript><title>not this one</title>",
		);
		assert.deepEqual({ text, title }, { text: "yes", title: "A <b>" });
	});

	test("puts each block on its own line and collapses white space", async () => {
		const { text } = await parsePage(
			"<div>One  <b>two</b>\n<i>three</i></div><p>four<br>five</p>six&nbsp;seven<ul><li>a<li>b</ul>",
		);
		assert.equal(text, "One two three\nfour\nfive\nsix seven\na\nb");
	});

	test("finds links in every attribute syntax", async () => {
		const { links } = await parsePage(
			`<a href=/a>one</a><A CLASS=x HREF = "/b?c=1&amp;d=2" href=/no>two <b>bold</b></A><a name=n>no</a><a href='/c'>three<a href="">four`,
		);
		assert.deepEqual(links, [
			{ href: "/a", text: "one" },
			{ href: "/b?c=1&d=2", text: "two bold" },
			{ href: "/c", text: "three" },
			{ href: "", text: "four" },
		]);
	});

	test("finds headings and tables, including nested tables", async () => {
		const { headings, tables } = await parsePage(
			"<h1>Top</h1><h2><a href=x>Sub</a> part</h2><h3> </h3><table><tr><th>A<th>B</tr><tr><td>1<td><table><td>in</table></td></table>",
		);
		assert.deepEqual(headings, [
			{ level: 1, text: "Top" },
			{ level: 2, text: "Sub part" },
		]);
		assert.deepEqual(tables, [
			[
				["A", "B"],
				["1", ""],
			],
			[["in"]],
		]);
	});

	test("reads invalid tags as text, and decodes common character references", async () => {
		const { text } = await parsePage(
			"1 < 2 &amp; 3 > 2 &copy; &#8364;&#x20AC;&#128; &unknown; &Auml; &#0; &",
		);
		assert.equal(text, "1 < 2 & 3 > 2 © €€€ &unknown; Ä \ufffd &");
	});

	test("ignores the case of tags", async () => {
		const html = "<P>one<TABLE><TR><TD>two</TD></TR></TABLE><H2>three</H2></P>";
		assert.deepEqual(await parsePage(html), await parsePage(html.toLowerCase()));
	});
});
