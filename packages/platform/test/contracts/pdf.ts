import assert from "node:assert/strict";
import type { PdfJob, PdfOutcome, PdfReader, PdfText } from "../../src/pdf.ts";
import { writePage, writePages, writePdf } from "../pdf-writer.ts";
import type { ContractCase } from "./contract.ts";

type Bytes = Uint8Array<ArrayBuffer>;

function read(reader: PdfReader, bytes: Bytes, more: Partial<PdfJob> = {}): Promise<PdfOutcome> {
	const job = { pages: null, content: async () => bytes, pause: async () => {}, ...more };
	return reader.read(job, new AbortController().signal);
}

async function readText(reader: PdfReader, bytes: Bytes, more: Partial<PdfJob> = {}): Promise<PdfText> {
	const outcome = await read(reader, bytes, more);
	assert.ok(outcome.ok, `failed: ${JSON.stringify(outcome)}`);
	return outcome.text;
}

async function readError(reader: PdfReader, bytes: Bytes, more: Partial<PdfJob> = {}): Promise<string> {
	const outcome = await read(reader, bytes, more);
	assert.ok(!outcome.ok, `gave ${JSON.stringify(outcome).slice(0, 300)}`);
	return outcome.error;
}

/** Compresses this many mebibytes of blanks, and a text behind them that only a reader without a limit reaches. */
async function compressBlanks(mebibytes: number): Promise<Bytes> {
	const piece = new Uint8Array(1024 * 1024).fill(32);
	let left = mebibytes;
	const source = new ReadableStream<Bytes>({
		pull(controller) {
			if (left-- > 0) {
				controller.enqueue(piece.slice());
				return;
			}
			controller.enqueue(new TextEncoder().encode(draw("beyond the limit")));
			controller.close();
		},
	});
	return new Uint8Array(
		await new Response(source.pipeThrough(new CompressionStream("deflate"))).arrayBuffer(),
	);
}

async function compress(bytes: Bytes): Promise<Bytes> {
	return new Uint8Array(
		await new Response(
			new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate")),
		).arrayBuffer(),
	);
}

const draw = (text: string) => `BT /F 12 Tf 10 200 Td (${text}) Tj ET`;

/** Files that must give an error or what little text they have, soon. */
const HOSTILE: readonly { readonly name: string; readonly make: () => Bytes | Promise<Bytes> }[] = [
	{ name: "an empty file", make: () => new Uint8Array() },
	{ name: "text that is not a PDF", make: () => new TextEncoder().encode("<html>".repeat(10_000)) },
	{ name: "a file that is cut off", make: () => writePages(20).slice(0, 900) },
	{
		name: "a page tree that contains itself",
		make: () =>
			writePdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 100 >>"]),
	},
	{
		name: "two page trees that contain each other",
		make: () =>
			writePdf([
				"<< /Type /Catalog /Pages 2 0 R >>",
				"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
				"<< /Type /Pages /Kids [2 0 R] /Count 1 >>",
			]),
	},
	{
		name: "a table of objects that continues with itself",
		make: () => writePdf(["<< /Type /Catalog /Pages 1 0 R >>"], { trailer: "/Prev 60", startxref: 60 }),
	},
	{
		name: "objects that refer to themselves",
		make: () => writePdf(["<< /Type /Catalog /Pages 2 0 R >>", "2 0 R"]),
	},
	{
		name: "a form that draws itself",
		make: () =>
			writePage(
				{ dictionary: "", stream: "/X Do" },
				{
					dictionary:
						"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>",
					stream: "/X Do /X Do",
				},
			),
	},
	{
		name: "values that nest very deeply",
		make: () => writePage({ dictionary: "", stream: `${"[".repeat(200_000)} TJ` }),
	},
	{
		name: "a stream that becomes 100 MiB",
		make: async () => writePage({ dictionary: "/Filter /FlateDecode", stream: await compressBlanks(100) }),
	},
	{
		name: "a stream that is compressed twice",
		make: async () =>
			writePage({
				dictionary: "/Filter [/FlateDecode /FlateDecode]",
				stream: await compress(await compressBlanks(100)),
			}),
	},
	{
		name: "a number of pages that is too large for any file",
		make: () =>
			writePdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 2000000000 >>"]),
	},
	{
		name: "a script that runs when the file is opened, and an address",
		make: () =>
			writePdf([
				"<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (globalThis.wasRun = true) >> /URI << /Base (https://example.com) >> >>",
				"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
				"<< /Type /Page /Parent 2 0 R /AA << /O << /S /JavaScript /JS (globalThis.wasRun = true) >> >> >>",
			]),
	},
];

