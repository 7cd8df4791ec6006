import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import type { FileValue } from "@tripline/contract/files";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { memoryFiles } from "./memory-files.ts";
import { type GivenFile, parseGiven } from "./parse-given-file.ts";
import { runForError, runForOutput, runNode } from "./run-node.ts";
import { type WrittenEntry, writeZip } from "./zip-writer.ts";

const readFixture = (name: string): GivenFile => ({
	name,
	content: readFileSync(new URL(`./fixtures/${name}`, import.meta.url)),
});
const zip = (...entries: WrittenEntry[]): GivenFile => ({ name: "a.zip", content: writeZip(entries) });

type Extracted = { path: string; file: FileValue }[];

/** The files that were made, with their content as text. */
async function extract(given: GivenFile, patterns: Json) {
	const memory = memoryFiles(given.pieceBytes);
	const made = (await runForOutput(
		...parseGiven(given, { extract: patterns }, memory),
	)) as unknown as Extracted;
	return made.map(({ path, file: { name, type, ...file } }) => ({
		path,
		name,
		type,
		text: Buffer.from(memory.bytes({ name, type, ...file })).toString(),
	}));
}

const REPORT = `day,total\n${"2026-03-02,12\n".repeat(100)}`;

describe("parse zip", () => {
	test("lists an archive that Python wrote", async () => {
		const modified = "2026-03-02T08:30:10";
		assert.deepEqual(await runForOutput(...parseGiven(readFixture("reports.zip"))), [
			{ path: "reports/2026/sales.csv", size: REPORT.length, compressed_size: 36, modified, folder: false },
			{ path: "reports/empty/", size: 0, compressed_size: 0, modified, folder: true },
			{ path: "Übersicht.txt", size: 7, compressed_size: 7, modified: "1980-01-01T00:00:00", folder: false },
			{ path: "zip64.json", size: 8, compressed_size: 8, modified, folder: false },
		]);
	});

	test("makes files of the entries that match", async () => {
		const given = readFixture("reports.zip");
		assert.deepEqual(await extract(given, "*.csv"), [
			{ path: "reports/2026/sales.csv", name: "sales.csv", type: "text/csv", text: REPORT },
		]);
		assert.deepEqual(await extract(given, ["zip64.json", "Ü*"]), [
			{ path: "Übersicht.txt", name: "Übersicht.txt", type: "text/plain", text: "grüße" },
			{ path: "zip64.json", name: "zip64.json", type: "application/json", text: '{"a": 1}' },
		]);
		assert.deepEqual(await extract(given, "*.pdf"), []);
	});

	test("an entry that is named and missing is an error", async () => {
		const call = parseGiven(readFixture("reports.zip"), { extract: ["zip64.json", "sales.csv"] });
		assert.equal(await runForError(...call), "the archive has no entry sales.csv");
	});

	test("any entries come back as they were, in pieces of any size", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.record({ content: fc.uint8Array({ maxLength: 3000 }), stored: fc.boolean() }), {
					maxLength: 5,
				}),
				fc.integer({ min: 7, max: 2000 }),
				async (entries, pieceBytes) => {
					const written = entries.map((entry, at) => ({ ...entry, path: `folder ${at}/é.bin` }));
					const memory = memoryFiles(pieceBytes);
					const call = parseGiven({ ...zip(...written), pieceBytes }, { extract: "*" }, memory);
					const made = (await runForOutput(...call)) as unknown as Extracted;
					assert.deepEqual(
						made.map(({ path, file }) => ({ path, content: Buffer.from(memory.bytes(file)) })),
						written.map(({ path, content }) => ({ path, content: Buffer.from(content) })),
					);
				},
			),
			{ numRuns: 100 },
		);
	});

	test("names become file names without folders, and the path is kept as plain data", async () => {
		const paths = [
			"../../etc/passwd",
			"C:\\windows\\evil.exe",
			"/absolute.txt",
			"a/..",
			"x\u202Efdp.exe",
			"..",
			"nul\0.txt",
		];
		const made = await extract(zip(...paths.map((path) => ({ path, content: "a" }))), "*");
		assert.deepEqual(
			made.map(({ path }) => path),
			paths,
		);
		assert.deepEqual(
			made.map(({ name }) => name),
			["passwd", "evil.exe", "absolute.txt", "file", "xfdp.exe", "file", "nul.txt"],
		);
	});

	test("names that are not UTF-8 are read as code page 437", async () => {
		const path = Buffer.from([0x81, 0x62, 0x65, 0x72]);
		const [entry] = (await runForOutput(...parseGiven(zip({ path, content: "", lies: { flags: 0 } })))) as {
			path: string;
		}[];
		assert.equal(entry?.path, "über");
	});
});

