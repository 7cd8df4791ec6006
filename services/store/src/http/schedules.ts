import { uuidv7 } from "@tripline/contract/ids";
import {
	ClaimedOccurrence,
	ClaimOccurrence,
	DueQuery,
	DueRuns,
	UpcomingQuery,
	UpcomingRuns,
} from "@tripline/contract/schedules";
import { type Route, reply, route } from "@tripline/web/route";
import { assertInternal, type Caller, ownerFor } from "../domain/callers.ts";
import { dueTime, nextTime } from "../domain/schedule.ts";
import type { StoreParts } from "./deps.ts";

export function scheduleRoutes({ schedules, entries, clock }: StoreParts): Route<Caller>[] {
	return [
		route({
			method: "POST",
			path: "/schedules/claim",
			tag: "Schedules",
			summary: "Claim the occurrence of a workflow that is due",
			description:
				"Internal callers only. The occurrence is the oldest time at or before now that is not before `since`; of the times before `since`, which were missed, only the latest. Of any number of callers exactly one claims it; it is kept as an entry of type occurrence, and the workflow's next time moves to the first after it, which may be due already. Nothing is claimed when nothing is due, or when the workflow was deleted or got another schedule in between.",
			body: ClaimOccurrence,
			responses: { 200: { description: "Whether it is this caller's", body: ClaimedOccurrence } },
			async handle({ caller, body }) {
				assertInternal(caller);
				const now = body.now ?? Math.floor(clock.now() / 1000);
				const read = await schedules.get(body.owner_id, body.id);
				if (read === null || read.next_run_at > now) {
					return reply(200, { claimed: false, occurrence: null, next_run_at: iso(read?.next_run_at) });
				}
				const occurrence = dueTime(read, Math.min(body.since ?? now + 1, now + 1));
				const nextRunAt = nextTime(read.schedule, occurrence);
				const claimed = await schedules.claim({
					id: body.id,
					read,
					occurrence: { id: uuidv7(clock.now()), page_name: `${read.page_name}@${iso(occurrence)}` },
					nextRunAt,
					now: Math.floor(clock.now() / 1000),
				});
				return reply(200, { claimed, occurrence: iso(occurrence), next_run_at: iso(nextRunAt) });
			},
		}),
		route({
			method: "GET",
			path: "/schedules/due",
			tag: "Schedules",
			summary: "What is due, in turns of the owners",
			description:
				"Internal callers only. Workflows and accepted runs: the longest due of each owner, then the next of each, so that no owner's fill the answer while another's wait.",
			query: DueQuery,
			responses: { 200: { description: "The first of them", body: DueRuns } },
			async handle({ caller, query }) {
				assertInternal(caller);
				const now = query.now ?? Math.floor(clock.now() / 1000);
				// Asked together: on D1 each question is a way there and back.
				const [due, scheduled] = await Promise.all([
					schedules.due(now, query.limit),
					entries.scheduledCount(),
				]);
				return reply(200, { due, scheduled });
			},
		}),
		route({
			method: "GET",
			path: "/schedules/upcoming",
			tag: "Schedules",
			summary: "An owner's next scheduled runs",
			query: UpcomingQuery,
			responses: { 200: { description: "The soonest first", body: UpcomingRuns } },
			async handle({ caller, query }) {
				const runs = await schedules.upcoming(ownerFor(caller, query.owner_id), query.limit);
				return reply(200, {
					upcoming: runs.map((run) => ({ workflow: run.page_name, next_run_at: iso(run.next_run_at) })),
				});
			},
		}),
	];
}

const iso = (seconds: number | null | undefined): string | null =>
	seconds === null || seconds === undefined ? null : new Date(seconds * 1000).toISOString();
