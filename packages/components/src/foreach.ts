import * as z from "zod";
import { define } from "./define.ts";
import { inferSameList } from "./items.ts";
import { anyList } from "./schemas.ts";

export const foreach = define({
	id: "foreach",
	title: "For each",
	description:
		"Starts a loop: the nodes after its `FOREACH <name>` edge run once per element. Any node whose output is a list can start a loop; this component only passes a list through.",
	params: z.strictObject({
		items: anyList().meta({ description: "A list, or a reference to a list" }),
	}),
	output: anyList().meta({ description: "The list" }),
	inferOutput: inferSameList,
	isPure: true,
	examples: [
		{
			title: "Over a list from the trigger",
			input: { orders: [{ id: 1 }, { id: 2 }] },
			params: { items: "{{input.orders}}" },
			output: [{ id: 1 }, { id: 2 }],
		},
		{
			title: "Over a literal list",
			params: { items: ["de", "fr", "zh"] },
			output: ["de", "fr", "zh"],
		},
		{
			title: "An object is not a list",
			input: { orders: { id: 1 } },
			params: { items: "{{input.orders}}" },
			error: 'parameter "items" must be a list, but is an object',
		},
	],
	run: ({ params }) => params.items,
});
