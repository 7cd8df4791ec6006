import * as z from "zod";
import { define } from "./define.ts";

export const fail = define({
	id: "fail",
	title: "Fail",
	description:
		"Fails with your message. Like any failure it is retried if the node has `retry`, and can be handled by `ON_FAIL` edges.",
	params: z.strictObject({
		message: z.string().min(1, "must not be empty").meta({ description: "The error message" }),
	}),
	output: z.never().meta({ description: "The node always fails" }),
	isPure: true,
	examples: [
		{ title: "A fixed message", params: { message: "out of stock" }, error: "out of stock" },
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
