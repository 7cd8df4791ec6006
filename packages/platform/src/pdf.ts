/** Reads the text of PDF files, whose parsers are large and can neither be metered nor trusted to end. */
export interface PdfReader {
	/** The largest file that it reads. */
	readonly maxBytes: number;
	/** Never rejects because of the file: its problems are outcomes. Rejects when the signal is aborted. */
	read(job: PdfJob, signal: AbortSignal): Promise<PdfOutcome>;
	/** Ends threads. */
	close(): Promise<void>;
}

export interface PdfJob {
	/** Owners are served in turn. Absent if there is none. */
	readonly owner?: string;
	/** Called when it is the job's turn, so that waiting jobs hold no file in memory. The bytes may be taken away. */
	content(): Promise<Uint8Array<ArrayBuffer>>;
	/** Null for all. */
	readonly pages: readonly PageRange[] | null;
	/** Called after each page where the reader shares the thread of the run. */
	pause(characters: number): Promise<void>;
}

/** Inclusive, from 1. */
export interface PageRange {
	readonly from: number;
	/** Infinity for the last page. */
	readonly to: number;
}

export type PdfOutcome =
	| { readonly ok: true; readonly text: PdfText }
	| { readonly ok: false; readonly error: string };

export interface PdfText {
	readonly info: { readonly [name: string]: string };
	readonly pageCount: number;
	readonly pages: readonly { readonly number: number; readonly text: string }[];
}

/** Of one call. */
export const MAX_PDF_PAGES = 500;
