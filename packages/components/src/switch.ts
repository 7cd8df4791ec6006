import type { Json } from "@tripline/contract/json";
import type { Expression } from "@tripline/engine/component";
import { describeType } from "@tripline/engine/issues";
import { TerminalError } from "@tripline/engine/terminal-error";
import { NULL, TEXT, unionType } from "@tripline/engine/types/type";
import * as z from "zod";
import { define } from "./define.ts";
import { prefixErrors } from "./prefix-errors.ts";
import { anything, expression } from "./schemas.ts";

const MAX_CASES = 100;

const Label = z
	.string()
	.min(1, "must not be empty")
	.max(200)
	.refine((label) => !label.includes("{{"), "must be fixed text: a CASE edge names it")
	.refine((label) => label !== "null", "must be another text: null means that no case holds");

const Cases = z
	.array(
		z.strictObject({
			label: Label.meta({ description: "The value of its `CASE` edge" }),
			when: expression().meta({ description: "CEL condition, such as `input.total > 100`" }),
		}),
	)
	.min(1)
	.max(MAX_CASES)
	.superRefine((cases, context) => {
		const seen = new Set<string>();
		for (const [index, { label }] of cases.entries()) {
			if (seen.has(label))
				context.addIssue({ code: "custom", path: [index, "label"], message: "is used twice" });
			seen.add(label);
		}
	});

export const choice = define({
	id: "switch",
	title: "Switch",
	description: `Takes one of several branches, by one of two parameters:

- \`value\`: the \`CASE <value>\` edge with the same value, compared as text.
- \`cases\`: the \`CASE <label>\` edge of the first case whose condition holds.

If there is none, \`DEFAULT\` is taken.`,
	params: z
		.strictObject({
			value: anything()
				.optional()
				.meta({ description: "The value that is compared with the cases, as text" }),
			cases: Cases.optional().meta({
				description:
					"Conditions in order, each with the label of its edge, such as `{ label: large, when: input.total > 100 }`; `when` is a CEL condition",
			}),
		})
		.superRefine(({ value, cases }, context) => {
			if (value === undefined && cases === undefined)
				context.addIssue({ code: "custom", path: [], message: "need either value or cases" });
			if (value !== undefined && cases !== undefined)
				context.addIssue({ code: "custom", path: ["cases"], message: "cannot be combined with value" });
		}),
	expressions: { cases: "cases" },
	output: anything().meta({
		description: "The value; with `cases` the label of the first case that holds, or null",
	}),
	inferOutput: ({ has, param }) => (has("cases") ? unionType([TEXT, NULL]) : param("value")),
	isPure: true,
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
		{
			title: "By conditions: the first that holds",
			input: { total: 250 },
			params: {
				cases: [
					{ label: "large", when: "input.total >= 1000" },
					{ label: "medium", when: "input.total >= 100" },
					{ label: "small", when: "input.total >= 0" },
				],
			},
			output: "medium",
		},
		{
			title: "No condition holds: `DEFAULT` is taken",
			input: { total: -1 },
			params: { cases: [{ label: "valid", when: "input.total >= 0" }] },
			output: null,
		},
	],
	run({ params, expressions }) {
		const { value, cases } = params;
		if (cases === undefined) return value as Json;
		const conditions = expressions.cases as readonly Expression[];
		const found = cases.find(({ label }, index) =>
			prefixErrors(
				() => `case ${label}`,
				() => evaluateCondition(conditions[index] as Expression),
			),
		);
		return found?.label ?? null;
	},
});

function evaluateCondition(condition: Expression): boolean {
	const holds = condition();
	if (typeof holds === "boolean") return holds;
	throw new TerminalError(
		`when must be true or false, not ${describeType(holds)}; compare it with something`,
	);
}
