import * as z from "zod";
import { define } from "./define.ts";
import { anyList } from "./schemas.ts";

export const foreach = define({
	id: "foreach",
	title: "For each",
	description:
		"Starts a loop: the nodes after its `FOREACH <name>` edge run once for each element. Any node whose output is a list can start one; this one only names the list.",
	params: z.strictObject({
		items: anyList().meta({ description: "A list, or one reference to a list" }),
	}),
	output: anyList().meta({ description: "The list" }),
	examples: [
		{
			title: "Over a list of the trigger",
			input: { orders: [{ id: 1 }, { id: 2 }] },
			params: { items: "{{input.orders}}" },
			output: [{ id: 1 }, { id: 2 }],
		},
		{
			title: "Over a list written out",
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
