import { findEventPatternProblem } from "@tripline/engine/event-pattern";
import * as z from "zod";
import { define } from "./define.ts";
import { anything } from "./schemas.ts";

const EventType = z.string().superRefine((type, context) => {
	const problem = type.includes("*")
		? "must be one event type; * is allowed only in trigger patterns"
		: findEventPatternProblem(type);
	if (problem !== null) context.addIssue(problem);
});

export const emitEvent = define({
	id: "emit_event",
	title: "Emit an event",
	description:
		"Starts the workflows of the same namespace that listen for this event type, without waiting for them. Runs that wait for the event go on with it. A chain of events stops at depth 4.",
	targets: ["type"],
	params: z.strictObject({
		type: EventType.meta({ description: "The event's type, such as `order.paid`" }),
		data: anything()
			.default(null)
			.meta({ description: "Available to the started workflows as `input.data`, next to `input.type`" }),
	}),
	output: z.int().min(0).meta({ description: "Number of workflows started" }),
	examples: [
		{
			title: "Announce that an order is paid",
			input: { order: 7 },
			params: { type: "order.paid", data: { order: "{{input.order}}" } },
			output: 1,
		},
		{ title: "No workflow listens", params: { type: "order.cancelled" }, output: 0 },
	],
	run: (call) => call.effects.emitEvent(call.params.type, call.params.data, call),
});
