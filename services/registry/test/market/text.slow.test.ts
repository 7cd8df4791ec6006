import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseCsv } from "@tripline/components/parse/csv";
import { parseXml } from "@tripline/components/parse/xml";
import type { Json } from "@tripline/contract/json";
import { MAX_NODE_UNITS, Meter } from "@tripline/engine/meter";
import fc from "fast-check";
import { runComponent } from "./run-component.ts";

const RUNS = { numRuns: 60 };
/** Any text that is valid in a body. */
const anyText = fc.string({ unit: "grapheme", maxLength: 40 });
const hardText = fc
	.array(fc.constantFrom('"', ",", ";", "\n", "\r\n", " ", "a", "=", "é", "\u{1F375}", "\uFEFF", "|"), {
		maxLength: 8,
	})
	.map((parts) => parts.join(""));

describe("csv_write", () => {
	test("writes text that parse reads back", async () => {
		const rows = fc
			.integer({ min: 1, max: 4 })
			.chain((width) =>
				fc.array(fc.array(hardText, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
			);
		await fc.assert(
			fc.asyncProperty(rows, fc.constantFrom(",", ";", "|"), async (given, delimiter) => {
				const csv = await runComponent("csv_write", { rows: given, delimiter });
				assert.deepEqual(
					parseCsv(csv as string, { delimiter, header: false }, new Meter(MAX_NODE_UNITS)),
					given,
				);
			}),
			RUNS,
		);
	});

	test("accepts column names that are special in JavaScript", async () => {
		const rows = JSON.parse('[{"__proto__": "x", "constructor": "y"}, {}]') as Json[];
		assert.equal(await runComponent("csv_write", { rows }), "__proto__,constructor\r\nx,y\r\n,\r\n");
	});
});

describe("text_diff", () => {
	const line = fc.constantFrom("a", "b", "c", "", "é\u{1F375}", "\r");
	const text = fc
		.tuple(fc.array(line, { maxLength: 25 }), fc.boolean())
		.map(([lines, ends]) => lines.join("\n") + (ends ? "\n" : ""));

	test("gives a diff that turns the old text into the new one", async () => {
		await fc.assert(
			fc.asyncProperty(text, text, fc.nat(4), async (before, after, context) => {
				const output = await runComponent("text_diff", { before, after, context });
				const { diff, added, removed, changed } = output as Difference;
				assert.equal(applyDiff(before, diff), after);
				assert.equal(changed, before !== after);
				assert.equal(added - removed, splitLines(after).length - splitLines(before).length);
			}),
			{ numRuns: 150 },
		);
	});

	test("finds the fewest changes", async () => {
		const before = Array.from({ length: 300 }, (_, index) => `line ${index}\n`);
		const after = before.filter((_, index) => index % 50 !== 7).toSpliced(100, 0, "new\n");
		const output = await runComponent("text_diff", { before: before.join(""), after: after.join("") });
		const { added, removed } = output as Difference;
		assert.deepEqual({ added, removed }, { added: 1, removed: 6 });
	});

	test("shows texts that have nothing in common as one block", async () => {
		const lines = (word: string) =>
			Array.from({ length: 2_000 }, (_, index) => `${word} ${index}\n`).join("");
		const [before, after] = [lines("old"), lines("new")];
		const { diff, added, removed } = (await runComponent("text_diff", { before, after })) as Difference;
		assert.equal(applyDiff(before, diff), after);
		assert.deepEqual({ added, removed }, { added: 2_000, removed: 2_000 });
	});
});

type Difference = { changed: boolean; added: number; removed: number; diff: string };

const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Applies a unified diff strictly: every context line and every number must be right. */
function applyDiff(before: string, diff: string): string {
	const old = splitLines(before);
	const made: string[] = [];
	let at = 0;
	const lines: string[] = [];
	for (const line of splitLines(diff).slice(2)) {
		lines.push(line.startsWith("\\") ? (lines.pop() as string).slice(0, -1) : line);
	}
	for (const line of lines) {
		const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n$/.exec(line);
		if (hunk !== null) {
			const start = Number(hunk[1]) - (hunk[2] === "0" ? 0 : 1);
			made.push(...old.slice(at, start));
			at = start;
			assert.equal(made.length, Number(hunk[3]) - (hunk[4] === "0" ? 0 : 1));
			continue;
		}
		if (line[0] !== "+") assert.equal(line.slice(1), old[at++]);
		if (line[0] !== "-") made.push(line.slice(1));
	}
	return [...made, ...old.slice(at)].join("");
}

describe("chunk_text", () => {
	const text = fc
		.array(fc.constantFrom("word ", "Sentence. ", "\n\n", "\n", "日本語。", "\u{1F375}", "unbroken"), {
			maxLength: 60,
		})
		.map((parts) => parts.join(""));

	test("gives chunks within the limit that join to the text if nothing overlaps", async () => {
		await fc.assert(
			fc.asyncProperty(text, fc.integer({ min: 20, max: 60 }), async (given, most) => {
				const chunks = await runChunks({ text: given, max_characters: most, overlap: 0 });
				assert.equal(chunks.join(""), given);
				assert.ok(chunks.every((chunk) => chunk.length <= most && chunk.isWellFormed()));
			}),
			RUNS,
		);
	});

	test("starts each chunk with the end of the previous one, and never splits a character", async () => {
		await fc.assert(
			fc.asyncProperty(text, fc.integer({ min: 1, max: 10 }), async (given, overlap) => {
				const chunks = await runChunks({ text: given, max_characters: 20, overlap });
				/** Where the chunks so far may end: a text that repeats itself has several such places. */
				let ends = new Set([0]);
				for (const chunk of chunks) {
					assert.ok(chunk.isWellFormed());
					const next = new Set<number>();
					for (const end of ends)
						for (let start = Math.max(end - overlap, 0); start <= end; start++)
							if (given.startsWith(chunk, start)) next.add(start + chunk.length);
					ends = next;
				}
				assert.ok(ends.has(given.length));
			}),
			{ ...RUNS, examples: [["word 日本語。word word word ", 10]] },
		);
	});

	const runChunks = async (params: { text: string; max_characters: number; overlap: number }) =>
		((await runComponent("chunk_text", params)) as { text: string }[]).map((chunk) => chunk.text);
});

describe("markdown_to_html", () => {
	test("gives only its own tags, attributes and addresses for any text", async () => {
		const part = fc.constantFrom(
			..."<script> onerror= javascript: [x]( ) ![ ]( ** __ ` ``` ~~ > - 1. # | \\ & \" ' \u0001 0 \u0002 \u0000 https://a.example/ \n \n\n".split(
				" ",
			),
			" ",
			"\n",
		);
		const text = fc.array(part, { maxLength: 25 }).map((parts) => parts.join(""));
		await fc.assert(
			fc.asyncProperty(text, async (markdown) => {
				const html = (await runComponent("markdown_to_html", { markdown })) as string;
				const tags = html.match(/<[^>]*>?/g) ?? [];
				assert.deepEqual(
					tags.filter((tag) => !OWN_TAG.test(tag)),
					[],
				);
			}),
			{ numRuns: 200 },
		);
	});

	const OWN_TAG =
		/^<(?:\/?(?:p|h[1-6]|ul|ol|li|blockquote|pre|code|strong|em|del|table|thead|tbody|tr|th|td|a)|hr|br|a href="(?:https?:\/\/|mailto:)[^"<>\s]*"|img src="(?:https?:\/\/|mailto:)[^"<>\s]*" alt="[^"<>]*"|ol start="\d+"|code class="language-[\w+#.&;-]*"|t[hd] style="text-align: (?:right|center)")>$/;

	test("renders common Markdown", async () => {
		const cases: [string, string][] = [
			["a\\*b\\* 2*3*4", "<p>a*b* 2<em>3</em>4</p>"],
			["snake_case_name and _so_", "<p>snake_case_name and <em>so</em></p>"],
			["one  \ntwo\\\nthree", "<p>one<br>\ntwo<br>\nthree</p>"],
			["> quote\n> - item", "<blockquote>\n<p>quote</p>\n<ul>\n<li>item</li>\n</ul>\n</blockquote>"],
			["3. c\n4. d", '<ol start="3">\n<li>c</li>\n<li>d</li>\n</ol>'],
			["- a\n\n  b\n- c", "<ul>\n<li><p>a</p>\n<p>b</p></li>\n<li>c</li>\n</ul>"],
			["---", "<hr>"],
			["`a*b*`", "<p><code>a*b*</code></p>"],
			[
				"[![i](https://a.example/i.png)](https://a.example)",
				'<p><a href="https://a.example"><img src="https://a.example/i.png" alt="i"></a></p>',
			],
			["~~~\n<b>\n~~~\nafter", "<pre><code>&#60;b&#62;\n</code></pre>\n<p>after</p>"],
			["**bold _both_**", "<p><strong>bold <em>both</em></strong></p>"],
		];
		for (const [markdown, html] of cases) {
			assert.equal(await runComponent("markdown_to_html", { markdown }), html, markdown);
		}
	});
});

describe("slugify", () => {
	test("gives a slug that is its own slug", async () => {
		await fc.assert(
			fc.asyncProperty(anyText, fc.boolean(), async (text, ascii) => {
				const slug = await runComponent("slugify", { text: `x ${text}`, ascii });
				assert.equal(await runComponent("slugify", { text: slug, ascii }), slug);
				assert.match(slug as string, ascii ? /^[a-z0-9-]+$/ : /^[\p{L}\p{N}\p{M}-]+$/u);
			}),
			RUNS,
		);
	});
});

describe("json_from_text", () => {
	test("finds any value in any surrounding prose", async () => {
		const value = fc.oneof(
			fc.array(fc.jsonValue({ maxDepth: 2 })),
			fc.dictionary(anyText, fc.jsonValue({ maxDepth: 2 })),
		);
		await fc.assert(
			fc.asyncProperty(value, async (given) => {
				const text = `Sure, it's here:\n\n${JSON.stringify(given, null, 1)}\n\nIsn't it?`;
				const found = await runComponent("json_from_text", { text });
				assert.deepEqual(found, JSON.parse(JSON.stringify(given)));
			}),
			RUNS,
		);
	});

	test("does not return a part of invalid JSON", async () => {
		await assert.rejects(runComponent("json_from_text", { text: "{a: [1, 2]}" }), /no JSON object or list/);
		await assert.rejects(runComponent("json_from_text", { text: '{"a": [1, 2], "b": ' }), /cut off/);
	});
});

describe("feeds", () => {
	test("feed_write writes what parse and feed_read read", async () => {
		const item = fc.record({
			title: anyText.map((text) => `t ${text}`.replaceAll(/[<>&]/g, "").replaceAll(/\s+/g, " ").trim()),
			id: fc.uuid(),
			link: fc.constantFrom("https://a.example/1", null),
			published: fc.constantFrom("2026-03-01T09:00:00.000Z", null),
			summary: fc.constantFrom("a summary", "a < b & c"),
			categories: fc.array(fc.constantFrom("tea", "a & b"), { maxLength: 2 }),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 3 }), async (items) => {
				const head = { title: "Feed", link: "https://a.example", description: "About" };
				const xml = (await runComponent("feed_write", { ...head, items })) as string;
				const feed = (await runComponent("feed_read", {
					feed: parseXml(xml, new Meter(MAX_NODE_UNITS)),
				})) as {
					items: Json;
				};
				assert.deepEqual(
					feed.items,
					items.map((one) => ({ ...one, author: null })),
				);
			}),
			RUNS,
		);
	});

	test("feed_read reads RSS 1.0, where items are beside the channel", async () => {
		const feed = parseXml(
			'<rdf:RDF xmlns:rdf="r"><channel><title>Old</title></channel><item rdf:about="u:1"><title>One</title><dc:date>2026-03-01</dc:date></item></rdf:RDF>',
			new Meter(MAX_NODE_UNITS),
		);
		const read = (await runComponent("feed_read", { feed })) as {
			items: { id: string; published: string }[];
		};
		assert.deepEqual(
			read.items.map(({ id, published }) => [id, published]),
			[["u:1", "2026-03-01T00:00:00.000Z"]],
		);
	});
});

describe("table_text", () => {
	test("gives lines of equal width, even with wide characters", async () => {
		const rows = [
			{ a: "日本", b: 1 },
			{ a: "x", b: 22 },
			{ a: "a very long text that is cut", b: 333 },
		];
		const table = (await runComponent("table_text", { rows, max_width: 12 })) as string;
		const widths = table.split("\n").map((line) => line.replaceAll(/[日本]/g, "xx").length);
		assert.deepEqual(new Set(widths).size, 1);
	});
});

describe("redact_personal_data", () => {
	test("leaves dates, versions, amounts and short numbers alone", async () => {
		const text =
			"On 2026-03-01 10:15:00 and 01.03.2026, version 10.2.33, 1,234.56 EUR, room 12-34, id 123456789012.";
		assert.equal(((await runComponent("redact_personal_data", { text })) as { text: string }).text, text);
	});

	test("finds common notations of personal data", async () => {
		const text = "Tel. (030) 123 45 67, 0170-1234567 or +1 (555) 010-9999; mail: a.b+c@mail.example.co.uk.";
		const { found } = (await runComponent("redact_personal_data", { text })) as { found: Json };
		assert.deepEqual(found, { card: 0, iban: 0, email: 1, ip: 0, phone: 3 });
	});
});
