import { durationUpTo, parseDuration } from "@tripline/contract/durations";
import * as z from "zod";
import { define } from "./define.ts";

const MAX_WAIT_MS = 600_000;
const MAX_DAYS = 30;
const WAYS = ["ms", "for", "until"] as const;

export const wait = define({
	id: "wait",
	title: "Wait",
	description:
		"Pauses the run: for some milliseconds, for a duration of up to 30 days, or until a time. A run that waits for a duration or a time is durable: it leaves the process meanwhile and goes on then, also after a restart. The time in which it waits does not count as working time.",
	params: z
		.strictObject({
			ms: z.int().min(0).max(MAX_WAIT_MS).optional().meta({
				description:
					"Milliseconds, at most ten minutes. The run stays in its process, and its deadline applies",
			}),
			for: durationUpTo(MAX_DAYS).optional().meta({
				description: "A duration, such as `20 minutes` or `3 days`; at most 30 days",
			}),
			until: z.iso.datetime({ offset: true }).optional().meta({
				description:
					"A time with its offset, such as `2026-12-24T09:00:00+01:00`. One that has passed is not waited for",
			}),
		})
		.check((context) => {
			const given = WAYS.filter((name) => context.value[name] !== undefined);
			if (given.length === 1) return;
			const message = "needs exactly one of ms, for and until";
			context.issues.push({ code: "custom", message, input: context.value });
		}),
	output: z.null(),
	parks: (params) => "for" in params || "until" in params,
	examples: [
		{ title: "A quarter of a second", params: { ms: 250 }, output: null },
		{ title: "Three days", params: { for: "3 days" }, output: null },
		{
			title: "Until a time from the trigger",
			input: { start: "2026-12-24T09:00:00+01:00" },
			params: { until: "{{input.start}}" },
			output: null,
		},
		{
			title: "A duration from the trigger",
			input: { pause: 5 },
			params: { ms: "{{input.pause}}" },
			output: null,
		},
	],
	async run(call) {
		const { params, effects, signal, startedAt } = call;
		const { ms, for: duration, until } = params;
		if (ms !== undefined) await effects.sleep(ms, signal);
		else {
			const end = until === undefined ? startedAt + (parseDuration(duration ?? "") ?? 0) : Date.parse(until);
			if (end > effects.clock.now())
				await call.announce({ known: { url: null, expires_at: new Date(end).toISOString() } });
			await effects.waitUntil(end, signal);
		}
		return null;
	},
});
