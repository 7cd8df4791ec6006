import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { FileValue } from "@tripline/contract/files";
import { writeXlsx } from "../../../../packages/components/test/xlsx-writer.ts";
import { writeZip } from "../../../../packages/components/test/zip-writer.ts";
import { writePage, writePages } from "../../../../packages/platform/test/pdf-writer.ts";
import type { Scenario, World } from "../../scenario.ts";
import { toValue, upload } from "./files.ts";
import { createWorkflow, run, save } from "./saving.ts";

const readFixture = (name: string): Uint8Array<ArrayBuffer> =>
	new Uint8Array(
		readFileSync(new URL(`../../../../packages/components/test/fixtures/${name}`, import.meta.url)),
	);

/** Uploads a file and has a workflow parse it. */
async function parse(
	world: World,
	name: string,
	content: Uint8Array<ArrayBuffer> | string,
	options: object = {},
	status = 200,
) {
	const file = toValue(await upload(world, content, { name, type: "application/octet-stream" }));
	await save(world, createWorkflow("parse", { component: "parse", file: "{{input.file}}", ...options }));
	return run(world, "parse", { file }, status);
}

const parseData = async (...call: Parameters<typeof parse>) => (await parse(...call)).data;

const parseError = async (
	world: World,
	name: string,
	content: Uint8Array<ArrayBuffer> | string,
	options: object = {},
): Promise<string> => (await parse(world, name, content, options, 500)).error ?? "";

const toBytes = (buffer: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(buffer);

export const parsedFiles: readonly Scenario[] = [
	{
		name: "parse reads text formats from files in their encodings",
		cites: [],
		async run(world) {
			assert.deepEqual(await parseData(world, "a.csv", "a,b\n1,é\n"), [{ a: "1", b: "é" }]);
			const latin = toBytes(Buffer.from("a\né", "latin1"));
			assert.deepEqual(await parseData(world, "a.csv", latin, { encoding: "windows-1252" }), [{ a: "é" }]);
			assert.match(await parseError(world, "a.csv", latin), /not text in utf-8; set encoding/);
			const wide = toBytes(Buffer.from("\uFEFF[1]", "utf16le"));
			assert.deepEqual(await parseData(world, "a.json", wide), [1]);
			assert.deepEqual(await parseData(world, "a.jsonl", '{"a":1}\n2\n', { offset: 1 }), [2]);
		},
	},
	{
		name: "parse reads sheets, documents and PDF files that other programs wrote",
		cites: [],
		async run(world) {
			assert.deepEqual(await parseData(world, "a.xlsx", readFixture("calculated.xlsx"), { range: "A1:D2" }), [
				{ item: "tea", count: 2, price: 2.5, total: 5 },
			]);
			const letter = (await parseData(world, "a.docx", readFixture("page.docx"))) as { text: string };
			assert.match(letter.text, /^# Grüße\n\nA \*\*bold\*\* and \*italic\* word/);
			const paper = (await parseData(world, "a.pdf", readFixture("encrypted.pdf"), { pages: "2" })) as object;
			assert.deepEqual(
				{ ...paper, created: null },
				{
					title: "Two pages",
					author: null,
					subject: null,
					created: null,
					modified: null,
					page_count: 2,
					pages: [{ number: 2, text: "The second page." }],
				},
			);
			assert.match(await parseError(world, "a.pdf", readFixture("password.pdf")), /has a password/);
		},
	},
	{
		name: "parse makes files of a zip archive's entries, which other nodes can open",
		cites: [],
		async run(world) {
			const file = toValue(await upload(world, readFixture("reports.zip"), { name: "a.zip" }));
			await save(world, {
				...createWorkflow("unzip", {}),
				triplets: ["input >> then >> files", "files >> FOREACH one >> rows"],
				config: {
					files: { component: "parse", file: "{{input.file}}", extract: "*.csv" },
					rows: { component: "parse", file: "{{one.file}}", limit: 1 },
				},
				result: { files: "{{files}}", rows: "{{rows}}" },
			});
			const { files, rows } = (await run(world, "unzip", { file })).data as {
				files: { path: string; file: unknown }[];
				rows: unknown;
			};
			assert.deepEqual(
				files.map(({ path }) => path),
				["reports/2026/sales.csv"],
			);
			const { name, type, size } = FileValue.parse(files[0]?.file);
			assert.deepEqual([name, type, size], ["sales.csv", "text/csv", 1410]);
			assert.deepEqual(rows, [[{ day: "2026-03-02", total: "12" }]]);
		},
	},
	{
		name: "hostile files are refused with an error or have no text",
		cites: [],
		async run(world) {
			const bomb = writeZip([{ path: "a", content: new Uint8Array(8 * 1024 * 1024) }]);
			assert.match(
				await parseError(world, "a.zip", toBytes(bomb), { extract: "*" }),
				/more than 250 times as large/,
			);
			const wrong = writeZip([{ path: "a", content: "aaaa", lies: { crc: 1 } }]);
			assert.match(
				await parseError(world, "a.zip", toBytes(wrong), { extract: "*" }),
				/its checksum is wrong/,
			);
			const cut = writeZip([
				{ path: "a", content: "x".repeat(1000), lies: { data: new Uint8Array([1, 2]) } },
			]);
			assert.match(await parseError(world, "a.zip", toBytes(cut), { extract: "*" }), /in the archive is/);
			const entity = writeXlsx({ sheets: { a: '<row><c t="str"><v>&x;</v></c></row>' } });
			assert.match(await parseError(world, "a.xlsx", toBytes(entity)), /an entity that is not supported/);
			assert.match(await parseError(world, "a.pdf", writePages(600)), /at most 500 are read at a time/);
			const loop = writePage(
				{ dictionary: "", stream: "/X Do" },
				{
					dictionary: "/Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>",
					stream: "/X Do",
				},
			);
			const read = (await parseData(world, "a.pdf", loop)) as { pages: unknown };
			assert.deepEqual(read.pages, [{ number: 1, text: "" }]);
		},
	},
];
