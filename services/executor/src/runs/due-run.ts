import type { DueRuns } from "@tripline/contract/schedules";

/** An entry that is due: a scheduled workflow, or an accepted run whose process is gone. */
export type DueRun = DueRuns["due"][number] & {
	/** Omitted: it is read when the run starts. */
	readonly metadata_json?: string;
	readonly version?: number | undefined;
	/** Of an accepted run that continues: how many invocations have started each other for it. */
	readonly hops?: number | undefined;
};
