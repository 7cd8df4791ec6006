import * as z from "zod";
import { tool } from "./described.ts";
import { anyObject, maxChars, select } from "./fields.ts";
import { RanWorkflow, ran } from "./running.ts";
import { workflowName } from "./workflow-name.ts";

export const runWorkflow = tool({
	name: "run_workflow",
	title: "Run a workflow",
	description:
		"Runs a saved workflow now, waits for it (30 seconds at most) and returns its output. It really does what its nodes do, such as sending mail. A long output is shortened; the rest is read with get_execution while it is held. If the run fails, error and failed_node say where.",
	hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
	input: z.strictObject({
		name: workflowName,
		input: anyObject.default({}).meta({
			type: "object",
			additionalProperties: true,
			description:
				'What the workflow sees as input; options.input_schema of get_workflow says what it needs, for example {"name":"Ada"}. Default {}',
		}),
		select,
		trace: z
			.boolean()
			.default(false)
			.meta({ description: "Also tell what every node did; default only those that failed or were slow" }),
		max_chars: maxChars,
	}),
	output: RanWorkflow,
	call: ({ max_chars, ...request }, context) => ran({ ...request, maxChars: max_chars }, context),
});
