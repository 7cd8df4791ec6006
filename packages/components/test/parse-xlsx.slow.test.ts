import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { fail, read, sheet } from "./given-sheet.ts";
import { type GivenFile, parseGiven } from "./parse-given-file.ts";
import { runNode } from "./run-node.ts";
import { escapeXml } from "./xlsx-writer.ts";

const readFixture = (name: string): GivenFile => ({
	name,
	content: readFileSync(new URL(`./fixtures/${name}`, import.meta.url)),
});

describe("parse xlsx", () => {
	const nothing = { paid: null, price: null, day: null, at: null, time: null, took: null, error: null };

	test("reads a workbook that openpyxl wrote: types, dates, blank rows, merged cells", async () => {
		assert.deepEqual(await read(readFixture("orders.xlsx")), [
			{
				id: 1,
				name: 'Ada <& "Grace">',
				price: 12.5,
				paid: true,
				day: "2026-03-02",
				at: "2026-03-02T08:30:15",
				time: "08:30:00",
				took: "36:05:00",
				error: "#N/A",
			},
			{ ...nothing, id: 2, name: "two words", price: -1e-7, paid: false },
			{
				...nothing,
				id: 3,
				name: "  spaces\nand a line  ",
				day: "2026-03-02",
				at: "2026-03-02T18:00:00",
				K: "no name",
			},
			{ ...nothing, id: null, name: "merged", K: null },
		]);
	});

	test("reads a workbook that LibreOffice wrote: shared texts and results of formulas", async () => {
		const tea = { item: "tea", price: 2.5 };
		assert.deepEqual(await read(readFixture("calculated.xlsx")), [
			{ ...tea, count: 2, total: 5, label: "tea 2", more: false, day: "2026-01-02" },
			{ ...tea, count: 3, total: 7.5, label: "tea 3", more: true, day: "2026-01-03" },
			{ ...tea, count: 4, total: 10, label: "tea 4", more: true, day: "2026-01-04" },
			{ item: "sum", count: null, price: null, total: 22.5, label: null, more: "#DIV/0!", day: "2026-01-01" },
		]);
	});

	test("reads dates of the system that begins in 1904", async () => {
		assert.deepEqual(await read(readFixture("dates-1904.xlsx")), [{ day: "2026-03-02" }]);
	});

	test("chooses a sheet by its name or number", async () => {
		const two = [
			[null, null, "x", null, 0],
			[null, null, null, "日本"],
		];
		const given = readFixture("orders.xlsx");
		assert.deepEqual(await read(given, { sheet: "Zwei", header: false }), two);
		assert.deepEqual(await read(given, { sheet: 2, header: false }), two);
		const all = (await read(given, { sheet: "*", header: false })) as Record<string, Json>;
		assert.deepEqual(Object.keys(all), ["Orders & more", "Zwei"]);
		assert.deepEqual(all.Zwei, two);
		assert.equal(
			await fail(given, { sheet: "Drei" }),
			"there is no sheet Drei; the workbook has Orders & more, Zwei",
		);
		assert.match(await fail(given, { sheet: 3 }), /^there is no sheet 3; the workbook has/);
	});

	test("reads a range, and rows by offset and limit", async () => {
		const given = readFixture("calculated.xlsx");
		assert.deepEqual(await read(given, { range: "B1:C3" }), [
			{ count: 2, price: 2.5 },
			{ count: 3, price: 2.5 },
		]);
		assert.deepEqual(await read(given, { range: "b:$c", header: false, offset: 1, limit: 1 }), [[2, 2.5]]);
		assert.deepEqual(await read(given, { range: "B:C", offset: 2 }), [{ count: 4, price: 2.5 }]);
		assert.match(
			await fail(given, { range: "C1:B2" }),
			/range C1:B2 must go from a cell to one right of or below it/,
		);
		assert.match(await fail(given, { range: "B2" }), /must be like B2:D100/);
	});

	test("joins rich text without its pronunciation, and decodes what Office escapes", async () => {
		const strings = [
			"<r><t>a</t></r><r><rPr><b/></rPr><t xml:space='preserve'> b</t></r><rPh><t>no</t></rPh>",
			"<t>x_x0007_y_x00E9_</t>",
		];
		const data =
			'<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="inlineStr"><is><r><t>i</t></r><rPh><t>no</t></rPh><r><t>j</t></r></is></c><c t="str"><f>"q"</f><v>q</v></c></row>';
		assert.deepEqual(await read(sheet(data, { strings }), { header: false }), [
			["a b", "x\u0007yé", "ij", "q"],
		]);
	});

	const formats: readonly [code: string, number: number, expected: Json][] = [
		["General", 46083.5, 46083.5],
		["0.00", 46083.5, 46083.5],
		['"day" 0', 2, 2],
		["[Red]0", 2, 2],
		["#,##0\\d", 2, 2],
		["yyyy-mm-dd", 46083, "2026-03-02"],
		["yyyy-mm-dd", 46083.25, "2026-03-02T06:00:00"],
		["mmm", 46083, "2026-03-02"],
		["d/m/yy h:mm", 46083, "2026-03-02T00:00:00"],
		["h:mm:ss", 0.999988425925926, "23:59:59"],
		["h:mm:ss", 46083.5, "2026-03-02T12:00:00"],
		["mm:ss.000", 0.00000578703703703704, "00:00:00.500"],
		["[h]:mm", 1.5, "36:00:00"],
		["[h]:mm", -0.5, "-12:00:00"],
		["yyyy-mm-dd", 1, "1900-01-01"],
		["yyyy-mm-dd", 59, "1900-02-28"],
		["yyyy-mm-dd", 61, "1900-03-01"],
		["yyyy-mm-dd", 2958465, "9999-12-31"],
		["yyyy-mm-dd", 2958466, 2958466],
		["yyyy-mm-dd", -1, -1],
	];
	for (const [code, number, expected] of formats) {
		test(`${number} as ${code} is ${expected}`, async () => {
			const given = sheet(`<row><c s="0"><v>${number}</v></c></row>`, { formats: [code] });
			assert.deepEqual(await read(given, { header: false }), [[expected]]);
		});
	}

	test("any workbook is read as it was written, in pieces of any size", async () => {
		const text = fc.string({
			unit: fc.constantFrom(..."ab<>&\"' \t\n\r_xé日😀]"),
			minLength: 1,
			maxLength: 8,
		});
		const cell = fc.oneof(
			fc.constant(null),
			text,
			fc.boolean(),
			fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
		);
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.array(cell, { maxLength: 30 }), { maxLength: 12 }),
				fc.integer({ min: 1, max: 400 }),
				fc.boolean(),
				fc.boolean(),
				async (rows, pieceBytes, isShared, hasReferences) => {
					const strings: string[] = [];
					const data = rows.map((cells, row) => {
						const written = cells.map((value, column) => {
							const reference = hasReferences ? ` r="${writeColumn(column)}${row * 3 + 1}"` : "";
							if (value === null) return hasReferences ? "" : "<c/>";
							if (typeof value === "boolean") return `<c${reference} t="b"><v>${Number(value)}</v></c>`;
							if (typeof value === "number") return `<c${reference}><v>${value}</v></c>`;
							if (!isShared) return `<c${reference} t="inlineStr"><is><t>${escapeXml(value)}</t></is></c>`;
							strings.push(`<t>${escapeXml(value)}</t>`);
							return `<c${reference} t="s"><v>${strings.length - 1}</v></c>`;
						});
						return hasReferences
							? `<row r="${row * 3 + 1}">${written.join("")}</row>`
							: `<row>${written.join("")}</row>`;
					});
					const expected = rows
						.map((cells) => cells.slice(0, cells.findLastIndex((value) => value !== null) + 1))
						.filter(({ length }) => length > 0);
					const given = { ...sheet(data.join("\n"), { strings }), pieceBytes };
					assert.deepEqual(await read(given, { header: false }), expected);
				},
			),
			{ numRuns: 100 },
		);
	});
});

