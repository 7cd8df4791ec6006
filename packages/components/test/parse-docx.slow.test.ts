import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import fc from "fast-check";
import { writeDocx } from "./docx-writer.ts";
import { type GivenFile, parseGiven } from "./parse-given-file.ts";
import { runForError, runForOutput, runNode } from "./run-node.ts";

const readFixture = (name: string): GivenFile => ({
	name,
	content: readFileSync(new URL(`./fixtures/${name}`, import.meta.url)),
});
const body = (xml: string): GivenFile => ({ name: "a.docx", content: writeDocx(xml), pieceBytes: 65_536 });
const readText = async (given: GivenFile): Promise<string> =>
	((await runForOutput(...parseGiven(given))) as { text: string }).text;
const write = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

describe("parse docx", () => {
	test("converts a document that python-docx wrote to Markdown", async () => {
		assert.deepEqual(await runForOutput(...parseGiven(readFixture("report.docx"))), {
			title: "Tea & cups",
			text: `# Report

# First part

Plain, **bold** and *italic* words with \\*stars\\* and snake_case. [A link](<https://example.com/a_(b)>).  
Next line

- one
- deeper
- two
1. first
2. second

## Second part

| item | price \\| tax |
| --- | --- |
| tea | 3 € |

Kept inserted

1\\. not a list [image]`,
		});
	});

	test("converts a document that LibreOffice wrote: nested lists, wide cells, footnotes", async () => {
		assert.deepEqual(await runForOutput(...parseGiven(readFixture("page.docx"))), {
			title: "Page",
			text: `# Grüße

A **bold** and *italic* word, [linked](https://example.com/).

1. one
    - inner
2. two

| a | b |
| --- | --- |
| wide |  |

Note[^2]

[^2]: The footnote`,
		});
	});

	const cases: readonly [name: string, xml: string, markdown: string][] = [
		[
			"joins runs of the same look",
			"<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>a</w:t></w:r><w:r><w:rPr><w:b w:val='1'/></w:rPr><w:t xml:space='preserve'> b </w:t></w:r><w:r><w:rPr><w:b w:val='0'/></w:rPr><w:t>c</w:t></w:r></w:p>",
			"**a b** c",
		],
		[
			"keeps text that was moved here and drops what was moved away",
			"<w:p><w:moveFrom><w:r><w:t>old</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t>new</w:t></w:r></w:moveTo></w:p>",
			"new",
		],
		[
			"drops deleted and hidden text",
			"<w:p><w:del><w:r><w:t>x</w:t><w:del><w:r/></w:del></w:r></w:del><w:r><w:rPr><w:vanish/></w:rPr><w:t>y</w:t></w:r><w:r><w:t>z</w:t></w:r></w:p>",
			"z",
		],
		[
			"reads a text box once",
			"<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent><w:t>after</w:t></w:r></w:p>",
			"box\n\nafter",
		],
		[
			"reads codes of fields as nothing",
			"<w:p><w:r><w:instrText>HYPERLINK x</w:instrText></w:r><w:r><w:t>shown</w:t></w:r></w:p>",
			"shown",
		],
		[
			"ignores tabs that are settings",
			"<w:p><w:pPr><w:tabs><w:tab w:val='left'/></w:tabs></w:pPr><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t></w:r></w:p>",
			"a b",
		],
		[
			"describes images",
			"<w:p><w:r><w:drawing><wp:docPr id='1' name='Picture 1' descr='A [red] cup'/></w:drawing></w:r></w:p>",
			"[image: A red cup]",
		],
		[
			"escapes what Markdown would read",
			`${write("# a")}${write("- b")}${write("&gt; c")}${write("1) d")}${write("_e_ f_g")}${write("&lt;b&gt; &lt; c")}`,
			"\\# a\n\n\\- b\n\n\\> c\n\n1\\) d\n\n\\_e\\_ f_g\n\n\\<b> < c",
		],
		[
			"puts tables in cells on one line",
			"<w:tbl><w:tr><w:tc><w:tbl><w:tr><w:tc><w:p><w:r><w:t>in</w:t></w:r></w:p></w:tc></w:tr></w:tbl><w:p><w:r><w:t>out</w:t><w:br/><w:t>er</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
			"| \\| in \\| \\| --- \\|<br>out<br>er |\n| --- |",
		],
		[
			"leaves cells that continue the one above empty",
			"<w:tbl><w:tr><w:tc><w:tcPr><w:vMerge w:val='restart'/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
			"| a |\n| --- |\n|  |",
		],
		["has nothing of an empty document", "<w:p/>", ""],
	];
	for (const [name, xml, markdown] of cases) {
		test(name, async () => assert.equal(await readText(body(xml)), markdown));
	}

	test("keeps only links that lead to pages, mail or places in the document", async () => {
		const link = (id: number) => `<w:hyperlink r:id="${id}"><w:r><w:t>l${id}</w:t></w:r></w:hyperlink>`;
		const targets = [
			"https://example.com/?a=1&amp;b=2",
			"javascript:alert(1)",
			"file:///etc/passwd",
			"mailto:a@example.com",
		];
		const relations = targets.map(
			(target, id) =>
				`<Relationship Id="${id}" Type="x/hyperlink" TargetMode="External" Target="${target}"/>`,
		);
		const content = writeDocx(
			`<w:p>${targets.map((_, id) => link(id)).join("")}<w:hyperlink w:anchor="top"><w:r><w:t>up</w:t></w:r></w:hyperlink></w:p>`,
			[
				{
					path: "word/_rels/document.xml.rels",
					content: `<Relationships>${relations.join("")}</Relationships>`,
				},
			],
		);
		assert.equal(
			await readText({ name: "a.docx", content }),
			"[l0](https://example.com/?a=1&b=2)l1l2[l3](mailto:a@example.com)[up](#top)",
		);
	});

	test("pieces of any size give the same text", async () => {
		for (const [name, sizes] of [
			["page.docx", [1, 2]],
			["report.docx", [7, 100, 65_536]],
		] as const) {
			const whole = await readText(readFixture(name));
			for (const pieceBytes of sizes)
				assert.equal(await readText({ ...readFixture(name), pieceBytes }), whole, `${name} ${pieceBytes}`);
		}
	});
});

