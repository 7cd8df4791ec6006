/** Work that goes on after the response. A failure is reported, never thrown into the request. */
export interface Background {
	run(name: string, work: () => Promise<unknown>): void;
}

/** Told of background work that failed. */
export type ReportFailure = (name: string, error: unknown) => void;

/** Starts `work` so that neither a throw nor a rejection escapes. */
export async function settled(
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
