import * as z from "zod";
import { Id, Namespace } from "./names.ts";

export const RUN_LEASE = "run_lease";

const Workflow = z.string().min(1).max(512).meta({ description: "The workflow whose runs are counted" });
const RunId = Id.meta({ description: "Execution id" });

/** Holds the leases of runs that have left their process until a wait ends. */
export const NO_PROCESS = "no process";

/** What a run needs to hold a lease of its workflow. */
export const leaseFields = {
	workflow: Workflow,
	max: z.int().min(1).optional().meta({
		description: "How many runs of the workflow may hold a lease. Absent: the run is only counted",
	}),
	seconds: z
		.int()
		.min(1)
		.max(31 * 86_400)
		.meta({ description: "When the lease ends if it is not released, by the store's clock" }),
	holder: z.string().max(64).meta({ description: "The process that holds it" }),
} as const;

export const TakeRunLease = z
	.strictObject({ owner_id: Namespace, id: RunId, ...leaseFields })
	.meta({ id: "TakeRunLease" });
export type TakeRunLease = z.input<typeof TakeRunLease>;

export const TakenRunLease = z.object({
	taken: z.boolean().meta({ description: "False if the maximum is reached" }),
	created: z.boolean().meta({ description: "False if the run already held it; then it is extended" }),
});
export type TakenRunLease = z.output<typeof TakenRunLease>;

export const ReleaseRunLease = z
	.strictObject({ owner_id: Namespace, id: RunId, workflow: Workflow })
	.meta({ id: "ReleaseRunLease" });
export type ReleaseRunLease = z.input<typeof ReleaseRunLease>;

export const ReleasedRunLease = z.object({
	released: z.boolean(),
	next: z
		.object({ id: Id.meta({ description: "Id of its entry" }), page_name: z.string() })
		.nullable()
		.meta({ description: "The accepted run that waits longest for this workflow" }),
});
export type ReleasedRunLease = z.output<typeof ReleasedRunLease>;

export const ClearRunLeases = z
	.strictObject({ holder: leaseFields.holder.meta({ description: "The only process that is left" }) })
	.meta({ id: "ClearRunLeases" });

export const ClearedRunLeases = z.object({ cleared: z.int() });
