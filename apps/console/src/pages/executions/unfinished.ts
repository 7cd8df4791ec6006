import type { ExecutionFilter } from "../../api/api.ts";
import type { UnfinishedExecution } from "../../api/types.ts";

/** While runs are in progress. */
const LIVE_POLL_MS = 2000;
/** While none is, or all wait for a time. */
const IDLE_POLL_MS = 10_000;
/** Without any run for so long, polling stops. */
const MAX_IDLE_MS = 60_000;

/** The delay before the next poll; null: stop. */
export function computePollDelay(
	runs: readonly Pick<UnfinishedExecution, "until">[],
	idleMs: number,
	now: number,
): number | null {
	if (runs.length > 0) return Math.min(...runs.map((run) => computeRunDelay(run, now)));
	return idleMs < MAX_IDLE_MS ? IDLE_POLL_MS : null;
}

/** A run that waits for a time changes then, unless it is cancelled. */
export function computeRunDelay({ until }: Pick<UnfinishedExecution, "until">, now: number): number {
	if (until === undefined) return LIVE_POLL_MS;
	return Math.min(IDLE_POLL_MS, Math.max(LIVE_POLL_MS, Date.parse(until) - now));
}

/** Whether runs of the earlier response are missing in the later one. */
export function hasEnded(
	before: readonly UnfinishedExecution[],
	after: readonly UnfinishedExecution[],
): boolean {
	const ids = new Set(after.map(({ id }) => id));
	return before.some(({ id }) => !ids.has(id));
}

/** The runs that match the filter, newest first. A run in progress has no verdict, error or target. */
export function filterUnfinished(
	runs: readonly UnfinishedExecution[],
	{ workflow, verdict, since, until, q }: ExecutionFilter,
): readonly UnfinishedExecution[] {
	if (verdict !== undefined) return [];
	const [from, to] = [toTime(since, Number.NEGATIVE_INFINITY), toTime(until, Number.POSITIVE_INFINITY)];
	return runs
		.filter((run) => {
			const time = Date.parse(run.time);
			const hasText = q === undefined || run.workflow.toLowerCase().includes(q.toLowerCase());
			return hasText && (workflow === undefined || run.workflow === workflow) && time >= from && time <= to;
		})
		.sort((one, other) => other.time.localeCompare(one.time) || other.id.localeCompare(one.id));
}

const toTime = (iso: string | undefined, otherwise: number): number =>
	iso === undefined ? otherwise : Date.parse(iso);
