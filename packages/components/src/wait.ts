import * as z from "zod";
import { define } from "./define.ts";

const MAX_WAIT_MS = 600_000;

export const wait = define({
	id: "wait",
	title: "Wait",
	description: "Pauses the run. At the run's deadline the wait ends and the node fails.",
	params: z.strictObject({
		ms: z.int().min(0).max(MAX_WAIT_MS).meta({ description: "Milliseconds, at most ten minutes" }),
	}),
	output: z.null(),
	examples: [
		{ title: "A quarter of a second", params: { ms: 250 }, output: null },
		{
			title: "A duration from the trigger",
			input: { pause: 5 },
			params: { ms: "{{input.pause}}" },
			output: null,
		},
	],
	async run({ params, effects, signal }) {
		await effects.sleep(params.ms, signal);
		return null;
	},
});
