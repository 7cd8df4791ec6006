import { eventPatternProblem } from "@tripline/engine/event-pattern";
import * as z from "zod";
import { define } from "./define.ts";
import { anything } from "./schemas.ts";

const EventType = z.string().superRefine((type, context) => {
	const problem = type.includes("*")
		? "must be one event's type; * stands only in what workflows listen to"
		: eventPatternProblem(type);
	if (problem !== null) context.addIssue(problem);
});

export const emitEvent = define({
	id: "emit_event",
	title: "Emit an event",
	description:
		"Starts the workflows of the same namespace that listen to this type of event, and does not wait for them. A chain of events ends after four.",
	params: z.strictObject({
		type: EventType.meta({ description: "The event's type, such as `order.paid`" }),
		data: anything()
			.default(null)
			.meta({ description: "What the listeners see as `input.data`, beside `input.type`" }),
	}),
	output: z.int().min(0).meta({ description: "How many workflows were started" }),
	examples: [
		{
			title: "Tell others that an order is paid",
			input: { order: 7 },
			params: { type: "order.paid", data: { order: "{{input.order}}" } },
			output: 1,
		},
		{ title: "Nobody listens", params: { type: "order.cancelled" }, output: 0 },
	],
	run: ({ params, effects, signal }) => effects.emitEvent(params.type, params.data, signal),
});
