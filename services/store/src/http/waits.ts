import { uuidv7 } from "@tripline/contract/ids";
import {
	AnsweredWaits,
	AnswerWaits,
	EndWait,
	EventWaitPage,
	EventWaitQuery,
	FoundWait,
	OpenedWait,
	OpenWait,
	ReadWait,
} from "@tripline/contract/waits";
import { unixSeconds } from "@tripline/platform/clock";
import { type Route, reply, route } from "@tripline/web/route";
import * as z from "zod";
import { assertInternal, type Caller } from "../domain/callers.ts";
import type { StoreParts } from "./deps.ts";

const tag = "Waits";

export function waitRoutes({ waits, clock }: StoreParts): Route<Caller>[] {
	return [
		route({
			method: "POST",
			path: "/waits",
			tag,
			summary: "Store what a run waits for",
			description: "Internal callers only.",
			body: OpenWait,
			responses: { 200: { description: "Whether it is new", body: OpenedWait } },
			async handle({ caller, body }) {
				assertInternal(caller);
				const wait = { ...body, entryId: uuidv7(clock.now()), now: unixSeconds(clock) };
				return reply(200, { opened: await waits.open(wait) });
			},
		}),
		route({
			method: "GET",
			path: "/waits",
			tag,
			summary: "Read what a run waits for",
			description: "Internal callers only.",
			query: ReadWait,
			responses: { 200: { description: "The wait, also if it has ended", body: FoundWait } },
			async handle({ caller, query: { taken, ...wait } }) {
				assertInternal(caller);
				return reply(200, { wait: await (taken === "true" ? waits.take(wait) : waits.get(wait)) });
			},
		}),
		route({
			method: "POST",
			path: "/waits/answer",
			tag,
			summary: "Answer",
			description:
				"Internal callers only. Of all answers to a wait the first one counts, if it comes before the wait expires; it is stored and the run is made due in one unit of work.",
			body: AnswerWaits,
			responses: { 200: { description: "The waits that it answers", body: AnsweredWaits } },
			async handle({ caller, body }) {
				assertInternal(caller);
				return reply(200, { answered: await waits.answer({ ...body, now: unixSeconds(clock) }) });
			},
		}),
		route({
			method: "GET",
			path: "/waits/events",
			tag,
			summary: "List runs that wait for an event",
			description: "Internal callers only. By the first word of the pattern, the oldest first.",
			query: EventWaitQuery,
			responses: { 200: { description: "A part of them", body: EventWaitPage } },
			async handle({ caller, query }) {
				assertInternal(caller);
				const after = Number(query.after);
				return reply(200, await waits.listEventWaits({ ...query, after, now: unixSeconds(clock) }));
			},
		}),
		route({
			method: "POST",
			path: "/waits/end",
			tag,
			summary: "End a wait without an answer",
			description: "Internal callers only. Nothing changes if it was answered.",
			body: EndWait,
			responses: { 200: { description: "It has ended", body: z.object({}) } },
			async handle({ caller, body }) {
				assertInternal(caller);
				await waits.end({ ...body, now: unixSeconds(clock) });
				return reply(200, {});
			},
		}),
	];
}