const writeColumn = (column: number): string =>
	column < 26 ? String.fromCharCode(65 + column) : `A${String.fromCharCode(65 + column - 26)}`;

describe("a workbook that is damaged or hostile", () => {
	test("far cells cost their own place, and rows between them nothing", async () => {
		const far = sheet('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>');
		const [row] = (await read(far, { header: false })) as Json[][];
		assert.equal(row?.length, 16_384);
		assert.deepEqual(await read(far, { range: "XFD1048576:XFD1048576", header: false }), [[1]]);
		const many = Array.from({ length: 1000 }, (_, at) => `<row r="${at + 1}"><c r="XFD1"><v>1</v></c></row>`);
		assert.match(
			await fail(sheet(many.join("")), { header: false }),
			/the output would be larger than 16 MiB as JSON/,
		);
	});

	for (const reference of ["XFE1", "ZZZZZZ1", "1", "é1"]) {
		test(`the reference ${reference} is refused`, async () => {
			assert.match(
				await fail(sheet(`<row><c r="${reference}"><v>1</v></c></row>`)),
				/has a cell with the reference/,
			);
		});
	}
	for (const row of ["1048577", "0", "-1", "1e9", "x"]) {
		test(`the row ${row} is refused`, async () => {
			assert.match(await fail(sheet(`<row r="${row}"/>`)), /has a row with the number/);
		});
	}

	const evil: readonly [name: string, given: GivenFile, error: RegExp][] = [
		[
			"document types",
			sheet("", {
				more: [{ path: "xl/workbook.xml", content: '<!DOCTYPE a [<!ENTITY b "c">]><workbook/>' }],
			}),
			/a document type \(<!DOCTYPE>\) is not supported/,
		],
		["entities", sheet('<row><c t="str"><v>&b;</v></c></row>'), /uses an entity that is not supported/],
		["elements that are not closed", sheet("<row><c><v>1</v></row>"), /elements are not nested properly/],
		["deep elements", sheet("<a>".repeat(300)), /elements nest deeper than 256 levels/],
		["a long tag", sheet(`<row ${"x".repeat(1_100_000)}>`), /a tag or text is too long/],
		[
			"a missing text",
			sheet('<row><c t="s"><v>7</v></c></row>'),
			/a cell refers to a text that the workbook does not have/,
		],
		[
			"a missing sheet",
			sheet("", {
				more: [
					{
						path: "xl/_rels/workbook.xml.rels",
						content:
							'<Relationships><Relationship Id="rId0" Type="x/worksheet" Target="gone.xml"/></Relationships>',
					},
				],
			}),
			/refers to xl\/gone\.xml, which is missing/,
		],
		[
			"an external sheet",
			sheet("", {
				more: [
					{
						path: "xl/_rels/workbook.xml.rels",
						content:
							'<Relationships><Relationship Id="rId0" Type="x/worksheet" TargetMode="External" Target="https://example.com/a.xml"/></Relationships>',
					},
				],
			}),
			/there is no sheet 1; the workbook has none/,
		],
		[
			"a zip archive of something else",
			{ name: "a.xlsx", content: readFixture("reports.zip").content },
			/is a zip archive, but not one of Office/,
		],
		["a sheet that explodes", sheet(`<row/>${" ".repeat(30_000_000)}`), /more than 250 times as large/],
		[
			"two equal names",
			sheet('<row><c t="str"><v>a</v></c><c t="str"><v>a</v></c></row>'),
			/two columns of the sheet are named a, one of them is B/,
		],
		[
			"no archive",
			{ name: "a.xlsx", content: "a,b\n1,2" },
			/not a readable zip archive: it has no directory/,
		],
		[
			"a password",
			{ name: "a.xlsx", content: new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]) },
			/has a password or the old Office format/,
		],
	];
	for (const [name, given, error] of evil) {
		test(`${name}: refused`, async () => assert.match(await fail({ pieceBytes: 65_536, ...given }), error));
	}

	test("a text that is long and used often does not fill the memory", async () => {
		const data = '<row><c t="s"><v>0</v></c></row>'.repeat(2000);
		assert.match(
			await fail(
				{ ...sheet(data, { strings: [`<t>${"x".repeat(20_000)}</t>`] }), pieceBytes: 65_536 },
				{ header: false },
			),
			/would be larger than 16 MiB as JSON/,
		);
	});

	test("a column may be named __proto__", async () => {
		const given = sheet('<row><c t="str"><v>__proto__</v></c></row><row><c><v>1</v></c></row>');
		assert.equal(JSON.stringify(await read(given)), '[{"__proto__":1}]');
	});

	test("a changed workbook gives a value or a clear error", async () => {
		const whole = readFixture("calculated.xlsx").content as Buffer;
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
				async (changes) => {
					const content = Buffer.from(whole);
					for (const [at, byte] of changes) content[at] = byte;
					const outcome = await runNode(...parseGiven({ name: "a.xlsx", content, pieceBytes: 4096 }));
					if ("error" in outcome)
						assert.match(outcome.error, /archive|workbook|sheet|in the file|cell|password/);
				},
			),
			{ numRuns: 200 },
		);
	});
});