describe("a zip archive that is damaged or hostile", () => {
	const small = { path: "a.txt", content: "hello hello hello" };
	const bomb = deflateRawSync(new Uint8Array(20 * 1024 * 1024));
	const cases: readonly [name: string, entry: WrittenEntry | WrittenEntry[], error: RegExp][] = [
		[
			"says too small a size",
			{ ...small, lies: { size: 3 } },
			/a\.txt in the archive is larger than its header says/,
		],
		["says too large a size", { ...small, lies: { size: 300 } }, /is smaller than its header says/],
		["has a wrong checksum", { ...small, lies: { crc: 1 } }, /is damaged: its checksum is wrong/],
		["is encrypted", { ...small, lies: { flags: 1 } }, /is encrypted, which is not supported/],
		[
			"uses another method",
			{ ...small, lies: { method: 12 } },
			/uses the compression method 12; only deflate/,
		],
		["has two names", { ...small, lies: { localPath: "b.txt" } }, /its header differs from the directory/],
		[
			"is not deflated",
			{ ...small, lies: { data: Buffer.from("garbage garbage") } },
			/it cannot be decompressed/,
		],
		[
			"ends too early",
			{ ...small, lies: { data: deflateRawSync("hello hello hello").subarray(0, 4) } },
			/cannot be decompressed|smaller than/,
		],
		[
			"goes on after its end",
			{ ...small, lies: { data: Buffer.concat([deflateRawSync("hello hello hello"), Buffer.from("more")]) } },
			/cannot be decompressed/,
		],
		["is a bomb", { path: "b", content: new Uint8Array(20 * 1024 * 1024) }, /more than 250 times as large/],
		["is a bomb that says it is small", { ...small, lies: { data: bomb } }, /larger than its header says/],
		["has entries that overlap", [small, { ...small, path: "b.txt", lies: { start: 4 } }], /entries overlap/],
		[
			"has one entry under two names",
			[small, { ...small, path: "b.txt", lies: { start: 0 } }],
			/entries overlap/,
		],
		[
			"points outside",
			{ ...small, lies: { start: 1_000_000 } },
			/entries overlap each other or its directory/,
		],
	];
	for (const [name, entry, error] of cases) {
		test(name, async () => {
			const given = zip(...(Array.isArray(entry) ? entry : [entry]));
			assert.match(await runForError(...parseGiven(given, { extract: "*" })), error);
		});
	}

	test("entries are counted before they are read", async () => {
		const entries = Array.from({ length: 101 }, (_, at) => ({ path: `${at}`, content: "" }));
		assert.match(
			await runForError(...parseGiven(zip(...entries), { extract: "*" })),
			/extract matches more than 100 entries; choose fewer/,
		);
		const large = Array.from({ length: 3 }, (_, at) => ({
			path: `${at}`,
			content: "",
			lies: { size: 40 * 1024 * 1024 },
		}));
		assert.match(
			await runForError(...parseGiven(zip(...large), { extract: "*" })),
			/larger than 100 MiB together; choose fewer/,
		);
	});

	test("a cut, changed or random archive gives an error or a value, never anything else", async () => {
		const whole = writeZip([small, { path: "b/c.txt", content: "x".repeat(100) }]);
		const changed = fc
			.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
			.map((changes) => {
				const bytes = Buffer.from(whole);
				for (const [at, byte] of changes) bytes[at] = byte;
				return bytes;
			});
		const cut = fc.nat(whole.length - 1).map((length) => whole.subarray(0, length));
		await fc.assert(
			fc.asyncProperty(fc.oneof(changed, cut, fc.uint8Array({ maxLength: 100 })), async (content) => {
				const outcome = await runNode(...parseGiven({ name: "a.zip", content }, { extract: "*" }));
				if ("error" in outcome)
					assert.match(
						outcome.error,
						/^not a readable zip archive: |in the archive |^the (archive|entries) /,
					);
			}),
			{ numRuns: 500 },
		);
	});
});
