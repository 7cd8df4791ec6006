import { WorkflowName, WorkflowTag } from "@tripline/contract/workflows";
import * as z from "zod";
import { define } from "../define.ts";
import { anyObject } from "../schemas.ts";

/** Of all tools of an agent. */
export const MAX_TOOLS = 64;

/**
 * A step of an agent, not a component of its own: what its model is told about the workflows that are its tools. First
 * those that it names, null for one that does not exist, then those of each tag by name, with that tag.
 */
export const describeWorkflows = define({
	id: "agent_workflows",
	title: "Describe workflows",
	description: "Reads the descriptions and the input schemas of workflows.",
	params: z.strictObject({ names: z.array(WorkflowName), tags: z.array(WorkflowTag).default([]) }),
	output: z.array(
		z.object({
			name: z.string(),
			description: z.string(),
			input_schema: anyObject().nullable(),
			tag: z.string().optional(),
		}),
	),
	examples: [],
	run: async ({ params, effects, signal }) => {
		const named = await Promise.all(params.names.map((name) => effects.describeWorkflow(name, signal)));
		const tagged = await Promise.all(
			params.tags.map(async (tag) => {
				// One more than there may be, so that it is known whether there are too many.
				const found = await effects.listTaggedWorkflows(tag, MAX_TOOLS + 1, signal);
				return found
					.toSorted((one, other) => (one.name < other.name ? -1 : 1))
					.map((each) => ({ ...each, tag }));
			}),
		);
		return [...named.map((each) => each && { ...each }), ...tagged.flat()];
	},
});
