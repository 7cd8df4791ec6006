import { findUnstorable } from "@tripline/contract/json";
import { findStateSizeProblem, MAX_STATE_VALUE_BYTES, StateName, StateTtl } from "@tripline/contract/state";
import * as z from "zod";
import { define } from "./define.ts";
import { anything } from "./schemas.ts";
import { subtractSize } from "./size.ts";
import { refuseUnkept } from "./unkept-files.ts";

const Value = anything().superRefine((value, context) => {
	// The other checks visit every value, so they must not run for a value that is too large.
	const isTooLarge = subtractSize(value, MAX_STATE_VALUE_BYTES) < 0;
	const problem = isTooLarge
		? `must be at most ${MAX_STATE_VALUE_BYTES / 1024} KiB of JSON`
		: (findUnstorable(value) ?? findStateSizeProblem(JSON.stringify(value)));
	if (problem !== null) context.addIssue({ code: "custom", message: problem });
});

export const stateSet = define({
	id: "state_set",
	title: "Store a named value",
	description:
		"Stores a small named value for later runs of the namespace, at most 64 KiB. `null` deletes the name. With `if_absent` exactly one of any number of concurrent runs stores its value: use it to process something once, or as a lock. A namespace has at most 10,000 names; give marks a `ttl_seconds`.",
	params: z
		.strictObject({
			name: StateName,
			value: Value.meta({ description: "Any JSON value; `null` deletes the name" }),
			ttl_seconds: StateTtl.optional().meta({
				description: "Lifetime in seconds; if left out, the value stays until it is deleted",
			}),
			if_absent: z
				.boolean()
				.default(false)
				.meta({ description: "Leave an existing value, and its lifetime, unchanged" }),
		})
		.refine(({ value, if_absent }) => !if_absent || value !== null, {
			path: ["value"],
			message: "must not be null with if_absent",
		}),
	output: z.object({
		value: anything().meta({ description: "The name's value after this node; null if it has none" }),
		previous: anything().meta({ description: "The name's value before; null if it had none" }),
		stored: z.boolean().meta({ description: "False if `if_absent` left an existing value unchanged" }),
	}),
	examples: [
		{
			title: "Remember a place for a day",
			input: { page: 4 },
			params: { name: "place", value: { page: "{{input.page}}" }, ttl_seconds: 86_400 },
			output: { value: { page: 4 }, previous: null, stored: true },
		},
		{
			title: "Process each order once",
			input: { order: 7 },
			params: { name: "order {{input.order}}", value: true, if_absent: true, ttl_seconds: 604_800 },
			output: { value: true, previous: null, stored: true },
		},
		{
			title: "Delete a name",
			params: { name: "no longer needed", value: null },
			output: { value: null, previous: null, stored: true },
		},
		{
			title: "A lifetime is at least a second",
			params: { name: "place", value: 1, ttl_seconds: 0 },
			error: 'parameter "ttl_seconds" must be at least 1',
		},
	],
	async run(call) {
		const { params, effects, signal, meter } = call;
		const { value, ...change } = params;
		await refuseUnkept(value, call);
		const value_json = JSON.stringify(value);
		meter.spendOnText(value_json.length);
		const { stored, previous } = await effects.state.set({ ...change, value_json }, signal);
		return { value: stored ? value : previous, previous, stored };
	},
});
