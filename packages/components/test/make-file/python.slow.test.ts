// Python's own readers read what was written. Where Python is not installed, the readers in this folder still do.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { anyCharacter } from "../../../../test/any-character.ts";
import { writeZip, type ZipEntry } from "../../src/make-file/zip.ts";
import { makeFile } from "./make.ts";

const hasPython = spawnSync("python3", ["--version"]).status === 0;
const folder = mkdtempSync(join(tmpdir(), "make-file-"));
after(() => rmSync(folder, { recursive: true }));

function runPython(script: string): Json {
	const { status, stdout, stderr } = spawnSync("python3", ["-c", script], {
		cwd: folder,
		encoding: "utf8",
		env: { ...process.env, PYTHONIOENCODING: "utf8" },
		maxBuffer: 64 * 1024 * 1024,
	});
	assert.equal(status, 0, stderr);
	return JSON.parse(stdout);
}

const text = fc.oneof(
	fc.string({ unit: anyCharacter }),
	fc.constantFrom('"', ",", "\r\n", "\n", "\r", "", " a ", "=1", "-1", "ID", "_x0041_", "\u0001", "<&>"),
);
const tables = fc.sample(
	fc
		.integer({ min: 1, max: 4 })
		.chain((width) => fc.array(fc.array(text, { minLength: width, maxLength: width }), { maxLength: 6 })),
	200,
);

describe("files that Python reads", { skip: !hasPython && "there is no python3" }, () => {
	test("csv", async () => {
		for (const [index, rows] of tables.entries()) {
			const { bytes } = await makeFile({ name: "a.csv", rows, formulas: true });
			writeFileSync(join(folder, `${index}.csv`), bytes);
		}
		const read = runPython(`
import csv, json
csv.field_size_limit(10**8)
print(json.dumps([list(csv.reader(open(f"{i}.csv", newline="", encoding="utf-8"), strict=True)) for i in range(${tables.length})]))`);
		assert.deepEqual(read, tables);
	});

	test("xlsx: every part is well-formed XML, and no cell is lost", async () => {
		for (const [index, rows] of tables.entries())
			writeFileSync(join(folder, `${index}.xlsx`), (await makeFile({ name: "a.xlsx", rows })).bytes);
		const read = runPython(`
import json, re, zipfile
import xml.etree.ElementTree as ET
ns = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
def read(i):
    z = zipfile.ZipFile(f"{i}.xlsx")
    assert z.testzip() is None
    for name in z.namelist(): ET.fromstring(z.read(name))
    sheet = ET.fromstring(z.read("xl/worksheets/sheet1.xml"))
    decode = lambda t: re.sub("_x([0-9A-F]{4})_", lambda m: chr(int(m[1], 16)), t or "")
    return [[decode(t.text) for t in row.iter(ns + "t")] for row in sheet.iter(ns + "row")]
print(json.dumps([read(i) for i in range(${tables.length})]))`);
		const wanted = tables.map((rows) =>
			rows.map((row) => row.filter((cell) => cell !== "").map((cell) => cell.replace(/\r\n?/g, "\n"))),
		);
		assert.deepEqual(read, wanted);
	});

	async function writeEntries(path: string, zip64From: { bytes: number; entries: number }): Promise<void> {
		async function* content(size: number): AsyncGenerator<Uint8Array> {
			yield new Uint8Array(size).fill(97);
		}
		const entries: ZipEntry[] = [
			{ path: "small.txt", content: content(10) },
			{ path: "docs/é.txt", size: 5000, content: content(5000) },
			{ path: "stored.txt", stored: { size: 3, crc32: 0xf007732d }, content: content(3) },
			{ path: "last.txt", content: content(10) },
		];
		const pieces: Uint8Array[] = [];
		for await (const piece of writeZip(entries, { time: Date.UTC(2026, 2, 29, 1, 30, 2), zip64From }))
			pieces.push(piece);
		writeFileSync(join(folder, path), Buffer.concat(pieces));
	}

	const plain = { bytes: 0xffff_ffff, entries: 0xffff };
	for (const [name, zip64From] of [
		["plain", plain],
		["with zip64 sizes", { ...plain, bytes: 4000 }],
		["with zip64 offsets", { ...plain, bytes: 100 }],
		["with a zip64 number of entries", { ...plain, entries: 2 }],
	] as const) {
		test(`zip ${name}`, async () => {
			await writeEntries("a.zip", zip64From);
			const read = runPython(`
import json, zipfile
z = zipfile.ZipFile("a.zip")
assert z.testzip() is None
print(json.dumps([[i.filename, i.file_size, i.compress_type, i.date_time, oct(i.external_attr >> 16), set(z.read(i)) == {97}] for i in z.infolist()]))`);
			const at = [2026, 3, 29, 1, 30, 2];
			assert.deepEqual(read, [
				["small.txt", 10, 8, at, "0o100644", true],
				["docs/é.txt", 5000, 8, at, "0o100644", true],
				["stored.txt", 3, 0, at, "0o100644", true],
				["last.txt", 10, 8, at, "0o100644", true],
			]);
		});
	}
});
