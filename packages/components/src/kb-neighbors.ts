import { Neighbors } from "@tripline/contract/graph";
import { NodeName } from "@tripline/contract/triplets";
import * as z from "zod";
import { define } from "./define.ts";

export const kbNeighbors = define({
	id: "kb_neighbors",
	title: "Neighbors in the graph",
	description: "Lists the nodes connected to a node of the knowledge graph, nearest first.",
	params: z.strictObject({
		name: NodeName.meta({ description: "The node's name" }),
		depth: z.int().min(1).max(5).default(1).meta({ description: "Maximum distance in steps" }),
		direction: z
			.enum(["out", "in", "both"])
			.default("both")
			.meta({ description: "`out` follows triplets from subject to object, `in` from object to subject" }),
		predicate: NodeName.optional().meta({ description: "Follow only this predicate" }),
		limit: z.int().min(1).max(1000).default(100).meta({ description: "Maximum number of neighbors" }),
		includeDeprecated: z.boolean().default(false).meta({ description: "Include deprecated triplets" }),
	}),
	output: Neighbors.meta({ description: "`truncated` is true if there are more" }),
	examples: [
		{ title: "In both directions", input: { who: "Ada" }, params: { name: "{{input.who}}", depth: 2 } },
		{
			title: "An unknown node",
			params: { name: "Nobody", direction: "out" },
			output: { name: "Nobody", gloss: null, neighbors: [], truncated: false },
		},
	],
	run: ({ params, effects, signal }) => effects.knowledge.neighbors(params, signal),
});
