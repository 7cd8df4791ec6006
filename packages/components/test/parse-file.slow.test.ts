import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import fc from "fast-check";
import { memoryFiles } from "./memory-files.ts";
import { parseGiven } from "./parse-given-file.ts";
import { listProblems, runForError, runForOutput, runNode } from "./run-node.ts";

type Options = { readonly [name: string]: Json };

describe("parse of a file", () => {
	const contents: readonly [name: string, content: string, output: Json][] = [
		["a.json", '{"paid": true}', { paid: true }],
		["a.jsonl", '{"id": 1}\n\n[2]\n', [{ id: 1 }, [2]]],
		["a.ndjson", "1\n2", [1, 2]],
		["a.csv", "a,b\n1,2\n", [{ a: "1", b: "2" }]],
		["A.TSV", "a\tb\n1\t2\n", [{ a: "1", b: "2" }]],
		["a.xml", "<a><b>1</b></a>", { a: { b: "1" } }],
		["a.ics", "BEGIN:VCALENDAR\nX-WR-CALNAME:Team\nEND:VCALENDAR\n", { name: "Team", events: [] }],
	];
	for (const [name, content, output] of contents) {
		test(`knows the format by the suffix of ${name}`, async () => {
			assert.deepEqual(await runForOutput(...parseGiven({ name, content })), output);
		});
	}

	test("knows the format by the type if the suffix does not tell it", async () => {
		const content = '{"a": 1}';
		for (const type of ["application/json", "Application/JSON; charset=utf-8", "application/ld+json"])
			assert.deepEqual(await runForOutput(...parseGiven({ name: "data.bin", type, content })), { a: 1 });
	});

	test("believes the suffix more than the type, and `format` more than both", async () => {
		const given = { name: "a.csv", type: "application/json", content: "a\n1" };
		assert.deepEqual(await runForOutput(...parseGiven(given)), [{ a: "1" }]);
		assert.deepEqual(
			await runForOutput(...parseGiven({ ...given, content: "[1]" }, { format: "json" })),
			[1],
		);
	});

	test("asks for the format if neither tells it", async () => {
		assert.equal(
			await runForError(...parseGiven({ name: "notes", type: "text/plain", content: "a" })),
			"neither the name nor the type of notes (text/plain) says its format; set format",
		);
		assert.equal(
			await runForError(...parseGiven({ name: "old.xls", content: "a" })),
			"xls files cannot be read; save the file as xlsx",
		);
	});

	test("reads html with select", async () => {
		const given = { name: "a.html", content: "<h1>Tea</h1><p>3 €" };
		assert.deepEqual(await runForOutput(...parseGiven(given, { select: { title: "h1", price: "p" } })), {
			title: "Tea",
			price: "3 €",
		});
	});

	test("takes exactly one of text and file", async () => {
		const { files, add } = memoryFiles();
		const file = add("a.json", "application/json", "1");
		const both = { file: "{{input.file}}", text: "1", format: "json" };
		assert.match(
			await runForError("parse", both, { input: { file }, effects: { files } }),
			/"file" must be left out/,
		);
		assert.match(listProblems("parse", { format: "json" }).join(), /must have text or file/);
		assert.match(listProblems("parse", { text: "1" }).join(), /"format" is required/);
		assert.match(listProblems("parse", { text: "1", format: "xlsx" }).join(), /xlsx is read from a file/);
	});

	test("refuses what is not a file, and a file that the run may not open", async () => {
		for (const file of ["a.csv", { $file: "a" }, { name: "a.csv" }, 1])
			assert.match(
				await runForError("parse", { file: "{{input.file}}", format: "csv" }, { input: { file } }),
				/"file" must be a file/,
			);
		const { add } = memoryFiles();
		const file = add("a.csv", "text/csv", "a");
		const { files } = memoryFiles();
		assert.equal(
			await runForError("parse", { file: "{{input.file}}" }, { input: { file }, effects: { files } }),
			"file not found",
		);
	});

	test("refuses parameters that the format of the file does not use", async () => {
		assert.equal(
			await runForError(...parseGiven({ name: "a.json", content: "1" }, { delimiter: ";" })),
			"delimiter is not used by json; leave it out",
		);
	});

	test("refuses a file that is too large for its format before reading it", async () => {
		const content = new Uint8Array(4 * 1024 * 1024 + 1);
		for (const name of ["a.json", "a.xml", "a.html", "a.ics"])
			assert.match(
				await runForError(...parseGiven({ name, content })),
				/^the file has 4\.0 MiB; as \w+, files of at most 4 MiB are read$/,
			);
	});
});