describe("a document that is damaged or hostile", () => {
	const evil: readonly [name: string, given: GivenFile, error: RegExp][] = [
		[
			"document types",
			{
				name: "a.docx",
				content: writeDocx("", [{ path: "word/_rels/document.xml.rels", content: "<!DOCTYPE a><a/>" }]),
			},
			/a document type \(<!DOCTYPE>\) is not supported/,
		],
		["entities", body("<w:p><w:r><w:t>&x;</w:t></w:r></w:p>"), /uses an entity that is not supported/],
		["deep tables", body("<w:tbl><w:tr><w:tc>".repeat(100)), /nest deeper than 256 levels/],
		["a document that is cut off", body("<w:p>"), /elements are not nested properly/],
		["a document that explodes", body(write(" ".repeat(30_000_000))), /more than 250 times as large/],
		["no document", readFixture("reports.zip"), /is a zip archive, but not one of Office/],
	];
	for (const [name, given, error] of evil) {
		test(`${name}: refused`, async () =>
			assert.match(await runForError(...parseGiven({ ...given, name: "a.docx" })), error));
	}

	test("styles that are based on each other do not loop", async () => {
		const styles =
			"<w:styles><w:style w:styleId='a'><w:basedOn w:val='b'/></w:style><w:style w:styleId='b'><w:basedOn w:val='a'/></w:style></w:styles>";
		const content = writeDocx("<w:p><w:pPr><w:pStyle w:val='a'/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>", [
			{
				path: "word/_rels/document.xml.rels",
				content: '<Relationships><Relationship Id="s" Type="x/styles" Target="styles.xml"/></Relationships>',
			},
			{ path: "word/styles.xml", content: styles },
		]);
		assert.equal(await readText({ name: "a.docx", content }), "x");
	});

	test("spaces and line breaks take linear time", async () => {
		const spaces = Array.from({ length: 100_000 }, (_, at) => " ".repeat(1 + (at % 7))).join("\t");
		const started = process.threadCpuUsage();
		await readText(body(write(`a${spaces}b`)));
		await readText(body(`<w:p><w:r><w:t>a</w:t>${"<w:br/>".repeat(100_000)}<w:t>b</w:t></w:r></w:p>`));
		assert.ok(process.threadCpuUsage(started).user < 5_000_000);
	});

	test("a cell that is a million columns wide does not fill the memory", async () => {
		const cell =
			"<w:tc><w:tcPr><w:gridSpan w:val='1000000'/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>";
		assert.ok((await readText(body(`<w:tbl><w:tr>${cell}</w:tr></w:tbl>`))).length < 5000);
	});

	test("a changed document gives a value or a clear error", async () => {
		const whole = readFixture("page.docx").content as Buffer;
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
				async (changes) => {
					const content = Buffer.from(whole);
					for (const [at, byte] of changes) content[at] = byte;
					const outcome = await runNode(...parseGiven({ name: "a.docx", content, pieceBytes: 4096 }));
					if ("error" in outcome) assert.match(outcome.error, /archive|document|in the file|password/);
				},
			),
			{ numRuns: 200 },
		);
	});
});
