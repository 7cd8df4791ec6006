import type { Expression } from "@tripline/engine/component";
import { objectType } from "@tripline/engine/types/type";
import * as z from "zod";
import { define } from "./define.ts";
import { prefixErrors } from "./prefix-errors.ts";
import { anyObject, expression } from "./schemas.ts";

const MAX_VALUES = 100;
const BYTES_PER_VALUE = 24;

export const compute = define({
	id: "compute",
	title: "Compute values",
	description:
		"Computes named values with CEL expressions. The values are independent: one cannot read another.",
	params: z.strictObject({
		values: anyObject()
			.superRefine((values, context) => {
				const names = Object.keys(values);
				if (names.length === 0) context.addIssue("must not be empty");
				if (names.length > MAX_VALUES) context.addIssue(`must be at most ${MAX_VALUES} values`);
				for (const name of names) {
					if (expression().safeParse(values[name]).success) continue;
					const message = "must be an expression as text, such as input.price * 2";
					context.addIssue({ code: "custom", path: [name], message });
				}
			})
			.meta({
				description:
					"CEL expressions by name, over the values that templates can read, such as `{ total: input.price * input.count }`",
			}),
	}),
	expressions: { values: "values" },
	output: anyObject().meta({ description: "The results by name" }),
	inferOutput: ({ expressions }) => objectType(expressions("values")),
	isPure: true,
	examples: [
		{
			title: "A total and a label",
			input: { name: "tea", price: 4.35, count: 3 },
			params: {
				values: {
					total: "round(input.price * input.count, 2)",
					label: "input.name.upper() + ' x' + string(input.count)",
				},
			},
			output: { total: 13.05, label: "TEA x3" },
		},
		{
			title: "A value that may be missing",
			input: { at: "2026-01-20" },
			params: {
				values: {
					due: "timestamp(input.at) + duration('14d')",
					note: "has(input.note) ? input.note : 'none'",
				},
			},
			output: { due: "2026-02-03T00:00:00.000Z", note: "none" },
		},
		{
			title: "An error names the value",
			input: { price: 4 },
			params: { values: { half: "input.price / 2", total: "input.price * input.count" } },
			error: 'total: "input.count" is missing: "input" has no "count"; it has price',
		},
	],
	run({ expressions, meter }) {
		const values = Object.entries(expressions.values as Readonly<Record<string, Expression>>);
		meter.recordBytes(BYTES_PER_VALUE * values.length);
		return Object.fromEntries(values.map(([name, evaluate]) => [name, prefixErrors(() => name, evaluate)]));
	},
});
