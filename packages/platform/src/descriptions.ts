import type { DescriptionJob, DescriptionOutcome } from "@tripline/openapi/job";

/** Reads OpenAPI descriptions, which may have megabytes, without holding up what else the process does. */
export interface DescriptionReader {
	/** The largest description that it reads. */
	readonly maxBytes: number;
	/**
	 * Never rejects because of the description: its problems are outcomes. Rejects with `ReaderBusy`, and when the signal is
	 * aborted. The content may be taken away.
	 */
	read(job: ReaderJob, signal: AbortSignal): Promise<DescriptionOutcome>;
	/** Ends threads. */
	close(): Promise<void>;
}

interface ReaderJob extends Omit<DescriptionJob, "maxUnits" | "content"> {
	/** Owners are served in turn. */
	readonly owner: string;
	readonly content: Uint8Array<ArrayBuffer>;
}

/** Too many jobs are waiting. */
export class ReaderBusy extends Error {
	override readonly name = "ReaderBusy";
}

export const toProblem = (message: string): DescriptionOutcome => ({
	kind: "problem",
	issues: [{ path: "description", message }],
});
