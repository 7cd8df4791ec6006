import * as z from "zod";
import { WriteEntry } from "./entries.ts";
import { Id, Namespace } from "./names.ts";
import { UnixSeconds } from "./schedules.ts";

export const ACCEPTED_RUN = "accepted_run";

const RunId = Id.meta({ description: "The execution's id, which is the entry's page" });

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
