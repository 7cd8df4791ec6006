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
	MAX_PARKED_RUNS,
	MAX_WAITING_RUNS,
	ParkAcceptedRun,
	ParkedAcceptedRun,
} from "@tripline/contract/accepted-runs";
import { uuidv7 } from "@tripline/contract/ids";
import { unixSeconds } from "@tripline/platform/clock";
import { type Route, reply, route } from "@tripline/web/route";
import { assertInternal, type Caller } from "../domain/callers.ts";
import { toColumns } from "../domain/columns.ts";
import type { StoreParts } from "./deps.ts";

const tag = "Accepted runs";

export function acceptedRunRoutes({ acceptedRuns, clock }: StoreParts): Route<Caller>[] {
	return [
		route({
			method: "POST",
			path: "/accepted-runs",
			tag,
			summary: "Accept runs that continue after the response",
			description: `Internal callers only. Either all runs are accepted or none. An existing id is not accepted again. At most ${MAX_WAITING_RUNS} runs of an owner may wait to start; at most ${MAX_DESCENDED_RUNS} may descend from one root within a day.`,
			body: AcceptRuns,
			responses: { 200: { description: "The new ids, or the limit that was reached", body: AcceptedRuns } },
			async handle({ caller, body }) {
				assertInternal(caller);
				const now = clock.now();
				toColumns(ACCEPTED_RUN, body.metadata_json, unixSeconds(clock));
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
			summary: "Claim an accepted run before starting it",
			description:
				"Internal callers only. Of all callers that read the same number of attempts, exactly one gets the claim, which increments that number. A run that has ended cannot be claimed.",
			body: ClaimAcceptedRun,
			responses: { 200: { description: "Whether this caller got the claim", body: ClaimedAcceptedRun } },
			async handle({ caller, body }) {
				assertInternal(caller);
				const { lease, ...run } = body;
				const claim = { ...run, now: unixSeconds(clock) };
				const metadata_json = await (lease === undefined
					? acceptedRuns.claim(claim)
					: acceptedRuns.claimWithLease(claim, { ...claim, ...lease, entryId: uuidv7(clock.now()) }));
				return reply(200, { claimed: metadata_json !== null, metadata_json });
			},
		}),
		route({
			method: "POST",
			path: "/accepted-runs/park",
			tag,
			summary: "Let a claimed run wait",
			description: `Internal callers only. Called by whoever claimed the run and no longer runs it: until it is due, nobody does. At most ${MAX_PARKED_RUNS} runs of an owner may wait so.`,
			body: ParkAcceptedRun,
			responses: { 200: { description: "When it is due", body: ParkedAcceptedRun } },
			async handle({ caller, body }) {
				assertInternal(caller);
				const parked = await acceptedRuns.park({ ...body, now: unixSeconds(clock) });
				const refused = parked === "refused";
				return reply(200, { due_at: refused ? null : parked, refused });
			},
		}),
		route({
			method: "POST",
			path: "/accepted-runs/end",
			tag,
			summary: "End an accepted run",
			description:
				"Internal callers only. The run's input is deleted. The first call decides; later ones change nothing.",
			body: EndAcceptedRun,
			responses: { 200: { description: "False if the run had already ended", body: EndedAcceptedRun } },
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
				"Internal callers only. Ends up to 100 runs per call as failed, oldest first. Runs in progress are left alone.",
			body: CancelAcceptedRuns,
			responses: { 200: { description: "The runs that this call ended", body: CancelledAcceptedRuns } },
			async handle({ caller, body }) {
				assertInternal(caller);
				const { owner_id, waits_for, parked, up_to, error } = body;
				const ended = { status: "failed", workflow: waits_for, duration_ms: 0, error };
				const metadata_json = JSON.stringify(ended);
				const now = unixSeconds(clock);
				return reply(
					200,
					await acceptedRuns.cancel({ owner_id, waits_for, parked, up_to, metadata_json, now }),
				);
			},
		}),
	];
}
