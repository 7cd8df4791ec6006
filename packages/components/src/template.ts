import { formatText } from "@tripline/engine/expressions/text-size";
import * as z from "zod";
import { define } from "./define.ts";
import { anything } from "./schemas.ts";

export const template = define({
	id: "template",
	title: "Text",
	description: "Builds text from a template.",
	params: z.strictObject({
		text: anything().meta({
			description:
				"The text. A single reference is converted to text: null is empty, objects and lists become JSON",
		}),
	}),
	output: z.string(),
	isPure: true,
	examples: [
		{
			title: "A sentence",
			input: { name: "Ada", tags: ["a", "b"] },
			params: { text: 'Hello {{input.name | upper}}, you have {{input.tags | join(" and ")}}.' },
			output: "Hello ADA, you have a and b.",
		},
		{
			title: "A value as text",
			input: { order: { id: 7 } },
			params: { text: "{{input.order}}" },
			output: '{"id":7}',
		},
	],
	run: ({ params, meter }) => formatText(params.text, "text", meter),
});
