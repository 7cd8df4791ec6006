import { deflateRawSync, deflateSync } from "node:zlib";
import { writeDocx } from "../../../../packages/components/test/docx-writer.ts";
import { writeXlsx } from "../../../../packages/components/test/xlsx-writer.ts";
import { writeZip } from "../../../../packages/components/test/zip-writer.ts";
import { writePage, writePages } from "../../../../packages/platform/test/pdf-writer.ts";
import { type Case, type Family, makeWebhook, oneNode, type Step, send } from "../case.ts";
import { createFilled, list, text } from "../shapes.ts";

/** Just below what a trigger takes. */
const BYTES = 10_400_000;
/** Just below what formats take that are read as a whole. */
const TEXT_BYTES = 4_190_000;
const MEBIBYTE = 1024 * 1024;

type Content = () => Uint8Array | string;

/** Files that stay small on the way and grow when they are read, and files that are merely large. */
const PARSED: Readonly<Record<string, readonly [settings: object, content: Content]>> = {
	"a workbook of a million cells": [
		{ format: "xlsx", header: false },
		() => book(text(1_000, () => `<row>${text(1_000, (at) => `<c><v>${at * 7919}</v></c>`)}</row>`)),
	],
	"a workbook of 100,000 rows": [
		{ format: "xlsx" },
		() => book(text(100_000, (at) => `<row><c><v>${at}</v></c><c t="str"><v>customer ${at}</v></c></row>`)),
	],
	"a workbook of 10,000 sheets": [
		{ format: "xlsx", sheet: "*" },
		() => writeXlsx({ sheets: Object.fromEntries(list(10_000, (at) => [`sheet ${at}`, ""])) }),
	],
	"a workbook of a million shared texts": [
		{ format: "xlsx" },
		() =>
			writeXlsx({
				sheets: { a: '<row><c t="s"><v>999999</v></c></row>' },
				strings: list(1_000_000, (at) => `<t>${at * 7919}</t>`),
			}),
	],
	"a workbook whose long text is used often": [
		{ format: "xlsx", header: false },
		() =>
			writeXlsx({
				sheets: { a: text(100_000, () => '<row><c t="s"><v>0</v></c></row>') },
				strings: [`<t>${"x".repeat(30_000)}</t>`],
			}),
	],
	"a workbook of one cell of 20 MB": [
		{ format: "xlsx" },
		() => book(`<row><c t="str"><v>${text(2_000_000, (at) => `${at * 7919} `)}</v></c></row>`),
	],
	"a workbook of attributes": [
		{ format: "xlsx" },
		() => book(`<row ${text(500_000, (at) => `a${at}="1"`, " ")}></row>`),
	],
	"a workbook of entities": [
		{ format: "xlsx", header: false },
		() => book(`<row><c t="str"><v>${text(1_000_000, (at) => `&#${38 + (at % 90_000)};`)}</v></c></row>`),
	],
	"an archive of 65,535 entries": [
		{ format: "zip" },
		() => writeZip(list(65_535, (at) => ({ path: `folder/${at}.txt`, content: "", stored: true }))),
	],
	"an archive of 30,000 long names": [
		{ format: "zip" },
		() => writeZip(list(30_000, (at) => ({ path: `${"n".repeat(100)}${at}`, content: "", stored: true }))),
	],
	"an archive that becomes a gigabyte": [
		{ format: "zip", extract: "*" },
		() => writeZip(list(10, (at) => ({ path: `${at}.txt`, content: "", lies: createBomb(100 * MEBIBYTE) }))),
	],
	"an archive with 1,000 entries at one place": [
		{ format: "zip", extract: "*" },
		() => writeZip(list(1_000, (at) => ({ path: `${at}`, content: "x".repeat(9_000), lies: { start: 0 } }))),
	],
	"1,000 entries that match 100 patterns": [
		{ format: "zip", extract: list(100, () => `${"*a".repeat(100)}*b`) },
		() => writeZip(list(1_000, (at) => ({ path: `${"a".repeat(500)}${at}`, content: "x" }))),
	],
	"a document of a million paragraphs": [
		{ format: "docx" },
		() => writeDocx(text(1_000_000, (at) => `<w:p><w:r><w:t>${at * 7919}</w:t></w:r></w:p>`)),
	],
	"a document of one paragraph of 20 MB": [
		{ format: "docx" },
		() => writeDocx(`<w:p><w:r><w:t>${text(2_000_000, (at) => `${at * 7919} `)}</w:t></w:r></w:p>`),
	],
	"a document that nests 100,000 tables": [
		{ format: "docx" },
		() => writeDocx("<w:tbl><w:tr><w:tc>".repeat(100_000) + "</w:tc></w:tr></w:tbl>".repeat(100_000)),
	],
	"a document of a million runs with styles": [
		{ format: "docx" },
		() =>
			writeDocx(
				`<w:p>${text(1_000_000, (at) => `<w:r><w:rPr><w:b/></w:rPr><w:t>*${at * 7919}</w:t></w:r>`)}</w:p>`,
			),
	],
	"a PDF of 10,000 pages": [{ format: "pdf" }, () => writePages(10_000)],
	"500 of 10,000 pages": [{ format: "pdf", pages: "9501-10000" }, () => writePages(10_000)],
	"a PDF that becomes 100 MiB": [
		{ format: "pdf" },
		() =>
			writePage({
				dictionary: "/Filter /FlateDecode",
				stream: deflateSync(new Uint8Array(100 * MEBIBYTE).fill(32)),
			}),
	],
	"a PDF that draws itself": [
		{ format: "pdf" },
		() =>
			writePage(
				{ dictionary: "", stream: "/X Do" },
				{
					dictionary:
						"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>",
					stream: "/X Do ".repeat(1_000),
				},
			),
	],
	"a PDF of a million words": [
		{ format: "pdf" },
		() => writePage({ dictionary: "", stream: `BT /F 9 Tf ${"(a) Tj 9 0 Td ".repeat(500_000)} ET` }),
	],
	"a PDF of open brackets": [{ format: "pdf" }, () => `%PDF-1.7\n${"[<<".repeat(BYTES / 3 - 9)}`],
	"CSV of commas": [{ format: "csv", header: false }, () => ",".repeat(BYTES)],
	"CSV of quotes": [{ format: "csv" }, () => '"'.repeat(BYTES)],
	"CSV of line breaks": [{ format: "csv", header: false }, () => "a\n".repeat(BYTES / 2)],
	"CSV of 1,000 columns": [
		{ format: "csv" },
		() => createFilled(BYTES, (at) => text(1_000, (column) => `${at}${column}`, ","), "\n"),
	],
	"CSV with another encoding": [
		{ format: "csv", encoding: "shift_jis" },
		() => new Uint8Array(BYTES).fill(0x82),
	],
	"JSON of brackets": [{ format: "json" }, () => "[".repeat(TEXT_BYTES)],
	"JSON of numbers": [{ format: "json" }, () => `[${"1,".repeat(TEXT_BYTES / 2 - 9)}1]`],
	"JSON lines": [{ format: "jsonl" }, () => "{}\n".repeat(BYTES / 3)],
	"JSON lines of brackets": [{ format: "jsonl" }, () => `${"[".repeat(1_000)}\n`.repeat(BYTES / 1_001)],
	"XML of elements": [{ format: "xml" }, () => `<a>${"<b/>".repeat(TEXT_BYTES / 4 - 9)}</a>`],
	"XML that nests": [{ format: "xml" }, () => "<a>".repeat(TEXT_BYTES / 3)],
	"XML of entities": [{ format: "xml" }, () => `<a>${"&lt;".repeat(TEXT_BYTES / 4 - 9)}</a>`],
	"HTML that nests": [{ format: "html", select: { a: "b b b b" } }, () => "<b>".repeat(TEXT_BYTES / 3)],
	"HTML of siblings": [
		{ format: "html", select: { a: { all: "i ~ i ~ i:not(b)" } } },
		() => "<i></i>".repeat(TEXT_BYTES / 7),
	],
	"a calendar of events": [
		{ format: "ics" },
		() =>
			`BEGIN:VCALENDAR\n${"BEGIN:VEVENT\nUID:a\nDTSTART:20260101T000000Z\nEND:VEVENT\n".repeat(72_000)}END:VCALENDAR`,
	],
	"a calendar of folded lines": [{ format: "ics" }, () => `BEGIN:VCALENDAR\nX:${"\n a".repeat(1_390_000)}`],
};

/** Files of what a caller sent. */
const MADE: Readonly<Record<string, object>> = {
	"a workbook of 100,000 rows": { name: "a.xlsx", rows: "{{rows}}" },
	"CSV of 100,000 rows": { name: "a.csv", rows: "{{rows}}" },
	"a workbook of 1,000 columns": {
		name: "a.xlsx",
		rows: "{{rows}}",
		columns: list(1_000, (at) => ({ field: "a", name: `column ${at}` })),
	},
	"JSON of 100,000 rows": { name: "a.json", data: "{{rows}}" },
	"text of 100,000 rows": { name: "a.txt", text: "{{rows | json}}{{rows | json}}" },
	"an archive of the same file": {
		name: "a.zip",
		files: list(1_000, (at) => ({ path: `${at}.csv`, file: "{{input.file}}" })),
	},
};

const QUICK: ReadonlySet<string> = new Set([
	"a workbook of a million cells",
	"an archive that becomes a gigabyte",
	"a document of a million paragraphs",
	"CSV of quotes",
	"JSON of brackets",
	"a PDF that draws itself",
	"HTML of siblings",
]);

const trigger = { type: "webhook", accept: ["bytes"] };

const upload = (content: Content): Step =>
	send("/webhooks/{token}/trigger?trace=false", content, {
		headers: ["content-type", "application/octet-stream"],
	});

const parsed: Case[] = Object.entries(PARSED).map(([name, [settings, content]]) => ({
	name: `parse: ${name}`,
	steps: [
		prepare(oneNode({ component: "parse", file: "{{input.file}}", ...settings }, { trigger })),
		upload(content),
	],
	...(QUICK.has(name) && { isQuick: true as const }),
}));

const made: Case[] = Object.entries(MADE).map(([name, settings]) => ({
	name: `make_file: ${name}`,
	steps: [
		prepare({
			trigger,
			triplets: ["rows >> then >> file"],
			config: {
				rows: { component: "parse", format: "csv", file: "{{input.file}}" },
				file: { component: "make_file", ...settings },
			},
		}),
		upload(() => `a,b\n${text(100_000, (at) => `${at},text ${at}`, "\n")}`),
	],
}));

function prepare(document: object): Step {
	return { ...makeWebhook(() => document), isPreparation: true };
}

const book = (rows: string): Uint8Array => writeXlsx({ sheets: { a: rows } });

/** An entry that becomes this many bytes. */
const createBomb = (bytes: number) => ({ size: bytes, data: deflateRawSync(new Uint8Array(bytes)) });

/** Files that a stranger uploads to a workflow that reads them, or makes others of them. */
export const files: Family = { name: "files", cases: [...parsed, ...made] };
