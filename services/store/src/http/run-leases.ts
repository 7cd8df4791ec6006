import { uuidv7 } from "@tripline/contract/ids";
import {
	ClearedRunLeases,
	ClearRunLeases,
	ReleasedRunLease,
	ReleaseRunLease,
	TakenRunLease,
	TakeRunLease,
} from "@tripline/contract/run-leases";
import { unixSeconds } from "@tripline/platform/clock";
import { type Route, reply, route } from "@tripline/web/route";
import { assertInternal, type Caller } from "../domain/callers.ts";
import type { StoreParts } from "./deps.ts";

const tag = "Run leases";

export function runLeaseRoutes({ runLeases, clock }: StoreParts): Route<Caller>[] {
	return [
		route({
			method: "POST",
			path: "/run-leases",
			tag,
			summary: "Take a lease for a run of a workflow that limits its concurrent runs",
			description:
				"Internal callers only. Of parallel callers at most `max` get a lease. A lease that the run already holds is extended.",
			body: TakeRunLease,
			responses: { 200: { description: "Whether the run now holds a lease", body: TakenRunLease } },
			async handle({ caller, body }) {
				assertInternal(caller);
				const lease = { ...body, entryId: uuidv7(clock.now()), now: unixSeconds(clock) };
				return reply(200, await runLeases.take(lease));
			},
		}),
		route({
			method: "POST",
			path: "/run-leases/release",
			tag,
			summary: "Release a run's lease",
			description: "Internal callers only. The answer names the accepted run that should start next.",
			body: ReleaseRunLease,
			responses: { 200: { description: "The run that waits longest, if any", body: ReleasedRunLease } },
			async handle({ caller, body }) {
				assertInternal(caller);
				return reply(200, await runLeases.release(body));
			},
		}),
		route({
			method: "POST",
			path: "/run-leases/clear",
			tag,
			summary: "Free the leases of processes that have ended",
			description:
				"Internal callers only. For a process that knows that it is the only one. Accepted runs that have not ended keep theirs.",
			body: ClearRunLeases,
			responses: { 200: { description: "How many leases were freed", body: ClearedRunLeases } },
			async handle({ caller, body }) {
				assertInternal(caller);
				return reply(200, { cleared: await runLeases.clear(body.holder) });
			},
		}),
	];
}
