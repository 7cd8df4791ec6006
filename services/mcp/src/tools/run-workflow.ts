import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { anyObject, maxChars, select } from "./fields.ts";
import { RunOutput, runAndDescribe } from "./running.ts";
import { workflowName } from "./workflow-name.ts";

export const runWorkflow = defineTool({
	name: "run_workflow",
	title: "Run a workflow",
	description:
		"Runs a saved workflow now, waits for it (at most 30 seconds) and returns its output. The run has real effects, such as sending email. A long output is truncated; read the rest with get_execution while it is available. If the run fails, error and failed_node say where.",
	hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
	input: z.strictObject({
		name: workflowName,
		input: anyObject.default({}).meta({
			type: "object",
			additionalProperties: true,
			description:
				'The input of the workflow; options.input_schema in get_workflow says what it needs. Example: {"name":"Ada"}. Default {}',
		}),
		select,
		trace: z
			.boolean()
			.default(false)
			.meta({ description: "Return what every node did; default: only nodes that failed or were slow" }),
		max_chars: maxChars,
	}),
	output: RunOutput,
	call: ({ max_chars, ...request }, context) => runAndDescribe({ ...request, maxChars: max_chars }, context),
});
