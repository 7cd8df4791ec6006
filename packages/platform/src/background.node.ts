import { type Background, type ReportFailure, runReported } from "./background.ts";

/** Tracks work in progress so that shutdown can wait for it. */
export function nodeBackground(report: ReportFailure): Background & { flush(): Promise<void> } {
	const underWay = new Set<Promise<void>>();
	return {
		run(name, work) {
			const task = runReported(name, work, report).then(() => {
				underWay.delete(task);
			});
			underWay.add(task);
		},
		async flush() {
			// Work may start more work.
			while (underWay.size > 0) await Promise.all(underWay);
		},
	};
}