export const pdfContract: readonly ContractCase<PdfReader>[] = [
	{
		name: "reads the text of every page in order",
		async run(reader) {
			const { pages, pageCount } = await readText(reader, writePages(3));
			assert.equal(pageCount, 3);
			assert.deepEqual(pages, [
				{ number: 1, text: "Page 1" },
				{ number: 2, text: "Page 2" },
				{ number: 3, text: "Page 3" },
			]);
		},
	},
	{
		name: "reads only the pages that are chosen, each once",
		async run(reader) {
			const ranges = [
				{ from: 4, to: 4 },
				{ from: 2, to: 3 },
				{ from: 3, to: 3 },
				{ from: 9, to: Number.POSITIVE_INFINITY },
			];
			const { pages } = await readText(reader, writePages(10), { pages: ranges });
			assert.deepEqual(
				pages.map(({ number }) => number),
				[2, 3, 4, 9, 10],
			);
		},
	},
	{
		name: "refuses a page that does not exist",
		async run(reader) {
			assert.equal(
				await readError(reader, writePages(2), { pages: [{ from: 3, to: 5 }] }),
				"there is no page 3; the PDF has 2 pages",
			);
		},
	},
	{
		name: "refuses more than 500 pages with how to choose them",
		async run(reader) {
			const bytes = writePages(2000);
			assert.equal(
				await readError(reader, bytes.slice()),
				"the PDF has 2000 pages; at most 500 are read at a time: choose them with pages, such as 1-500",
			);
			const { pages } = await readText(reader, bytes, { pages: [{ from: 1999, to: 2000 }] });
			assert.equal(pages[1]?.text, "Page 2000");
		},
	},
	{
		name: "reads what the file says about itself",
		async run(reader) {
			const bytes = writePdf(
				[
					"<< /Type /Catalog /Pages 2 0 R >>",
					"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
					"<< /Type /Page /Parent 2 0 R >>",
					"<< /Title (A title) /Author (Ada) /CreationDate (D:20260302083000+01'00') /Other (x) >>",
				],
				{ trailer: "/Info 4 0 R" },
			);
			assert.deepEqual((await readText(reader, bytes)).info, {
				Title: "A title",
				Author: "Ada",
				CreationDate: "D:20260302083000+01'00'",
			});
		},
	},
	{
		name: "fails with the error of its content, and reads on",
		async run(reader) {
			const content = async (): Promise<Bytes> => {
				throw new Error("no content");
			};
			await assert.rejects(read(reader, new Uint8Array(), { content }), { message: "no content" });
			assert.equal((await readText(reader, writePages(1))).pageCount, 1);
		},
	},
	{
		name: "rejects if it was aborted",
		async run(reader) {
			const job = { pages: null, content: async () => writePages(1), pause: async () => {} };
			await assert.rejects(reader.read(job, AbortSignal.abort(new Error("enough"))), { message: "enough" });
		},
	},
	...HOSTILE.map(({ name, make }) => ({
		name: `hostile: ${name}`,
		async run(reader: PdfReader) {
			const outcome = await read(reader, await make());
			if (outcome.ok) assert.equal(outcome.text.pages.map(({ text }) => text).join(""), "");
			else assert.match(outcome.error, /^(?:the|there is no page|reading) /);
			assert.equal((globalThis as { wasRun?: boolean }).wasRun, undefined);
			const { pages } = await readText(reader, writePage({ dictionary: "", stream: draw("still reads") }));
			assert.equal(pages[0]?.text, "still reads");
		},
	})),
];
