import { type Expression, TerminalError } from "@tripline/engine/component";
import { typeOf } from "@tripline/engine/issues";
import * as z from "zod";
import { define } from "./define.ts";
import { expression } from "./schemas.ts";

export const condition = define({
	id: "if",
	title: "If",
	description:
		"Decides between two ways on: `ON_TRUE` edges are taken when the condition holds, `ON_FALSE` edges when it does not.",
	params: z.strictObject({
		condition: expression().meta({
			description: "CEL over what templates can read, such as `input.total > 100 && input.paid`",
		}),
	}),
	expressions: { condition: "value" },
	output: z.boolean(),
	examples: [
		{
			title: "Compare a number",
			input: { total: 120 },
			params: { condition: "input.total > 100" },
			output: true,
		},
		{
			title: "Look for a word in a list",
			input: { tags: ["new", "spam"] },
			params: { condition: '!("spam" in input.tags)' },
			output: false,
		},
		{
			title: "A condition is true or false, nothing else",
			input: { total: 120 },
			params: { condition: "input.total" },
			error: "condition must give true or false, not a number; compare it with something",
		},
	],
	run({ expressions }) {
		const holds = (expressions.condition as Expression)();
		if (typeof holds === "boolean") return holds;
		throw new TerminalError(
			`condition must give true or false, not ${typeOf(holds)}; compare it with something`,
		);
	},
});
