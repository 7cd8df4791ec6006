import * as z from "zod";
import { WriteEntry } from "./entries.ts";
import { Id, Namespace } from "./names.ts";
import { UnixSeconds } from "./schedules.ts";

export const ACCEPTED_RUN = "accepted_run";

/** Of a namespace: accepted and not started. */
export const MAX_WAITING_RUNS = 1_000;
/** From one event, schedule or call from outside, by way of the events that its runs raise. */
export const MAX_DESCENDED_RUNS = 1_000;

const RunId = Id.meta({ description: "The execution's id, which is the entry's page" });

export const AcceptRuns = z
	.strictObject({
		owner_id: Namespace,
		due_at: UnixSeconds.meta({
			description: "When another may take them over, if they have not ended by then",
		}),
		metadata_json: WriteEntry.shape.metadata_json.meta({
			description: "What they have in common: a JSON object, as text",
		}),
		runs: z
			.array(
				z.strictObject({
					id: RunId,
					metadata_json: WriteEntry.shape.metadata_json.meta({
						description: "What it has of its own, put over what they have in common",
					}),
					waits_for: z.string().max(512).optional().meta({
						description:
							"The named workflow that the run waits to start, empty for a webhook's. Left out: it starts at once",
					}),
				}),
			)
			.min(1)
			.max(MAX_DESCENDED_RUNS),
		root: Id.optional().meta({ description: "What they descend from, by way of events: a UUIDv7" }),
	})
	.meta({ id: "AcceptRuns" });
export type AcceptRuns = z.input<typeof AcceptRuns>;

export const AcceptedRuns = z.object({
	accepted: z.array(Id).meta({ description: "Those that are new" }),
	refused: z
		.enum(["waiting", "descended"])
		.nullable()
		.meta({ description: "Which limit would be passed; then none is accepted" }),
});
export type AcceptedRuns = z.output<typeof AcceptedRuns>;

export const ClaimAcceptedRun = z
	.strictObject({
		owner_id: Namespace,
		id: RunId,
		attempts: z.int().min(0).meta({ description: "How often it was started, as the caller read it" }),
		due_at: UnixSeconds.meta({ description: "When another may take it over, if it has not ended by then" }),
	})
	.meta({ id: "ClaimAcceptedRun" });
export type ClaimAcceptedRun = z.input<typeof ClaimAcceptedRun>;

export const ClaimedAcceptedRun = z.object({
	claimed: z.boolean().meta({ description: "This caller, and nobody else, is to start the run" }),
	metadata_json: z.string().nullable().meta({ description: "The run; null when it was not claimed" }),
});
export type ClaimedAcceptedRun = z.output<typeof ClaimedAcceptedRun>;

export const EndAcceptedRun = z
	.strictObject({
		owner_id: Namespace,
		id: RunId,
		metadata_json: WriteEntry.shape.metadata_json.meta({
			description: "What takes the run's place: a JSON object, as text",
		}),
	})
	.meta({ id: "EndAcceptedRun" });
export type EndAcceptedRun = z.input<typeof EndAcceptedRun>;

export const EndedAcceptedRun = z.object({
	ended: z.boolean().meta({ description: "False: it had ended already, or there is none" }),
});

export const CancelAcceptedRuns = z
	.strictObject({
		owner_id: Namespace,
		waits_for: z.string().min(1).max(512).meta({ description: "The workflow whose runs are to end" }),
		error: z.string().min(1).max(1000).meta({ description: "Why they end" }),
		up_to: z.int().min(0).optional().meta({
			description: "Of the answer before: runs that were accepted since stay. Left out: all that there are",
		}),
	})
	.meta({ id: "CancelAcceptedRuns" });
export type CancelAcceptedRuns = z.input<typeof CancelAcceptedRuns>;

const Target = z.string().nullable().meta({ description: "Of its input, where it is text" });

export const CancelledAcceptedRuns = z.object({
	cancelled: z.array(z.object({ id: Id, trigger: z.string(), page_name: Target, path: Target })),
	more: z.boolean().meta({ description: "There are more, for the same call with up_to" }),
	up_to: z.int(),
});
export type CancelledAcceptedRuns = z.output<typeof CancelledAcceptedRuns>;
