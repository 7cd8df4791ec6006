import * as z from "zod";
import { define } from "./define.ts";
import { anything } from "./schemas.ts";

export const choice = define({
	id: "switch",
	title: "Switch",
	description:
		"Decides between many ways on: the `CASE <value>` edge whose value is the same text is taken, or `DEFAULT` when there is none.",
	params: z.strictObject({
		value: anything().meta({ description: "What the cases are compared with, as text" }),
	}),
	output: anything().meta({ description: "The value" }),
	examples: [
		{
			title: "By a word of the trigger",
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
