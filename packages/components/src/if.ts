import type { Expression } from "@tripline/engine/component";
import { describeType } from "@tripline/engine/issues";
import { TerminalError } from "@tripline/engine/terminal-error";
import * as z from "zod";
import { define } from "./define.ts";
import { expression } from "./schemas.ts";

export const condition = define({
	id: "if",
	title: "If",
	description:
		"Takes one of two branches: the `ON_TRUE` edges if the condition is true, the `ON_FALSE` edges if it is false.",
	params: z.strictObject({
		condition: expression().meta({
			description:
				"CEL condition over the values that templates can read, such as `input.total > 100 && input.paid`",
		}),
	}),
	expressions: { condition: "value" },
	conditions: ["condition"],
	output: z.boolean(),
	isPure: true,
	examples: [
		{
			title: "Compare a number",
			input: { total: 120 },
			params: { condition: "input.total > 100" },
			output: true,
		},
		{
			title: "Check whether a list contains a word",
			input: { tags: ["new", "spam"] },
			params: { condition: '!("spam" in input.tags)' },
			output: false,
		},
		{
			title: "A condition must be true or false",
			input: { total: 120 },
			params: { condition: "input.total" },
			error: "condition must be true or false, not a number; compare it with something",
		},
	],
	run({ expressions }) {
		const holds = (expressions.condition as Expression)();
		if (typeof holds === "boolean") return holds;
		throw new TerminalError(
			`condition must be true or false, not ${describeType(holds)}; compare it with something`,
		);
	},
});
