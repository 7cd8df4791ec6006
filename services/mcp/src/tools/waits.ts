import { type UnfinishedExecution, WaitsFor } from "@tripline/contract/executor";
import * as z from "zod";

/** Output fields of a run that has not ended and waits. */
export const waitFields = {
	waits_for: WaitsFor.optional().meta({ description: "Set while it waits; it goes on by itself" }),
	until: z.string().optional().meta({ description: "When it goes on, at the latest" }),
} as const;

export const toWaitFields = (run: Pick<UnfinishedExecution, "waits_for" | "until"> | null) => ({
	...(run !== null && run.waits_for !== null && { waits_for: run.waits_for }),
	...(run?.until !== undefined && { until: run.until }),
});

/** What an assistant has to know of a run that it need not wait for. */
export const describeTimedWait = (executionId: string, until: string): string =>
	`The run has not ended: it waits until ${until} at the latest and then goes on by itself, so do not run it again. get_execution {"execution_id":"${executionId}"} returns its status, cancel_execution ends it.`;
