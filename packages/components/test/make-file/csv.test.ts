import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { anyCharacter } from "../../../../test/any-character.ts";
import { runForOutput } from "../run-node.ts";
import { failToMake, makeText } from "./make.ts";

const text = fc.oneof(
	fc.string({ unit: anyCharacter }),
	fc.constantFrom('"', ",", "\r\n", "\n", "\r", "", "__proto__", ";", "\t", " a ", "=1", "-1", "ID"),
);

describe("make_file csv", () => {
	test("is read back by parse, with any delimiter", async () => {
		const table = fc
			.integer({ min: 1, max: 4 })
			.chain((width) => fc.array(fc.array(text, { minLength: width, maxLength: width }), { maxLength: 6 }));
		await fc.assert(
			fc.asyncProperty(table, fc.constantFrom(",", ";", "\t", "|", " "), async (rows, delimiter) => {
				const written = await makeText({ name: "a.csv", rows, delimiter, formulas: true });
				const params = { format: "csv", text: "{{input.written}}", header: false, delimiter };
				assert.deepEqual(await runForOutput("parse", params, { input: { written } }), rows);
			}),
		);
	});

	test("has the names of all fields first, in the order of their appearance", async () => {
		const rows: Json[] = [{ id: 1, name: "Ada" }, { id: 2, note: "a, b" }, { constructor: "c" }];
		assert.equal(
			await makeText({ name: "a.csv", rows }),
			'id,name,note,constructor\r\n1,Ada,,\r\n2,,"a, b",\r\n,,,c\r\n',
		);
		assert.equal(await makeText({ name: "a.csv", rows: rows.slice(0, 1), header: false }), "1,Ada\r\n");
	});

	test("writes the chosen columns in their order, under their names", async () => {
		const columns = ["total", { field: "id", name: "Order" }, "missing"];
		assert.equal(
			await makeText({ name: "a.csv", rows: [{ id: 7, total: 2.5, other: 1 }], columns }),
			"total,Order,missing\r\n2.5,7,\r\n",
		);
		assert.equal(await makeText({ name: "a.csv", rows: [], columns }), "total,Order,missing\r\n");
	});

	test("takes rows that are lists, with or without names", async () => {
		const rows = [
			[1, "a"],
			[2, "b", "c"],
		];
		assert.equal(await makeText({ name: "a.csv", rows }), "1,a,\r\n2,b,c\r\n");
		assert.equal(
			await makeText({ name: "a.csv", rows, columns: ["id", "name"] }),
			"id,name\r\n1,a\r\n2,b\r\n",
		);
		const columns = [{ field: 2, name: "Third" }, { field: 0 }];
		assert.equal(await makeText({ name: "a.csv", rows, columns }), "Third,\r\n,1\r\nc,2\r\n");
	});

	test("writes null as nothing, objects and lists as JSON", async () => {
		const rows = [[null, true, -1.5, { a: [1] }, []]];
		assert.equal(await makeText({ name: "a.csv", rows }), ',true,-1.5,"{""a"":[1]}",[]\r\n');
		assert.equal(await makeText({ name: "a.csv", rows: [[null], [""]] }), '""\r\n""\r\n');
	});

	test("tsv has tabs between the values", async () => {
		assert.equal(await makeText({ name: "a.tsv", rows: [["a,b", "c\td"]] }), 'a,b\t"c\td"\r\n');
	});

	test("starts with a byte order mark if asked to", async () => {
		assert.equal(await makeText({ name: "a.csv", rows: [["é"]], bom: true }), "\uFEFFé\r\n");
	});

	test("is not taken for another format by Excel because it starts with ID", async () => {
		assert.equal(await makeText({ name: "a.csv", rows: [{ ID: 1, IDS: 2 }] }), '"ID",IDS\r\n1,2\r\n');
	});

	const disarmed: [value: string, written: string][] = [
		["=1+1", "'=1+1"],
		["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
		["-1+2", "'-1+2"],
		["@SUM(A1)", "'@SUM(A1)"],
		["\t=1", "'\t=1"],
		["\r=1", '"\'\r=1"'],
		["\n=1", '"\'\n=1"'],
		["＝1", "'＝1"],
		["-5", "-5"],
		["+3.25", "+3.25"],
		["-1,234.5", '"-1,234.5"'],
		["-1e-7", "-1e-7"],
		["-.5", "-.5"],
		["-5%", "-5%"],
		["-", "-"],
		["+49 170", "'+49 170"],
		["a=1", "a=1"],
	];
	for (const [value, written] of disarmed) {
		test(`${JSON.stringify(value)} is written as ${JSON.stringify(written)}`, async () => {
			assert.equal(await makeText({ name: "a.csv", rows: [["a", value]] }), `a,${written}\r\n`);
		});
	}

	test("makes the names of columns inert too, and nothing with formulas: true", async () => {
		const rows = [{ "=a": "=b" }];
		assert.equal(await makeText({ name: "a.csv", rows }), "'=a\r\n'=b\r\n");
		assert.equal(await makeText({ name: "a.csv", rows, formulas: true }), "=a\r\n=b\r\n");
	});

	test("has at most 1,000,000 cells and 16,384 columns", async () => {
		const row = Array.from({ length: 200 }, () => 1);
		assert.match(
			await failToMake({ name: "a.csv", rows: Array.from({ length: 5001 }, () => row) }),
			/^rows have 1000200 cells: the limit is 1000000; choose fewer columns, or make several files$/,
		);
		const rows = Array.from({ length: 16_385 }, (_, index) => ({ [`c${index}`]: 1 }));
		assert.match(
			await failToMake({ name: "a.csv", rows }),
			/^rows have more than 16384 columns; choose some of them/,
		);
	});
});
