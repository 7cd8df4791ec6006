import type { PdfReader } from "./pdf.ts";
import { type PdfJs, readPdfPages } from "./pdf-pages.ts";

/** A worker has 128 MB for all requests and cannot end one computation, so files must be small. */
const MAX_BYTES = 5 * 1024 * 1024;

/** Reads files in the isolate itself, with a pause after each page. */
export function workersPdf(): PdfReader {
	return {
		maxBytes: MAX_BYTES,
		async read(job, signal) {
			signal.throwIfAborted();
			const pdfjs = (await import("unpdf/pdfjs")) as unknown as PdfJs;
			const outcome = await readPdfPages(pdfjs, await job.content(), {
				pages: job.pages,
				async pause(characters) {
					await job.pause(characters);
					signal.throwIfAborted();
				},
			});
			signal.throwIfAborted();
			return outcome;
		},
		async close() {},
	};
}
