import {
	HeardProcess,
	LeaveProcess,
	LeftProcess,
	ProcessBeat,
	TakenOverProcess,
	TakeOverProcess,
} from "@tripline/contract/processes";
import { unixSeconds } from "@tripline/platform/clock";
import { type Route, reply, route } from "@tripline/web/route";
import { assertInternal, type Caller } from "../domain/callers.ts";
import type { StoreParts } from "./deps.ts";

const tag = "Processes";

export function processRoutes({ processes, clock }: StoreParts): Route<Caller>[] {
	return [
		route({
			method: "POST",
			path: "/processes/beat",
			tag,
			summary: "Say that a process is alive",
			description: "Internal callers only. For deployments that several processes serve.",
			body: ProcessBeat,
			responses: {
				200: { description: "The time, and which other processes have ended", body: HeardProcess },
			},
			async handle({ caller, body }) {
				assertInternal(caller);
				return reply(
					200,
					await processes.beat({ holder: body.holder, dueAt: body.due_at, now: unixSeconds(clock) }),
				);
			},
		}),
		route({
			method: "POST",
			path: "/processes/leave",
			tag,
			summary: "Say that a process ends",
			description: "Internal callers only. Others may then continue its runs at once.",
			body: LeaveProcess,
			responses: { 200: { description: "Noted", body: LeftProcess } },
			async handle({ caller, body }) {
				assertInternal(caller);
				await processes.leave(body.holder);
				return reply(200, { left: true });
			},
		}),
		route({
			method: "POST",
			path: "/processes/take-over",
			tag,
			summary: "Take over the runs of a process that has ended",
			description: "Internal callers only. Of several callers one gets them.",
			body: TakeOverProcess,
			responses: { 200: { description: "Whether this caller has them now", body: TakenOverProcess } },
			async handle({ caller, body }) {
				assertInternal(caller);
				return reply(200, { taken: await processes.takeOver(body.holder, body.from) });
			},
		}),
	];
}
