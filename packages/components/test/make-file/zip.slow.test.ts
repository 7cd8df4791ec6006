import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TerminalError } from "@tripline/engine/terminal-error";
import fc from "fast-check";
import { writeZip, type ZipEntry } from "../../src/make-file/zip.ts";
import { failToMake, makeFile, memory } from "./make.ts";
import { readZip } from "./read-zip.ts";

const add = (name: string, content: string | Uint8Array) => ({ ...memory.add(name, "text/plain", content) });

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
	const all: Uint8Array[] = [];
	for await (const piece of pieces) all.push(piece);
	return Buffer.concat(all);
}

const listPaths = async (files: Parameters<typeof makeFile>[0]["files"]) =>
	readZip((await makeFile({ name: "a.zip", files: files ?? [] })).bytes).map(({ path }) => path);

describe("make_file zip", () => {
	test("contains any bytes, compressed or stored", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.uint8Array({ maxLength: 5000 }), { maxLength: 5 }),
				fc.boolean(),
				async (contents, compress) => {
					const files = contents.map((bytes, index) => add(`${index}.bin`, bytes));
					const members = readZip((await makeFile({ name: "a.zip", files, compress })).bytes);
					assert.deepEqual(
						members,
						contents.map((bytes, index) => ({
							path: `${index}.bin`,
							isStored: !compress,
							bytes: Buffer.from(bytes),
						})),
					);
				},
			),
			{ numRuns: 40 },
		);
	});

	test("compresses all but what is compressed already, by its type", async () => {
		const types = [
			"text/plain; charset=utf-8",
			"image/svg+xml",
			"image/jpeg",
			"application/zip",
			"video/mp4",
		];
		const files = types.map((type) => ({ ...memory.add("a", type, "tea ".repeat(100_000)) }));
		const listStored = async (more: { compress?: boolean }) => {
			const { file, bytes } = await makeFile({ name: "a.zip", files, ...more });
			return { stored: readZip(bytes).map(({ isStored }) => isStored), size: file.size };
		};
		assert.deepEqual((await listStored({})).stored, [false, false, true, true, true]);
		assert.deepEqual((await listStored({ compress: false })).stored, [true, true, true, true, true]);
		const all = await listStored({ compress: true });
		assert.deepEqual(all.stored, [false, false, false, false, false]);
		assert.ok(all.size < 10_000, `${all.size} bytes`);
	});

	test("files keep their names, with a number if the name is taken in any case", async () => {
		const files = [
			add("a.txt", "1"),
			add("A.TXT", "2"),
			add("a.txt", "3"),
			add("b", "4"),
			add("b", "5"),
			add("é.txt", "6"),
		];
		assert.deepEqual(await listPaths([...files, add("e\u0301.txt", "7")]), [
			"a.txt",
			"A (2).TXT",
			"a (3).txt",
			"b",
			"b (2)",
			"é.txt",
			"e\u0301 (2).txt",
		]);
	});

	test("names that some systems cannot have are changed", async () => {
		assert.deepEqual(
			await listPaths([add("a:b.txt", "1"), add("a.", "2"), add("con ...", "3"), add(" .", "4")]),
			["a_b.txt", "a", "con", "file"],
		);
	});

	test("a thousand files of one name are numbered", async () => {
		const file = add("a.txt", "1");
		const paths = await listPaths(Array.from({ length: 1000 }, () => file));
		assert.deepEqual([new Set(paths).size, paths.at(-1)], [1000, "a (1000).txt"]);
	});

	test("a name gives way to a path that was chosen", async () => {
		const files = [
			add("a.txt", "1"),
			{ file: add("x", "2"), path: "a.txt" },
			{ file: add("y", "3"), path: "docs/é/a.txt" },
		];
		assert.deepEqual(await listPaths([...files, add("docs", "4")]), [
			"a (2).txt",
			"a.txt",
			"docs/é/a.txt",
			"docs (2)",
		]);
	});

	const relative =
		"must be a relative path such as reports/may.csv, without . or .. and no name that starts or ends with a space or ends with a dot";
	const wrongPaths: [path: string, error: string][] = [
		["../a", relative],
		["/a", relative],
		["a/./b", relative],
		["a//b", relative],
		["a/", relative],
		["", relative],
		["a./b", relative],
		[" a", relative],
		["..\\a", "must not contain \\, : or invisible characters"],
		["C:a", "must not contain \\, : or invisible characters"],
		["a\u202Eb", "must not contain \\, : or invisible characters"],
		["a\u0000b", "must not contain \\, : or invisible characters"],
		["a\uD800", "must not contain \\, : or invisible characters"],
		["x".repeat(1001), "must be at most 1000 characters"],
		["first", "is the path of two files: first"],
		["FIRST/a", "is below a file: FIRST/a"],
		["second", "is the path of a file and of a folder: second"],
	];
	for (const [path, error] of wrongPaths) {
		test(`the path ${JSON.stringify(path).slice(0, 30)} is refused`, async () => {
			const file = add("x", "1");
			const files = [
				{ file, path: "first" },
				{ file, path: "Second/a" },
				{ file, path },
			];
			assert.equal(await failToMake({ name: "a.zip", files }), `files[2].path ${error}`);
		});
	}

	test("fails if a file cannot be opened", async () => {
		const files = [{ $file: "A".repeat(22), name: "a", type: "text/plain", size: 1 }];
		assert.equal(await failToMake({ name: "a.zip", files }), "file not found");
	});

	test("has at most 1,000 files", async () => {
		const files = Array.from({ length: 1001 }, () => add("x", "1"));
		assert.match(
			await failToMake({ name: "a.zip", files }),
			/"files" must have at most 1000 files; make several zip files/,
		);
	});
});

describe("writeZip", () => {
	const time = Date.UTC(2026, 2, 29, 1, 30, 2);

	test("fails with the error of its content, and closes it", async () => {
		async function* fail(): AsyncGenerator<Uint8Array> {
			yield new Uint8Array(100_000);
			throw new TerminalError("no more");
		}
		await assert.rejects(
			collect(writeZip([{ path: "a", content: fail() }], { time })),
			new TerminalError("no more"),
		);
	});

	test("closes its content if it is not read to the end", async () => {
		let isClosed = false;
		async function* endless(): AsyncGenerator<Uint8Array> {
			try {
				for (;;) yield crypto.getRandomValues(new Uint8Array(60_000));
			} finally {
				isClosed = true;
			}
		}
		let pieces = 0;
		for await (const _ of writeZip([{ path: "a", content: endless() }], { time })) if (++pieces > 10) break;
		assert.ok(isClosed);
	});

	test("reads its content only as fast as it is read", async () => {
		let given = 0;
		async function* count(): AsyncGenerator<Uint8Array> {
			for (; given < 500; given++) yield crypto.getRandomValues(new Uint8Array(60_000));
		}
		let pieces = 0;
		for await (const _ of writeZip([{ path: "a", content: count() }], { time })) {
			if (++pieces <= 10) continue;
			await new Promise((resolve) => setTimeout(resolve, 50));
			break;
		}
		assert.ok(given < 50, `${given} pieces of 60,000 bytes were read`);
	});

	test("refuses an entry that grows beyond what its header allows", async () => {
		async function* grow(): AsyncGenerator<Uint8Array> {
			yield new Uint8Array(2000);
		}
		const entries: ZipEntry[] = [{ path: "a", content: grow() }];
		const zip64From = { bytes: 1000, entries: 10 };
		await assert.rejects(
			collect(writeZip(entries, { time, zip64From })),
			/larger than 4 GiB; make several files/,
		);
	});
});
