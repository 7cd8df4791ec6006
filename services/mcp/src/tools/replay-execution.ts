import { Id } from "@tripline/contract/names";
import { ExecutorUnavailable } from "@tripline/executor/client";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { createUnknownExecution } from "./not-found.ts";
import { ToolProblem } from "./tool.ts";

/** Takes no other input, which run_workflow does: each argument costs characters in every conversation. */
export const replayExecution = defineTool({
	name: "replay_execution",
	title: "Repeat a run",
	description: "Repeats a run as a new one and does not wait for it. It has real effects: ask the user.",
	hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
	input: z.strictObject({
		execution_id: Id.meta({ description: "The run's id" }),
		from: z.enum(["start", "failed"]).optional().meta({ description: "failed: at the failed node" }),
		version: z.enum(["same", "current"]).optional().meta({ description: "Default: same" }),
	}),
	output: z.object({ execution_id: z.string() }),
	async call({ execution_id, ...request }, { executor }) {
		try {
			const accepted = await executor.executions.replay(execution_id, request);
			if (accepted === null) throw createUnknownExecution(execution_id);
			return { structured: { execution_id: accepted.execution_id } };
		} catch (error) {
			throw error instanceof ExecutorUnavailable ? createUncertain(error) : error;
		}
	},
});

const createUncertain = ({ message }: ExecutorUnavailable): ToolProblem =>
	new ToolProblem(
		`${message}. The new run may have started: check list_recent_executions before you try again.`,
	);
