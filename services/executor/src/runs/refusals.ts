import { Failed } from "@tripline/contract/failures";

/** The record of an occurrence or event that was not run, because its workflow skips overlapping runs. */
export const SKIPPED = "skipped: a run of this workflow was in progress";

export const busy = (): Failed =>
	new Failed({ kind: "unavailable", message: "too many runs at once, try again", retryAfterSeconds: 1 });

export const inProgress = (): Failed =>
	new Failed({ kind: "conflict", message: "a run of this workflow is in progress", retryAfterSeconds: 5 });
