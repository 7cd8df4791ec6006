import { StateName } from "@tripline/contract/state";
import * as z from "zod";
import { define } from "./define.ts";
import { anything } from "./schemas.ts";

export const stateGet = define({
	id: "state_get",
	title: "Read a named value",
	description:
		"Reads a small named value that `state_set` or `state_increment` stored, in this run or another one of the namespace.",
	params: z.strictObject({
		name: StateName,
		default: anything().default(null).meta({
			description: "The output's `value` if the name has no value, or its lifetime has passed",
		}),
	}),
	output: z.object({
		value: anything().meta({ description: "The value, or `default`" }),
		exists: z.boolean().meta({ description: "Whether the name has a value" }),
	}),
	examples: [
		{
			title: "A name without a value",
			params: { name: "last invoice" },
			output: { value: null, exists: false },
		},
		{
			title: "With a default",
			input: { shop: "lyon" },
			params: { name: "cursor of {{input.shop}}", default: { page: 1 } },
			output: { value: { page: 1 }, exists: false },
		},
	],
	async run({ params, effects, signal }) {
		const value = await effects.state.get(params.name, signal);
		return value === null ? { value: params.default, exists: false } : { value, exists: true };
	},
});
