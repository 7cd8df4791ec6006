import { WorkflowName } from "@tripline/contract/workflows";
import * as z from "zod";
import { define } from "../define.ts";
import { anyObject } from "../schemas.ts";

/** A step of an agent, not a component of its own: what its model is told about the workflows that are its tools. */
export const describeWorkflows = define({
	id: "agent_workflows",
	title: "Describe workflows",
	description: "Reads the descriptions and the input schemas of workflows.",
	params: z.strictObject({ names: z.array(WorkflowName) }),
	output: z.array(
		z.object({ name: z.string(), description: z.string(), input_schema: anyObject().nullable() }),
	),
	examples: [],
	run: async ({ params, effects, signal }) => {
		const found = await Promise.all(params.names.map((name) => effects.describeWorkflow(name, signal)));
		return found.map((each) => each && { ...each });
	},
});
