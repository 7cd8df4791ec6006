import { StateName, StateNumber, StateTtl } from "@tripline/contract/state";
import * as z from "zod";
import { define } from "./define.ts";

export const stateIncrement = define({
	id: "state_increment",
	title: "Count",
	description:
		"Adds to a named number and gives the new value. A name without a value counts from 0. Concurrent runs lose nothing, and each gets its own value. With `ttl_seconds` it counts within a period of time: the period starts with the first increment.",
	params: z.strictObject({
		name: StateName,
		by: StateNumber.default(1).meta({ description: "What is added; may be negative or a decimal" }),
		ttl_seconds: StateTtl.optional().meta({
			description: "Lifetime in seconds of a new counter; an existing one keeps its own",
		}),
	}),
	output: z.object({ value: z.number().meta({ description: "The number after this node" }) }),
	examples: [
		{
			title: "Number the invoices",
			params: { name: "invoices" },
			output: { value: 1 },
		},
		{
			title: "Count the calls of a customer in an hour",
			input: { customer: "c-7" },
			params: { name: "calls of {{input.customer}}", ttl_seconds: 3600 },
			output: { value: 1 },
		},
		{
			title: "Add an amount",
			input: { amount: 12.5 },
			params: { name: "revenue", by: "{{input.amount}}" },
			output: { value: 12.5 },
		},
	],
	run: async ({ params, effects, signal }) => ({ value: await effects.state.increment(params, signal) }),
});
