import {
	ACCEPTED_RUN,
	AcceptedRuns,
	AcceptRuns,
	CancelAcceptedRuns,
	CancelledAcceptedRuns,
	ClaimAcceptedRun,
	ClaimedAcceptedRun,
	EndAcceptedRun,
	EndedAcceptedRun,
	MAX_DESCENDED_RUNS,
	MAX_WAITING_RUNS,
} from "@tripline/contract/accepted-runs";
import { uuidv7 } from "@tripline/contract/ids";
import { unixSeconds } from "@tripline/platform/clock";
import { type Route, reply, route } from "@tripline/web/route";
import { assertInternal, type Caller } from "../domain/callers.ts";
import { columnsOf } from "../domain/columns.ts";
import type { StoreParts } from "./deps.ts";

const tag = "Accepted runs";

export function acceptedRunRoutes({ acceptedRuns, clock }: StoreParts): Route<Caller>[] {
	return [
		route({
			method: "POST",
			path: "/accepted-runs",
			tag,
			summary: "Accept runs that go on after the answer",
			description: `Internal callers only. All are accepted or none. An id that is there already is not accepted again. Of an owner at most ${MAX_WAITING_RUNS} wait to start; from one root at most ${MAX_DESCENDED_RUNS} descend within a day.`,
			body: AcceptRuns,
			responses: { 200: { description: "Which are new, or which limit is in the way", body: AcceptedRuns } },
			async handle({ caller, body }) {
				assertInternal(caller);
				const now = clock.now();
				columnsOf(ACCEPTED_RUN, body.metadata_json, unixSeconds(clock));
				const outcome = await acceptedRuns.accept({
					...body,
					runs: body.runs.map((run) => ({ ...run, entryId: uuidv7(now) })),
					now: unixSeconds(clock),
				});
				const isRefused = typeof outcome === "string";
				return reply(200, { accepted: isRefused ? [] : outcome, refused: isRefused ? outcome : null });
			},
		}),
		route({
			method: "POST",
			path: "/accepted-runs/claim",
			tag,
			summary: "Claim an accepted run that is to be started",
			description:
				"Internal callers only. Of any number of callers who read the same number of attempts exactly one claims it; the number goes up by one. Nothing is claimed of a run that has ended.",
			body: ClaimAcceptedRun,
			responses: { 200: { description: "Whether it is this caller's", body: ClaimedAcceptedRun } },
			async handle({ caller, body }) {
				assertInternal(caller);
				const metadata_json = await acceptedRuns.claim({ ...body, now: unixSeconds(clock) });
				return reply(200, { claimed: metadata_json !== null, metadata_json });
			},
		}),
		route({
			method: "POST",
			path: "/accepted-runs/end",
			tag,
			summary: "End an accepted run",
			description: "Internal callers only. The run's input goes with it. The first end stands.",
			body: EndAcceptedRun,
			responses: { 200: { description: "Whether it had not ended before", body: EndedAcceptedRun } },
			async handle({ caller, body }) {
				assertInternal(caller);
				return reply(200, { ended: await acceptedRuns.end({ ...body, now: unixSeconds(clock) }) });
			},
		}),
		route({
			method: "POST",
			path: "/accepted-runs/cancel",
			tag,
			summary: "End accepted runs that wait for a workflow",
			description:
				"Internal callers only. Ends up to 100 at a time as failed, the oldest first. What has started is left alone.",
			body: CancelAcceptedRuns,
			responses: { 200: { description: "Those that ended by this call", body: CancelledAcceptedRuns } },
			async handle({ caller, body }) {
				assertInternal(caller);
				const { owner_id, waits_for, up_to, error } = body;
				const ended = { status: "failed", workflow: waits_for, duration_ms: 0, error };
				const metadata_json = JSON.stringify(ended);
				const now = unixSeconds(clock);
				return reply(200, await acceptedRuns.cancel({ owner_id, waits_for, up_to, metadata_json, now }));
			},
		}),
	];
}
