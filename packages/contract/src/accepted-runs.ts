import * as z from "zod";
import { WriteEntry } from "./entries.ts";
import { Id, Namespace } from "./names.ts";
import { leaseFields } from "./run-leases.ts";
import { UnixSeconds } from "./schedules.ts";

export const ACCEPTED_RUN = "accepted_run";

/** Per namespace: runs accepted but not started. */
export const MAX_WAITING_RUNS = 1_000;
/** Per namespace: runs that have left their process until a wait ends. */
export const MAX_PARKED_RUNS = 100_000;
/** Runs started from one root (an event, a schedule or an outside call) through the events that its runs emit. */
export const MAX_DESCENDED_RUNS = 1_000;

/**
 * Only the executor writes it, from values that are already checked. Parsing it again would double what a large input
 * costs; the database refuses text that is not JSON.
 */
const RunMetadata = z.string().regex(/^\{.*\}$/s, "must be a JSON object");

const RunId = Id.meta({ description: "Execution id; also the entry's page name" });

export const AcceptRuns = z
	.strictObject({
		owner_id: Namespace,
		due_at: UnixSeconds.meta({
			description: "When another process may take them over if they have not ended",
		}),
		metadata_json: RunMetadata.meta({
			description: "Fields common to all runs: a JSON object, as text",
		}),
		runs: z
			.array(
				z.strictObject({
					id: RunId,
					metadata_json: RunMetadata.meta({
						description: "Fields of this run, none of them a common one: a JSON object, as text",
					}),
					waits_for: z.string().max(512).optional().meta({
						description:
							"The named workflow that the run waits for, empty for a webhook's run. Absent: it starts at once",
					}),
				}),
			)
			.min(1)
			.max(MAX_DESCENDED_RUNS),
		root: Id.optional().meta({ description: "The root that led to them through events: a UUIDv7" }),
	})
	.meta({ id: "AcceptRuns" });
export type AcceptRuns = z.input<typeof AcceptRuns>;

export const AcceptedRuns = z.object({
	accepted: z.array(Id).meta({ description: "Ids of the runs that are new" }),
	refused: z
		.enum(["waiting", "descended"])
		.nullable()
		.meta({ description: "The limit that would be exceeded; then none is accepted" }),
});
export type AcceptedRuns = z.output<typeof AcceptedRuns>;

export const ClaimAcceptedRun = z
	.strictObject({
		owner_id: Namespace,
		id: RunId,
		attempts: z.int().min(0).meta({ description: "How many times it was started, as read by the caller" }),
		due_at: UnixSeconds.meta({ description: "When another process may take it over if it has not ended" }),
		holder: leaseFields.holder.optional().meta({ description: "The process that starts it" }),
		lease: z.strictObject(leaseFields).optional().meta({
			description:
				"The run also needs a lease of its workflow, in the order of acceptance. Without one it is not claimed and waits",
		}),
	})
	.meta({ id: "ClaimAcceptedRun" });
export type ClaimAcceptedRun = z.input<typeof ClaimAcceptedRun>;

export const ClaimedAcceptedRun = z.object({
	claimed: z.boolean().meta({ description: "Whether this caller, and no other, must start the run" }),
	metadata_json: z.string().nullable().meta({ description: "The run; null if it was not claimed" }),
});
export type ClaimedAcceptedRun = z.output<typeof ClaimedAcceptedRun>;

export const ParkAcceptedRun = ClaimAcceptedRun.pick({
	owner_id: true,
	id: true,
	attempts: true,
	due_at: true,
})
	.extend({
		due_at: UnixSeconds.meta({ description: "When it has to go on" }),
		workflow: z.string().max(512).meta({ description: "Its workflow; empty for a webhook's run" }),
	})
	.meta({ id: "ParkAcceptedRun" });
export type ParkAcceptedRun = z.input<typeof ParkAcceptedRun>;

export const ParkedAcceptedRun = z.object({
	due_at: UnixSeconds.nullable().meta({
		description: "When it is due; null if it has ended, another process has claimed it, or it is refused",
	}),
	refused: z.boolean().meta({ description: `Whether ${MAX_PARKED_RUNS} runs of the owner wait already` }),
});

export type ParkedAcceptedRun = z.output<typeof ParkedAcceptedRun>;

export const EndAcceptedRun = z
	.strictObject({
		owner_id: Namespace,
		id: RunId,
		metadata_json: WriteEntry.shape.metadata_json.meta({
			description: "What replaces the run: a JSON object, as text",
		}),
	})
	.meta({ id: "EndAcceptedRun" });
export type EndAcceptedRun = z.input<typeof EndAcceptedRun>;

export const EndedAcceptedRun = z.object({
	ended: z.boolean().meta({ description: "False if it had already ended or does not exist" }),
});

export const CancelAcceptedRuns = z
	.strictObject({
		owner_id: Namespace,
		waits_for: z.string().min(1).max(512).meta({ description: "The workflow whose waiting runs end" }),
		parked: z.boolean().default(false).meta({
			description:
				"Instead of runs that wait to start, those that have started and wait for a time or an answer",
		}),
		error: z.string().min(1).max(1000).meta({ description: "Why they end" }),
		up_to: z.int().min(0).optional().meta({
			description: "From the previous response: runs accepted since then are kept. Absent: all runs end",
		}),
	})
	.meta({ id: "CancelAcceptedRuns" });
export type CancelAcceptedRuns = z.input<typeof CancelAcceptedRuns>;

const Target = z.string().nullable().meta({ description: "From the run's input, if it is text" });

export const CancelledAcceptedRuns = z.object({
	cancelled: z.array(z.object({ id: Id, trigger: z.string(), page_name: Target, path: Target })),
	more: z.boolean().meta({ description: "Whether more are left: repeat the call with up_to" }),
	up_to: z.int(),
});
export type CancelledAcceptedRuns = z.output<typeof CancelledAcceptedRuns>;
