import * as z from "zod";
import { define } from "./define.ts";
import { anyObject } from "./schemas.ts";

export const set = define({
	id: "set",
	title: "Set values",
	description: "Collects named values, so that later nodes can read them in one place.",
	params: z.strictObject({ values: anyObject().meta({ description: "The values by name" }) }),
	anyInside: ["values"],
	output: anyObject().meta({ description: "The values" }),
	inferOutput: ({ param }) => param("values"),
	isPure: true,
	examples: [
		{
			title: "A constant and a value of the trigger",
			input: { user: { name: "Ada" } },
			params: { values: { greeting: "Hello", name: "{{input.user.name}}" } },
			output: { greeting: "Hello", name: "Ada" },
		},
		{
			title: "A single reference keeps its type",
			input: { prices: [3, 4] },
			params: { values: { prices: "{{input.prices}}", label: "{{input.prices | length}} prices" } },
			output: { prices: [3, 4], label: "2 prices" },
		},
	],
	run: ({ params }) => params.values,
});