describe("the encoding of a file", () => {
	const utf16 = (text: string, isLittle: boolean): Uint8Array => {
		const bytes = Buffer.from(`\uFEFF${text}`, "utf16le");
		return isLittle ? bytes : bytes.swap16();
	};
	const latin = (text: string): Uint8Array => Buffer.from(text, "latin1");
	const cases: readonly [name: string, content: Uint8Array, more: { type?: string; encoding?: string }][] = [
		["UTF-8", Buffer.from("a\né"), {}],
		["UTF-8 with a mark", Buffer.from("\uFEFFa\né"), {}],
		["UTF-16 with a mark", utf16("a\né", true), {}],
		["UTF-16 with a mark, big end first", utf16("a\né", false), {}],
		["a mark in spite of a charset", Buffer.from("\uFEFFa\né"), { type: "text/csv; charset=windows-1252" }],
		["a charset", latin("a\né"), { type: 'text/csv; header=present; charset="ISO-8859-1"' }],
		["an encoding", latin("a\né"), { encoding: "windows-1252" }],
		[
			"an encoding in spite of a charset",
			latin("a\né"),
			{ type: "text/csv; charset=utf-8", encoding: "latin1" },
		],
		["Shift JIS", new Uint8Array([0x61, 0x0a, 0x93, 0xfa]), { encoding: "shift_jis" }],
	];
	for (const [name, content, { type = "text/csv", encoding }] of cases) {
		for (const pieceBytes of [1, 2, 3, 1000]) {
			test(`${name}, in pieces of ${pieceBytes}`, async () => {
				const options = encoding === undefined ? {} : { encoding };
				const output = await runForOutput(
					...parseGiven({ name: "a.csv", type, content, pieceBytes }, options),
				);
				assert.deepEqual(output, [{ a: name === "Shift JIS" ? "日" : "é" }]);
			});
		}
	}

	test("text in another encoding is an error, not garbage", async () => {
		assert.equal(
			await runForError(...parseGiven({ name: "a.csv", content: latin("a\né") })),
			"the file is not text in utf-8; set encoding, such as windows-1252",
		);
	});

	test("a character that is cut off at the end is an error", async () => {
		const content = Buffer.from("a\né").subarray(0, 3);
		assert.match(await runForError(...parseGiven({ name: "a.csv", content })), /not text in utf-8/);
	});

	test("an unknown encoding is an error", async () => {
		assert.match(
			await runForError(...parseGiven({ name: "a.csv", content: "a" }, { encoding: "klingon" })),
			/the encoding klingon is not known/,
		);
	});
});

describe("rows of a file", () => {
	for (const format of ["csv", "tsv", "jsonl"]) {
		test(`${format}: pieces of any size give what the text gives`, async () => {
			const part = fc.constantFrom(...'",\r\n\tab1[]{} é€', '"x"', '""', "a,b", "\r\n", "😀");
			await fc.assert(
				fc.asyncProperty(
					fc.array(part, { maxLength: 40 }).map((parts) => parts.join("")),
					fc.integer({ min: 1, max: 9 }),
					fc.boolean(),
					async (content, pieceBytes, header) => {
						const options: Options = { format, ...(format !== "jsonl" && { header }) };
						const fromFile = await runNode(...parseGiven({ name: "a", content, pieceBytes }, options));
						const fromText = await runNode(
							"parse",
							{ ...options, text: "{{input.t}}" },
							{ input: { t: content } },
						);
						assert.deepEqual(fromFile, fromText);
					},
				),
				{ numRuns: 400 },
			);
		});
	}

	test("offset and limit choose rows, of text as well", async () => {
		const text = "a\n0\n1\n2\n3\n4\n";
		const expected = [{ a: "1" }, { a: "2" }];
		const options = { offset: 1, limit: 2 };
		assert.deepEqual(await runForOutput(...parseGiven({ name: "a.csv", content: text }, options)), expected);
		assert.deepEqual(await runForOutput("parse", { format: "csv", text, ...options }), expected);
		const lines = { name: "a.jsonl", content: "0\n\n1\n2\n3" };
		assert.deepEqual(await runForOutput(...parseGiven(lines, options)), [1, 2]);
		assert.deepEqual(await runForOutput(...parseGiven(lines, { offset: 9 })), []);
	});

	test("what follows the last wanted row is not read", async () => {
		const given = { name: "a.csv", content: 'a\n1\n"never closed' };
		assert.deepEqual(await runForOutput(...parseGiven(given, { limit: 1 })), [{ a: "1" }]);
	});

	test("rows beyond the largest output are refused with what to do", async () => {
		const content = `a\n${"x".repeat(1000)}\n`.repeat(20_000);
		assert.equal(
			await runForError(...parseGiven({ name: "a.csv", content, pieceBytes: 65_536 }, { header: false })),
			"the output would be larger than 16 MiB as JSON; read fewer rows at a time with offset and limit",
		);
		const lines = `${"[".repeat(30)}${"]".repeat(30)}\n`.repeat(50_000);
		assert.equal(
			await runForError(...parseGiven({ name: "a.jsonl", content: lines, pieceBytes: 65_536 })),
			"the output would be larger than 48 MiB in memory; read fewer rows at a time with offset and limit",
		);
	});

	test("a row or line without an end does not fill the memory", async () => {
		const content = `"${"x".repeat(5 * 1024 * 1024)}`;
		assert.match(
			await runForError(...parseGiven({ name: "a.csv", content, pieceBytes: 65_536 })),
			/^not CSV, line 1: a row of more than 4194304 characters; is a quote missing\?$/,
		);
		assert.match(
			await runForError(...parseGiven({ name: "a.jsonl", content, pieceBytes: 65_536 })),
			/^not JSON lines, line 1: it is longer than 4194304 characters$/,
		);
	});
});
