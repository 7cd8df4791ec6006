import { parentPort } from "node:worker_threads";
import type { PageRange, PdfOutcome } from "./pdf.ts";
import { LimitedUint8Array } from "./pdf-allocation.ts";
import { type PdfJs, readPdfPages } from "./pdf-pages.ts";
import { lowerPriority } from "./thread.node.ts";

/** The only message to the thread, which reports the outcome and is then ended. */
export interface PdfRequest {
	readonly data: Uint8Array<ArrayBuffer>;
	readonly pages: readonly PageRange[] | null;
}

lowerPriority();
globalThis.Uint8Array = LimitedUint8Array;
// It must see the limited arrays, so it is loaded only now.
const pdfjs = (await import("unpdf/pdfjs")) as unknown as PdfJs;

parentPort?.once("message", async ({ data, pages }: PdfRequest) => {
	const outcome: PdfOutcome = await readPdfPages(pdfjs, data, { pages, pause: async () => {} });
	parentPort?.postMessage(outcome);
});
