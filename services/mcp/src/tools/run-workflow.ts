import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { anyObject, maxChars, select } from "./fields.ts";
import { RunOutput, runAndDescribe } from "./running.ts";
import { workflowName } from "./workflow-name.ts";

export const runWorkflow = defineTool({
	name: "run_workflow",
	title: "Run a workflow",
	description:
		"Runs a saved workflow now, waits for it (at most 30 seconds) and returns its output as data. The run has real effects, such as sending email. If it fails, error and failed_node say where, and next says what to check. A run that waits for a time goes on without you. Read the rest of a long output with get_execution.",
	hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
	input: z.strictObject({
		name: workflowName,
		input: anyObject.default({}).meta({
			type: "object",
			additionalProperties: true,
			description: 'Its input, as options.input_schema in get_workflow says, for example {"name":"Ada"}',
		}),
		select,
		trace: z
			.boolean()
			.default(false)
			.meta({ description: "Return every node, not only those that failed or were slow" }),
		max_chars: maxChars,
	}),
	output: RunOutput,
	call: ({ max_chars, ...request }, context) => runAndDescribe({ ...request, maxChars: max_chars }, context),
});
