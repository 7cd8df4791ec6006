import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { writePages, writePdf } from "../../platform/test/pdf-writer.ts";
import { type GivenFile, parseGiven } from "./parse-given-file.ts";
import { runForError, runForOutput } from "./run-node.ts";

const readFixture = (name: string): GivenFile => ({
	name,
	content: readFileSync(new URL(`./fixtures/${name}`, import.meta.url)),
});
type Output = { readonly [name: string]: Json; readonly pages: { number: number; text: string }[] };
const read = async (given: GivenFile, options = {}) =>
	(await runForOutput(...parseGiven(given, options))) as unknown as Output;

describe("parse pdf", () => {
	for (const name of ["pages.pdf", "encrypted.pdf"]) {
		test(`reads the text of ${name}, which LibreOffice and qpdf wrote, by page`, async () => {
			const { created, ...output } = await read(readFixture(name));
			assert.match(String(created), /^\d{4}-\d\d-\d\dT.*Z$/);
			assert.deepEqual(output, {
				title: "Two pages",
				author: null,
				subject: null,
				modified: null,
				page_count: 2,
				pages: [
					{ number: 1, text: "Report & more\nThe first page: Grüße, 3 €.\ntea cup" },
					{ number: 2, text: "The second page." },
				],
			});
		});
	}

	test("a password is asked for by an error", async () => {
		assert.equal(
			await runForError(...parseGiven(readFixture("password.pdf"))),
			"the PDF has a password; save it without one",
		);
	});

	test("pages chooses single pages and ranges", async () => {
		const given = { name: "a.pdf", content: writePages(12) };
		for (const [pages, expected] of [
			["2", [2]],
			["1-2, 5", [1, 2, 5]],
			["11-", [11, 12]],
		] as const)
			assert.deepEqual(
				(await read(given, { pages })).pages.map(({ number }) => number),
				expected,
			);
		assert.equal(
			await runForError(...parseGiven(given, { pages: "13" })),
			"there is no page 13; the PDF has 12 pages",
		);
		assert.equal(
			await runForError(...parseGiven(given, { pages: "5-2" })),
			"pages 5-2 must go from a page to a later one",
		);
		for (const pages of ["", "0", "1-2-3", "a", "1,"])
			assert.match(await runForError(...parseGiven(given, { pages })), /must be page numbers and ranges/);
	});

	test("many pages are refused with how to choose some of them", async () => {
		const given = { name: "a.pdf", content: writePages(501), pieceBytes: 65_536 };
		assert.equal(
			await runForError(...parseGiven(given)),
			"the PDF has 501 pages; at most 500 are read at a time: choose them with pages, such as 1-500",
		);
		assert.deepEqual((await read(given, { pages: "501" })).pages, [{ number: 501, text: "Page 501" }]);
	});

	const dates: readonly [written: string, read: string | null][] = [
		["D:20260302083000+01'00'", "2026-03-02T07:30:00.000Z"],
		["D:20260302083000Z", "2026-03-02T08:30:00.000Z"],
		["D:20260302083000-0330", "2026-03-02T12:00:00.000Z"],
		["D:20260302", "2026-03-02T00:00:00"],
		["D:20261302", null],
		["yesterday", null],
	];
	for (const [written, expected] of dates) {
		test(`the date ${written} is ${expected}`, async () => {
			const content = writePdf(
				[
					"<< /Type /Catalog /Pages 2 0 R >>",
					"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
					"<< /Type /Page /Parent 2 0 R >>",
					`<< /ModDate (${written}) >>`,
				],
				{ trailer: "/Info 4 0 R" },
			);
			assert.equal((await read({ name: "a.pdf", content })).modified, expected);
		});
	}

	test("a file that is not a PDF, or too large, is refused", async () => {
		assert.equal(
			await runForError(...parseGiven({ name: "a.pdf", content: "hello" })),
			"the file is not a PDF, or it is damaged",
		);
		const content = new Uint8Array(32 * 1024 * 1024 + 1);
		assert.match(
			await runForError(...parseGiven({ name: "a.pdf", content })),
			/files of at most 32 MiB are read/,
		);
	});
});
