import * as z from "zod";
import { define } from "./define.ts";

export const fail = define({
	id: "fail",
	title: "Fail",
	description:
		"Fails with a message of your own. Like any failure it is tried again if the node has `retry`, and `ON_FAIL` edges handle it.",
	params: z.strictObject({
		message: z.string().min(1, "must not be empty").meta({ description: "What went wrong" }),
	}),
	output: z.never().meta({ description: "Never gives one" }),
	examples: [
		{ title: "Always the same", params: { message: "out of stock" }, error: "out of stock" },
		{
			title: "With a value in the message",
			input: { order: 7 },
			params: { message: "order {{input.order}} has no address" },
			error: "order 7 has no address",
		},
	],
	run({ params }) {
		throw new Error(params.message);
	},
});
