import * as z from "zod";
import { EntryType, Id, Namespace, Owner } from "./names.ts";
import { Instant, limit } from "./paging.ts";

/** Unix seconds: the last of the year 9999. */
export const END_OF_TIME = 253_402_300_799;
export const UnixSeconds = z.int().min(0).max(END_OF_TIME);

export const ClaimOccurrence = z
	.strictObject({
		owner_id: Namespace,
		id: Id.meta({ description: "The workflow's entry" }),
		now: UnixSeconds.optional().meta({ description: "Unix seconds; default the store's clock" }),
		since: UnixSeconds.optional().meta({
			description:
				"Unix seconds: since when the caller has looked for what is due. Times from then on are claimed one by one, the oldest first; of those before only the latest. Left out: only the latest",
		}),
	})
	.meta({ id: "ClaimOccurrence" });
export type ClaimOccurrence = z.input<typeof ClaimOccurrence>;

const Time = z.string().nullable();

export const ClaimedOccurrence = z.object({
	claimed: z.boolean().meta({ description: "This caller, and nobody else, is to start the run" }),
	occurrence: Time.meta({
		description: "ISO 8601: the time that the run is for; null when nothing is due",
	}),
	next_run_at: Time.meta({
		description: "ISO 8601: the first time after the occurrence; null when there is none",
	}),
});
export type ClaimedOccurrence = z.output<typeof ClaimedOccurrence>;

export const UpcomingQuery = z.strictObject({ owner_id: Owner, limit: limit(10, 100) });

export const UpcomingRuns = z.object({
	upcoming: z.array(
		z.object({
			workflow: z.string(),
			next_run_at: z.string().meta({ description: "ISO 8601, UTC; one that is past starts within a minute" }),
		}),
	),
});
export type UpcomingRuns = z.output<typeof UpcomingRuns>;

export const DueQuery = z.strictObject({ now: Instant.optional(), limit: limit(100, 1000) });

export const DueRuns = z.object({
	due: z.array(z.object({ id: Id, entry_type: EntryType, owner_id: z.string(), page_name: z.string() })),
	scheduled: z.int().meta({ description: "How many workflows have a schedule at all" }),
});
export type DueRuns = z.output<typeof DueRuns>;
