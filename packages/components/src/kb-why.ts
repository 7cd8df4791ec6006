import { Belief } from "@tripline/contract/graph";
import { NodeName } from "@tripline/contract/triplets";
import * as z from "zod";
import { define } from "./define.ts";

export const kbWhy = define({
	id: "kb_why",
	title: "Explain a fact",
	description:
		"Tells whether a fact of the knowledge graph is known: which sources state it, what they replaced, and which stated it before. Names match regardless of case.",
	params: z.strictObject({
		subject: NodeName.meta({ description: "The subject, such as `Ada`" }),
		predicate: NodeName.meta({ description: "The relation, such as `works at`" }),
		object: NodeName.meta({ description: "The object, such as `Acme`" }),
	}),
	output: Belief.meta({ description: "The fact's triplets, each with its source" }),
	examples: [
		{
			title: "A known fact",
			input: { who: "Ada" },
			params: { subject: "{{input.who}}", predicate: "knows", object: "Charles" },
		},
		{
			title: "A fact that no source states",
			params: { subject: "Ada", predicate: "knows", object: "Nobody" },
			output: { believed: false, because: [], superseded: [], no_longer: [] },
		},
	],
	run: ({ params, effects, signal }) => effects.knowledge.explainFact(params, signal),
});
