import { durationUpTo, parseDuration } from "@tripline/contract/durations";
import type { CarriedExpression } from "@tripline/engine/component";
import { findEventPatternProblem } from "@tripline/engine/event-pattern";
import * as z from "zod";
import { define } from "./define.ts";
import { anyObject, expression } from "./schemas.ts";

const MAX_DAYS = 30;

const EventPattern = z.string().superRefine((pattern, context) => {
	const problem = findEventPatternProblem(pattern);
	if (problem !== null) context.addIssue(problem);
});

export const waitFor = define({
	id: "wait_for",
	title: "Wait for an event",
	description:
		"Waits until an event arrives, for up to 30 days. The run leaves the process meanwhile. The first event that fits is the node's output; other runs that wait for it get it too. An event that came before the node began to wait does not count. If none arrives in time, the node fails.",
	params: z.strictObject({
		event: EventPattern.meta({
			description: "The event's type, such as `payment.received`, or a pattern such as `payment.*`",
		}),
		where: expression().optional().meta({
			description:
				"CEL condition on the event, which is `item`: `item.data.order == input.order`. An event for which it fails does not fit",
		}),
		expires: durationUpTo(MAX_DAYS).default("7 days").meta({
			description: "How long it waits, such as `2 hours` or `3 days`; at most 30 days",
		}),
	}),
	expressions: { where: "event" },
	conditions: ["where"],
	output: anyObject().meta({
		description: "The event: its `type`, its `data`, and further attributes of a CloudEvent",
	}),
	examples: [
		{
			title: "The payment of an order",
			input: { order: 7 },
			params: { event: "payment.received", where: "item.data.order == input.order", expires: "14 days" },
		},
		{ title: "Any event of a kind", params: { event: "delivery.*", expires: "2 hours" } },
	],
	parks: () => true,
	run: (call) => {
		const { event: pattern, expires } = call.params;
		const where = (call.expressions.where as CarriedExpression | undefined) ?? null;
		const until = call.startedAt + (parseDuration(expires) ?? 0);
		return call.effects.waitForEvent({ pattern, where }, until, call);
	},
});
