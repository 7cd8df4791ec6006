import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { anyCharacter } from "../../../../test/any-character.ts";
import { failToMake, makeFile } from "./make.ts";
import { type ReadCell, readXlsx } from "./read-xlsx.ts";

const [PLAIN, HEADER, DATE, DATETIME, TEXT, QUOTED] = [0, 1, 2, 3, 4, 5];

async function makeSheet(params: { [name: string]: Json }) {
	const [sheet] = await readXlsx((await makeFile({ name: "a.xlsx", ...params })).bytes);
	assert.ok(sheet !== undefined);
	return sheet;
}

const makeRows = async (params: { [name: string]: Json }) =>
	(await makeSheet(params)).rows.map((row) => row.map((cell) => cell?.value ?? null));

/** The cell of a value alone in a sheet, with the type of its column. */
async function makeCell(
	value: Json,
	type?: string,
	more: { [name: string]: Json } = {},
): Promise<ReadCell | null> {
	const columns = [{ field: 0, ...(type !== undefined && { type }) }];
	return (await makeSheet({ rows: [[value]], columns, ...more })).rows[0]?.[0] ?? null;
}

const dropTrailing = (row: readonly Json[]) => row.slice(0, row.findLastIndex((value) => value !== null) + 1);

describe("make_file xlsx", () => {
	test("any values are read back with their types", async () => {
		const text = fc.oneof(
			fc.string({ unit: anyCharacter }),
			fc.constantFrom(
				"=1+1",
				"_x0041_",
				"__x0041__",
				"_x005F_",
				"\u0000\u001f",
				" a ",
				"\t",
				"<&>\"'",
				"]]>",
				"\ufffe\uffff",
			),
		);
		const value = fc.oneof(
			text,
			fc.double({ noNaN: true, noDefaultInfinity: true }),
			fc.boolean(),
			fc.constant(null),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(fc.array(value, { maxLength: 30 }), { maxLength: 5 }), async (rows) => {
				const wanted = rows.map((row) =>
					dropTrailing(
						row.map((cell) => {
							if (typeof cell === "number") return cell + 0;
							return typeof cell === "string" ? cell.replace(/\r\n?/g, "\n") || null : cell;
						}),
					),
				);
				assert.deepEqual(await makeRows({ rows }), wanted);
			}),
		);
	});

	test("text is never a formula, also after its cell was edited", async () => {
		for (const value of ["=1+1", "+1", "-1", "@a"])
			assert.deepEqual(await makeCell(value), { value, style: QUOTED });
		assert.deepEqual(await makeCell("a=1"), { value: "a=1", style: PLAIN });
		assert.deepEqual(await makeCell("=1", "text"), { value: "=1", style: TEXT });
		assert.deepEqual(await makeCell(-1), { value: -1, style: PLAIN });
	});

	test("half a character is replaced, and line breaks are LF", async () => {
		assert.equal((await makeCell("a\uD800b"))?.value, "a\uFFFDb");
		assert.equal((await makeCell("a\r\nb\rc"))?.value, "a\nb\nc");
	});

	test("has a bold row of names that stays in view, and widths by the content", async () => {
		const sheet = await makeSheet({ rows: [{ id: 1, note: "x".repeat(20), 日本語日本: null }] });
		assert.deepEqual(
			sheet.rows[0]?.map((cell) => [cell?.value, cell?.style]),
			[
				["id", HEADER],
				["note", HEADER],
				["日本語日本", HEADER],
			],
		);
		assert.match(sheet.xml, /<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"\/>/);
		const widths = Array.from(sheet.xml.matchAll(/ width="(\d+)"/g), ([, width]) => Number(width));
		assert.deepEqual(widths, [8, 22, 12]);
		const without = await makeSheet({ rows: [[1]], columns: [{ width: 30 }] });
		assert.doesNotMatch(without.xml, /pane/);
		assert.match(without.xml, / width="30"/);
	});

	const dates: [value: Json, type: string, serial: number][] = [
		["2026-03-29", "date", 46110],
		["1900-01-01", "date", 1],
		["1900-02-28", "date", 59],
		["1900-03-01", "date", 61],
		["9999-12-31", "date", 2958465],
		["2026-03-29T23:30:00Z", "date", 46110],
		["2026-03-29T12:00:00", "datetime", 46110.5],
		["2026-03-29T12:00:00Z", "datetime", 46110.5],
		["2026-03-29T06:00:00-06:00", "datetime", 46110.5],
		[1774785600, "datetime", 46110.5],
	];
	for (const [value, type, serial] of dates) {
		test(`${JSON.stringify(value)} as ${type} is day ${serial}`, async () => {
			const style = type === "date" ? DATE : DATETIME;
			assert.deepEqual(await makeCell(value, type), { value: serial, style });
		});
	}

	test("shows times with an offset in the zone, others as they are", async () => {
		const timezone = "Asia/Tokyo";
		assert.equal((await makeCell("2026-03-29T12:00:00Z", "datetime", { timezone }))?.value, 46110.875);
		assert.equal((await makeCell("2026-03-29T18:00:00Z", "date", { timezone }))?.value, 46111);
		assert.equal((await makeCell("2026-03-29T12:00:00", "datetime", { timezone }))?.value, 46110.5);
		assert.match(await failToMake({ name: "a.xlsx", rows: [], timezone: "Mars" }), /must be a time zone/);
	});

	const conversions: [value: Json, type: string, converted: Json][] = [
		["12.50", "number", 12.5],
		[" -1e3 ", "number", -1000],
		["", "number", null],
		[null, "date", null],
		["TRUE", "boolean", true],
		[false, "boolean", false],
		[12, "text", "12"],
		["0012", "text", "0012"],
		[{ a: 1 }, "text", '{"a":1}'],
	];
	for (const [value, type, converted] of conversions) {
		test(`${JSON.stringify(value)} as ${type} is ${JSON.stringify(converted)}`, async () => {
			assert.deepEqual((await makeCell(value, type))?.value ?? null, converted);
		});
	}

	const refused: [value: Json, type: string, error: RegExp][] = [
		[
			"twelve",
			"number",
			/^rows\[1\], column total must be a number, but is "twelve"; or leave out the column's type$/,
		],
		["0x10", "number", /must be a number/],
		["yes", "boolean", /must be true or false/],
		["2026-02-30", "date", /must be a date such as 2026-03-29 or 2026-03-29T01:30:00Z, but is "2026-02-30"/],
		[{ a: 1 }, "datetime", /must be a time/],
		[
			"1899-12-31",
			"date",
			/is "1899-12-31", but spreadsheets have only the years 1900 to 9999; use a column of text/,
		],
		["x".repeat(32_768), "text", /has 32768 characters: a cell holds at most 32767; shorten it/],
	];
	for (const [value, type, error] of refused) {
		test(`${JSON.stringify(value).slice(0, 30)} as ${type} is refused`, async () => {
			const rows = [{ total: null }, { total: value }];
			assert.match(await failToMake({ name: "a.xlsx", rows, columns: [{ field: "total", type }] }), error);
		});
	}

	test("a cell holds 32,767 characters, also of those that are escaped", async () => {
		const value = "\u0001".repeat(32_767);
		assert.equal((await makeCell(value))?.value, value);
	});

	test("has several sheets, and errors name theirs", async () => {
		const sheets = [
			{ name: 'Green & "white"', rows: [{ tea: "Sencha" }] },
			{ name: "黒", rows: [["Assam", 7]], columns: [{ name: "tea" }, { name: "price", type: "number" }] },
			{ name: "Empty", rows: [] },
		];
		const read = await readXlsx((await makeFile({ name: "a.xlsx", sheets })).bytes);
		assert.deepEqual(
			read.map(({ name, rows }) => [name, rows.map((row) => row.map((cell) => cell?.value))]),
			[
				['Green & "white"', [["tea"], ["Sencha"]]],
				[
					"黒",
					[
						["tea", "price"],
						["Assam", 7],
					],
				],
				["Empty", []],
			],
		);
		const wrong = [
			{ name: "A", rows: [] },
			{ name: "B", rows: [{ a: "x" }], columns: [{ field: "a", type: "date" }] },
		];
		assert.match(
			await failToMake({ name: "a.xlsx", sheets: wrong }),
			/^sheets\[1\]\.rows\[0\], column a must be a date/,
		);
	});

	const names: [name: string, error: string][] = [
		["x".repeat(32), "must be at most 31 characters"],
		["a/b", "must not contain : \\ / ? * [ ] or control characters"],
		["a\nb", "must not contain : \\ / ? * [ ] or control characters"],
		["'a", "must not start or end with an apostrophe"],
		["history", "must not be History, which spreadsheets reserve"],
		[" ", "must not be empty"],
		["FIRST", "is the name of two sheets; upper and lower case count as the same"],
	];
	for (const [name, error] of names) {
		test(`a sheet cannot be named ${JSON.stringify(name)}`, async () => {
			const sheets = [
				{ name: "First", rows: [] },
				{ name, rows: [] },
			];
			assert.equal(await failToMake({ name: "a.xlsx", sheets }), `parameter "sheets.1.name" ${error}`);
		});
	}

	test("has columns beyond Z and ZZ", async () => {
		const row = Array.from({ length: 800 }, (_, index) => index);
		assert.deepEqual(await makeRows({ rows: [row] }), [row]);
	});
});
