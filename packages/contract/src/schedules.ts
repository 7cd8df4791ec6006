import * as z from "zod";
import { WriteEntry } from "./entries.ts";
import { EntryType, Id, Namespace, Owner } from "./names.ts";
import { Instant, limit } from "./paging.ts";

/** Unix seconds: the last second of the year 9999. */
export const END_OF_TIME = 253_402_300_799;
export const UnixSeconds = z.int().min(0).max(END_OF_TIME);

export const ClaimOccurrence = z
	.strictObject({
		owner_id: Namespace,
		id: Id.meta({ description: "Id of the workflow's entry" }),
		now: UnixSeconds.optional().meta({ description: "Unix seconds; default the store's clock" }),
		since: UnixSeconds.optional().meta({
			description:
				"Unix seconds: when the caller started to check for due runs. Occurrences from then on are claimed one by one, oldest first; of earlier ones only the latest. Absent: only the latest",
		}),
		run: z
			.strictObject({
				id: Id.meta({ description: "Execution id" }),
				due_at: UnixSeconds.meta({
					description: "When another process may take it over if it has not ended",
				}),
				metadata_json: WriteEntry.shape.metadata_json.meta({
					description: "The run without its input, which is the scheduled time: a JSON object, as text",
				}),
				waits_for: z.string().max(512).optional().meta({
					description: "The named workflow that the run waits for. Absent: it starts at once",
				}),
			})
			.optional()
			.meta({ description: "A run to accept together with the claim. Absent: none" }),
	})
	.meta({ id: "ClaimOccurrence" });
export type ClaimOccurrence = z.input<typeof ClaimOccurrence>;

const Time = z.string().nullable();

export const ClaimedOccurrence = z.object({
	claimed: z.boolean().meta({ description: "Whether this caller, and no other, must start the run" }),
	accepted: z.boolean().optional().meta({
		description:
			"Whether the run that was to be accepted with the claim is stored; false if too many wait already. Absent: no run was given",
	}),
	occurrence: Time.meta({
		description: "ISO 8601: the scheduled time of the run; null if nothing is due",
	}),
	next_run_at: Time.meta({
		description: "ISO 8601: the next time after the occurrence; null if there is none",
	}),
});
export type ClaimedOccurrence = z.output<typeof ClaimedOccurrence>;

export const UpcomingQuery = z.strictObject({ owner_id: Owner, limit: limit(10, 100) });

export const UpcomingRuns = z.object({
	upcoming: z.array(
		z.object({
			workflow: z.string(),
			next_run_at: z
				.string()
				.meta({ description: "ISO 8601, UTC; a time in the past starts within a minute" }),
		}),
	),
});
export type UpcomingRuns = z.output<typeof UpcomingRuns>;

export const DueQuery = z.strictObject({ now: Instant.optional(), limit: limit(100, 1000) });

export const DueRuns = z.object({
	due: z.array(z.object({ id: Id, entry_type: EntryType, owner_id: z.string(), page_name: z.string() })),
	scheduled: z.int().meta({ description: "Number of workflows with a schedule" }),
});
export type DueRuns = z.output<typeof DueRuns>;
