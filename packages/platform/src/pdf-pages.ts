import { MAX_PDF_PAGES, type PageRange, type PdfJob, type PdfOutcome, type PdfText } from "./pdf.ts";

/** What is used of pdf.js. */
export interface PdfJs {
	getDocument(options: Readonly<Record<string, unknown>>): LoadingTask;
}

interface LoadingTask {
	readonly promise: Promise<PdfDocument>;
	destroy(): Promise<void>;
}

interface PdfDocument {
	readonly numPages: number;
	getPage(number: number): Promise<PdfPage>;
	getMetadata(): Promise<{ readonly info: Readonly<Record<string, unknown>> }>;
}

interface PdfPage {
	getTextContent(): Promise<{
		readonly items: readonly { readonly str?: string; readonly hasEOL?: boolean }[];
	}>;
	cleanup(): boolean;
}

/** All texts together; twice as many bytes at most fit into a node's output. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
const MAX_INFO_CHARACTERS = 1000;
const INFO = ["Title", "Author", "Subject", "CreationDate", "ModDate"];

/** Nothing is evaluated, drawn or fetched: no fonts, no images, no character maps. */
const OPTIONS = {
	isEvalSupported: false,
	disableFontFace: true,
	useSystemFonts: true,
	useWorkerFetch: false,
	useWasm: false,
	enableXfa: false,
	isOffscreenCanvasSupported: false,
	isImageDecoderSupported: false,
	maxImageSize: 1,
	disableAutoFetch: true,
	disableStream: true,
	verbosity: 0,
};

/** Reads the text of the chosen pages, one after the other. */
export async function readPdfPages(
	pdfjs: PdfJs,
	data: Uint8Array,
	{ pages: chosen, pause }: Pick<PdfJob, "pages" | "pause">,
): Promise<PdfOutcome> {
	const task = pdfjs.getDocument({ ...OPTIONS, data });
	let refusal: { readonly error: unknown } | null = null;
	try {
		const pdf = await task.promise;
		const pageCount = pdf.numPages;
		const numbers = choosePages(chosen, pageCount);
		if (typeof numbers === "string") return { ok: false, error: numbers };
		const pages: { number: number; text: string }[] = [];
		let room = MAX_CHARACTERS;
		for (const number of numbers) {
			const text = await readPage(pdf, number);
			room -= text.length;
			if (room < 0)
				return {
					ok: false,
					error: `the text is longer than ${MAX_CHARACTERS} characters; choose fewer pages`,
				};
			pages.push({ number, text });
			await pause(text.length).catch((error: unknown) => {
				refusal = { error };
			});
			if (refusal !== null) break;
		}
		if (refusal === null) return { ok: true, text: { info: await readInfo(pdf), pageCount, pages } };
	} catch (error) {
		return { ok: false, error: explain(error) };
	} finally {
		await task.destroy().catch(() => {});
	}
	throw (refusal as { readonly error: unknown }).error;
}

/** The numbers of the pages, or the problem with them. */
function choosePages(chosen: readonly PageRange[] | null, count: number): number[] | string {
	const numbers = new Set<number>();
	for (const { from, to } of chosen ?? [{ from: 1, to: count }]) {
		if (from > count) return `there is no page ${from}; the PDF has ${count} pages`;
		for (let number = from; number <= Math.min(to, count); number++) {
			numbers.add(number);
			if (numbers.size > MAX_PDF_PAGES)
				return `the PDF has ${count} pages; at most ${MAX_PDF_PAGES} are read at a time: choose them with pages, such as 1-${MAX_PDF_PAGES}`;
		}
	}
	return [...numbers].sort((one, other) => one - other);
}

async function readPage(pdf: PdfDocument, number: number): Promise<string> {
	const page = await pdf.getPage(number);
	const { items } = await page.getTextContent();
	let text = "";
	for (const { str = "", hasEOL = false } of items) text += hasEOL ? `${str}\n` : str;
	page.cleanup();
	return text.trim().toWellFormed();
}

async function readInfo(pdf: PdfDocument): Promise<PdfText["info"]> {
	const { info } = await pdf.getMetadata();
	return Object.fromEntries(
		INFO.flatMap((name) => {
			const value = info[name];
			return typeof value === "string" && value.trim() !== ""
				? [[name, value.slice(0, MAX_INFO_CHARACTERS).trim().toWellFormed()]]
				: [];
		}),
	);
}

function explain(error: unknown): string {
	const { name, message } = error instanceof Error ? error : { name: "", message: "" };
	if (name === "PasswordException") return "the PDF has a password; save it without one";
	if (name === "InvalidPDFException") return "the file is not a PDF, or it is damaged";
	if (error instanceof RangeError || /memory|allocation|too large/i.test(message))
		return "the PDF needs too much memory to read";
	return "the PDF is damaged: it cannot be read";
}
