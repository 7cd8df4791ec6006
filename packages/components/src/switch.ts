import * as z from "zod";
import { define } from "./define.ts";
import { anything } from "./schemas.ts";

export const choice = define({
	id: "switch",
	title: "Switch",
	description:
		"Takes one of several branches: the `CASE <value>` edge with the same value, compared as text, or `DEFAULT` if there is none.",
	params: z.strictObject({
		value: anything().meta({ description: "The value that is compared with the cases, as text" }),
	}),
	output: anything().meta({ description: "The value" }),
	inferOutput: ({ param }) => param("value"),
	examples: [
		{
			title: "By a value of the trigger",
			input: { plan: "pro" },
			params: { value: "{{input.plan}}" },
			output: "pro",
		},
		{
			title: "By a number: `CASE 404` is taken",
			input: { status: 404 },
			params: { value: "{{input.status}}" },
			output: 404,
		},
	],
	run: ({ params }) => params.value,
});
