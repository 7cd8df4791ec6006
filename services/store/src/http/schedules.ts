import { ACCEPTED_RUN } from "@tripline/contract/accepted-runs";
import { uuidv7 } from "@tripline/contract/ids";
import {
	ClaimedOccurrence,
	ClaimOccurrence,
	DueQuery,
	DueRuns,
	UpcomingQuery,
	UpcomingRuns,
} from "@tripline/contract/schedules";
import { unixSeconds } from "@tripline/platform/clock";
import { type Route, reply, route } from "@tripline/web/route";
import { assertInternal, type Caller, resolveOwner } from "../domain/callers.ts";
import { toColumns } from "../domain/columns.ts";
import { findDueTime, findNextTime } from "../domain/schedule.ts";
import type { StoreParts } from "./deps.ts";

export function scheduleRoutes({ schedules, entries, clock }: StoreParts): Route<Caller>[] {
	return [
		route({
			method: "POST",
			path: "/schedules/claim",
			tag: "Schedules",
			summary: "Claim the due occurrence of a workflow",
			description:
				"Internal callers only. The occurrence is the oldest time at or before now that is not before `since`; of the missed times before `since`, only the latest. Of all callers exactly one claims it; the claim is stored as an entry of type occurrence, and the workflow's next run time moves to the first time after it, which may be due already. With `run`, an accepted run is stored in the same unit of work, so that a crash loses no occurrence. Nothing is claimed if nothing is due, or if the workflow was deleted or rescheduled in between.",
			body: ClaimOccurrence,
			responses: { 200: { description: "Whether this caller got the claim", body: ClaimedOccurrence } },
			async handle({ caller, body }) {
				assertInternal(caller);
				const now = body.now ?? Math.floor(clock.now() / 1000);
				const read = await schedules.get(body.owner_id, body.id);
				if (read === null || read.next_run_at > now) {
					return reply(200, { claimed: false, occurrence: null, next_run_at: toIso(read?.next_run_at) });
				}
				const occurrence = findDueTime(read, Math.min(body.since ?? now + 1, now + 1));
				const nextRunAt = findNextTime(read.schedule, occurrence);
				if (body.run !== undefined) toColumns(ACCEPTED_RUN, body.run.metadata_json, unixSeconds(clock));
				const outcome = await schedules.claim({
					id: body.id,
					read,
					occurrence: {
						id: uuidv7(clock.now()),
						page_name: `${read.page_name}@${toIso(occurrence)}`,
						time: toIso(occurrence),
					},
					run: body.run && { ...body.run, entryId: uuidv7(clock.now()) },
					nextRunAt,
					now: unixSeconds(clock),
				});
				return reply(200, { ...outcome, occurrence: toIso(occurrence), next_run_at: toIso(nextRunAt) });
			},
		}),
		route({
			method: "GET",
			path: "/schedules/due",
			tag: "Schedules",
			summary: "List due runs, owners in turn",
			description:
				"Internal callers only. Lists workflows and accepted runs: the longest overdue of each owner, then the next of each, so that no owner's runs fill the page while another's wait.",
			query: DueQuery,
			responses: { 200: { description: "The first due runs", body: DueRuns } },
			async handle({ caller, query }) {
				assertInternal(caller);
				const now = query.now ?? Math.floor(clock.now() / 1000);
				// Both queries run in parallel: on D1 each is a network round trip.
				const [due, scheduled] = await Promise.all([
					schedules.listDue(now, query.limit),
					entries.countScheduled(),
				]);
				return reply(200, { due, scheduled });
			},
		}),
		route({
			method: "GET",
			path: "/schedules/upcoming",
			tag: "Schedules",
			summary: "List an owner's next scheduled runs",
			query: UpcomingQuery,
			responses: { 200: { description: "Soonest first", body: UpcomingRuns } },
			async handle({ caller, query }) {
				const runs = await schedules.listUpcoming(resolveOwner(caller, query.owner_id), query.limit);
				return reply(200, {
					upcoming: runs.map((run) => ({ workflow: run.page_name, next_run_at: toIso(run.next_run_at) })),
				});
			},
		}),
	];
}

function toIso(seconds: number): string;
function toIso(seconds: number | null | undefined): string | null;
function toIso(seconds: number | null | undefined): string | null {
	return seconds === null || seconds === undefined ? null : new Date(seconds * 1000).toISOString();
}
