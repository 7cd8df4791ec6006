import { Neighbors } from "@tripline/contract/graph";
import { NodeName } from "@tripline/contract/triplets";
import * as z from "zod";
import { define } from "./define.ts";

export const kbNeighbors = define({
	id: "kb_neighbors",
	title: "Neighbors in the graph",
	description: "What a node of the knowledge graph is connected to, the nearest first.",
	params: z.strictObject({
		name: NodeName.meta({ description: "The node's name" }),
		depth: z.int().min(1).max(5).default(1).meta({ description: "How many steps away at most" }),
		direction: z
			.enum(["out", "in", "both"])
			.default("both")
			.meta({ description: "From subject to object, the other way, or either" }),
		predicate: NodeName.optional().meta({ description: "Only along this predicate" }),
		limit: z.int().min(1).max(1000).default(100).meta({ description: "How many at most" }),
		includeDeprecated: z.boolean().default(false).meta({ description: "Also what was deprecated" }),
	}),
	output: Neighbors.meta({ description: "`truncated` says that there are more" }),
	examples: [
		{ title: "All around", input: { who: "Ada" }, params: { name: "{{input.who}}", depth: 2 } },
		{
			title: "A node that nothing is known of",
			params: { name: "Nobody", direction: "out" },
			output: { name: "Nobody", gloss: null, neighbors: [], truncated: false },
		},
	],
	run: ({ params, effects, signal }) => effects.knowledge.neighbors(params, signal),
});
