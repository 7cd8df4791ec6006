import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { writePages } from "../../platform/test/pdf-writer.ts";
import { fail, read, sheet } from "./given-sheet.ts";
import { writeZip } from "./zip-writer.ts";

test("xlsx: 100,000 rows of five columns become a list", async () => {
	const rows = Array.from(
		{ length: 100_000 },
		(_, at) =>
			`<row r="${at + 2}"><c r="A${at + 2}"><v>${at}</v></c><c r="B${at + 2}" t="str"><v>customer ${at}</v></c><c r="C${at + 2}"><v>${at / 4}</v></c><c r="D${at + 2}" s="1"><v>46083</v></c><c r="E${at + 2}" t="b"><v>1</v></c></row>`,
	);
	const names = ["id", "name", "price", "day", "paid"].map((name) => `<c t="str"><v>${name}</v></c>`);
	const given = sheet(`<row>${names.join("")}</row>${rows.join("")}`, {
		formats: ["General", "yyyy-mm-dd"],
	});
	const output = (await read({ ...given, pieceBytes: 65_536 })) as Json[];
	assert.equal(output.length, 100_000);
	assert.deepEqual(output[99_999], {
		id: 99_999,
		name: "customer 99999",
		price: 24_999.75,
		day: "2026-03-02",
		paid: true,
	});
});

test("xlsx: a million cells are read as lists, and two million texts are refused with what to do", async () => {
	const write = (count: number, cell: (row: number, at: number) => string) =>
		Array.from(
			{ length: count },
			(_, row) => `<row>${Array.from({ length: 1000 }, (_, at) => cell(row, at)).join("")}</row>`,
		).join("");
	const numbers = sheet(write(1000, (row, at) => `<c><v>${row * at}</v></c>`));
	assert.equal(((await read({ ...numbers, pieceBytes: 65_536 }, { header: false })) as Json[]).length, 1000);
	const texts = sheet(write(2000, (row, at) => `<c t="str"><v>${row * at}</v></c>`));
	assert.match(
		await fail({ ...texts, pieceBytes: 65_536 }, { header: false }),
		/^the output would be larger than 48 MiB in memory; read fewer rows .* or fewer columns with range$/,
	);
});

test("xlsx: a workbook whose texts fill the memory is refused", async () => {
	const given = sheet("", { strings: Array.from({ length: 900_000 }, (_, at) => `<t>${at}</t>`) });
	assert.match(await fail({ ...given, pieceBytes: 65_536 }), /the workbook's texts are larger than 32 MiB/);
});

test("csv: 100,000 rows become a list", async () => {
	const rows = Array.from({ length: 100_000 }, (_, at) => `${at},name ${at},${at / 4},2026-01-01,true`);
	const content = `id,name,price,day,paid\n${rows.join("\n")}`;
	const output = (await read({ name: "a.csv", content, pieceBytes: 65_536 })) as Json[];
	assert.equal(output.length, 100_000);
	assert.deepEqual(output.at(-1), {
		id: "99999",
		name: "name 99999",
		price: "24999.75",
		day: "2026-01-01",
		paid: "true",
	});
});

test("zip: 65,535 entries are listed", async () => {
	const entries = Array.from({ length: 65_535 }, (_, at) => ({ path: `${at}`, content: "", stored: true }));
	const output = (await read({ name: "a.zip", content: writeZip(entries), pieceBytes: 65_536 })) as Json[];
	assert.equal(output.length, 65_535);
});

test("pdf: a page of 10,000 is read", async () => {
	const given = { name: "a.pdf", content: writePages(10_000), pieceBytes: 65_536 };
	assert.match(await fail(given), /^the PDF has 10000 pages; at most 500 are read at a time/);
	const output = (await read(given, { pages: "9999" })) as { readonly pages: Json };
	assert.deepEqual(output.pages, [{ number: 9999, text: "Page 9999" }]);
});
