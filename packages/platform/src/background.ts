/** Runs work that continues after the response. Failures are reported, never thrown into the request. */
export interface Background {
	run(name: string, work: () => Promise<unknown>): void;
}

/** Called when background work fails. */
export type ReportFailure = (name: string, error: unknown) => void;

/** Starts `work` so that neither a throw nor a rejection escapes. */
export async function runReported(
	name: string,
	work: () => Promise<unknown>,
	report: ReportFailure,
): Promise<void> {
	try {
		await work();
	} catch (error) {
		report(name, error);
	}
}
