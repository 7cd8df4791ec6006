import { type Clock, unixSeconds } from "@tripline/platform/clock";
import type { Metrics } from "@tripline/platform/metrics";
import type { TotalStorage } from "./storage/totals.ts";

/** Reads what the database holds at each scrape. */
export function readTotals(metrics: Metrics, totals: TotalStorage, clock: Clock): void {
	metrics.read(
		{
			tripline_runs_stored: {
				type: "gauge",
				help: "Accepted runs that wait for others of their workflow, and parked runs, which wait for a time, an answer or an event",
			},
			tripline_leases: { type: "gauge", help: "Leases of runs of workflows that limit them" },
			tripline_schedules_overdue: { type: "gauge", help: "Schedules that were not started in time" },
			tripline_files: { type: "gauge", help: "Stored files" },
			tripline_file_bytes: { type: "gauge", help: "Bytes of files, as MAX_FILES_BYTES counts them" },
		},
		async () => {
			const found = await totals.read(unixSeconds(clock));
			return {
				tripline_runs_stored: [
					[{ state: "waiting" }, found.waiting_runs],
					[{ state: "parked" }, found.parked_runs],
				],
				tripline_leases: found.leases,
				tripline_schedules_overdue: found.overdue_schedules,
				tripline_files: found.files,
				tripline_file_bytes: found.file_bytes,
			};
		},
		{ isShared: true },
	);
}
