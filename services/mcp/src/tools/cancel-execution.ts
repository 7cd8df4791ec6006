import { Id } from "@tripline/contract/names";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { createUnknownExecution } from "./not-found.ts";

export const cancelExecution = defineTool({
	name: "cancel_execution",
	title: "Cancel a run",
	description:
		"Cancels a run that has not ended. Nodes in progress are aborted; only what their ALWAYS edges lead to still runs, for 30 seconds at most (`cancelling`). Ask the user first.",
	hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
	input: z.strictObject({ execution_id: Id.meta({ description: "The run's id" }) }),
	output: z.object({ execution_id: z.string(), status: z.enum(["cancelled", "cancelling"]) }),
	async call({ execution_id }, { executor }) {
		const cancelled = await executor.executions.cancel(execution_id);
		if (cancelled === null) throw createUnknownExecution(execution_id);
		return { structured: { execution_id: cancelled.execution_id, status: cancelled.status } };
	},
});
