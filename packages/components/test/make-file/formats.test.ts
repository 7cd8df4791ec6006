import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { anyCharacter } from "../../../../test/any-character.ts";
import { listProblems } from "../run-node.ts";
import { failToMake, makeFile, makeText } from "./make.ts";

describe("make_file", () => {
	const kinds: [params: { [name: string]: Json }, type: string][] = [
		[{ name: "a.txt", text: "x" }, "text/plain; charset=utf-8"],
		[{ name: "a", text: "x" }, "text/plain; charset=utf-8"],
		[{ name: "a.HTML", text: "x" }, "text/html; charset=utf-8"],
		[{ name: "a.md", text: "x" }, "text/markdown; charset=utf-8"],
		[{ name: "a.csv", text: "x" }, "text/csv; charset=utf-8"],
		[{ name: "a.json", text: "{}" }, "application/json"],
		[{ name: "a.json", data: {} }, "application/json"],
		[{ name: "a", data: null }, "application/json"],
		[{ name: "a.jsonl", rows: [] }, "application/jsonl"],
		[{ name: "a.csv", rows: [] }, "text/csv; charset=utf-8"],
		[{ name: "a.tsv", rows: [] }, "text/tab-separated-values; charset=utf-8"],
		[{ name: "a", format: "csv", rows: [] }, "text/csv; charset=utf-8"],
		[{ name: "a.xlsx", rows: [] }, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
		[{ name: "a.zip", files: [] }, "application/zip"],
		[{ name: "a.png", base64: "AAAA" }, "image/png"],
		[{ name: "a.xlsx", base64: "AAAA" }, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
		[{ name: "a.bin", base64: "AAAA" }, "application/octet-stream"],
		[{ name: "a.txt", text: "x", type: "text/x-log" }, "text/x-log"],
	];
	for (const [params, type] of kinds) {
		test(`${JSON.stringify(params)} is ${type}`, async () => {
			const { file } = await makeFile(params);
			assert.deepEqual([file.name, file.type], [params.name, type]);
		});
	}

	const refusals: [params: { [name: string]: Json }, error: string][] = [
		[{ name: "a.csv" }, '"name" is that of a csv file, which needs rows'],
		[{ name: "a" }, '"name" needs a content: give text, data, rows, sheets, files or base64'],
		[{ name: "a", rows: [] }, '"name" must end in .csv, .tsv, .xlsx or .jsonl to write rows; or set format'],
		[
			{ name: "a.xlsx", text: "x" },
			'"name" ends in .xlsx, but text makes a text file; give rows or sheets, or set format',
		],
		[
			{ name: "a.zip", rows: [], format: "csv", files: [] },
			'"files" cannot be combined with rows: a file has one content',
		],
		[{ name: "a.csv", format: "csv", text: "x" }, '"text" is not the content of a csv file; give rows'],
		[{ name: "a.txt", text: "x", indent: 2 }, '"indent" is not used by text; leave it out'],
		[{ name: "a.tsv", rows: [], delimiter: ";" }, '"delimiter" is not used by tsv; leave it out'],
		[
			{ name: "a.csv", rows: [], columns: [{ field: "a", type: "date" }] },
			'"columns.0.type" is not used by csv; leave it out',
		],
		[{ name: "../a.txt", text: "x" }, '"name" must not contain / or \\'],
		[{ name: "a.bin", base64: "A" }, "base64 is not valid base64"],
		[{ name: "a.csv", rows: [1] }, "rows[0] must be an object or a list"],
		[{ name: "a.csv", rows: [{}, []] }, "rows[1] must be an object, as the first row is"],
		[{ name: "a.xlsx", rows: [[], null] }, "rows[1] must be a list, as the first row is"],
		[
			{ name: "a.csv", rows: [[1]], header: true },
			"header needs the names of the columns; give them with columns",
		],
		[
			{ name: "a.csv", rows: [[1]], columns: [{ field: "a" }] },
			"columns[0].field must be a position from 0, because the rows are lists",
		],
		[
			{ name: "a.csv", rows: [{}], columns: [{ field: 0 }] },
			"columns[0].field must be a name, because the rows are objects",
		],
		[
			{ name: "a.zip", files: [{ $file: "x" }] },
			"files[0] must be a file, or an object with a file and its path",
		],
	];
	for (const [params, error] of refusals) {
		test(`${JSON.stringify(params)} is refused`, async () => {
			const message = await failToMake(params);
			assert.ok(message.endsWith(error), message);
		});
	}

	test("finds what is wrong when the document is saved, and leaves open what only a run can tell", () => {
		assert.deepEqual(listProblems("make_file", { name: "{{input.name}}", rows: "{{input.rows}}" }), []);
		assert.deepEqual(listProblems("make_file", { name: "{{input.day}}.csv", rows: "{{input.rows}}" }), []);
		assert.deepEqual(listProblems("make_file", { name: "a.csv", rows: "{{input.rows}}", indent: 2 }), [
			'parameter "indent" is not used by csv; leave it out',
		]);
	});

	test("the name of the file has no characters that make it look like another", async () => {
		const { file } = await makeFile({ name: "report\u202Efdp.txt", text: "x" });
		assert.equal(file.name, "reportfdp.txt");
	});

	test("writes any text as UTF-8, also a long one", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.string({ unit: anyCharacter }),
				fc.integer({ min: 0, max: 3 }),
				async (part, size) => {
					const text = `${"x".repeat(size)}😀${part}`.repeat(10 ** size);
					assert.equal(await makeText({ name: "a.txt", text }), text);
				},
			),
			{ numRuns: 50 },
		);
		assert.equal(await makeText({ name: "a.txt", text: "a\uD800b" }), "a\uFFFDb");
		assert.equal(
			await makeText({ name: "a.txt", text: `x${"😀".repeat(40_000)}` }),
			`x${"😀".repeat(40_000)}`,
		);
	});

	test("writes the bytes of base64, with line breaks or not", async () => {
		const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
		for (const base64 of [bytes.toString("base64"), bytes.toString("base64").replace(/.{76}/g, "$&\r\n")])
			assert.deepEqual(Buffer.from((await makeFile({ name: "a.bin", base64 })).bytes), bytes);
	});
});

describe("make_file json", () => {
	test("writes any value as JSON.stringify does", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.jsonValue({ maxDepth: 4 }),
				fc.integer({ min: 0, max: 8 }),
				async (data, indent) => {
					const value = data as Json;
					assert.equal(
						await makeText({ name: "a.json", data: [value], indent }),
						`${JSON.stringify([value], null, indent)}\n`,
					);
				},
			),
		);
	});

	test("writes a large value as JSON.stringify does", async () => {
		const data = {
			list: Array.from({ length: 5000 }, (_, index) => ({
				index,
				text: "a\nb",
				none: [],
				empty: {},
				"": null,
			})),
			"a key": { deep: [["x".repeat(5000)], { "\n": "y".repeat(5000) }] },
		};
		for (const indent of [0, 3])
			assert.equal(
				await makeText({ name: "a.json", data, indent }),
				`${JSON.stringify(data, null, indent)}\n`,
			);
	});

	test("jsonl writes one value per line", async () => {
		assert.equal(
			await makeText({ name: "a.jsonl", rows: [{ a: "x\ny" }, [1], null] }),
			'{"a":"x\\ny"}\n[1]\nnull\n',
		);
	});
});
