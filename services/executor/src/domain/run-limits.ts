import { parseDuration } from "@tripline/contract/durations";
import type { Options, Trigger } from "@tripline/contract/workflows";

/** How many runs of a workflow may be in progress when another one starts. */
export interface RunLimit {
	/** Null: any number; the run itself is still counted. */
	readonly max: number | null;
	readonly whenBusy: "skip" | "wait";
	/** Of a run that may take longer than the service's own timeout. */
	readonly timeoutMs: number;
}

/** The limit for a run, by what triggered it. */
export type GetRunLimit = (startedBy: string) => RunLimit;

/** What starts a run through a workflow's own trigger. Overlap applies to these runs only. */
const OWN_RUNS: Readonly<Record<Trigger["type"], readonly string[]>> = {
	schedule: ["schedule"],
	event: ["event"],
	webhook: ["webhook", "named", "query"],
};

/** Null if the workflow has no limits, as nearly all: then its runs are not counted. */
export function readRunLimits(
	trigger: Trigger | undefined,
	{ concurrency, timeout = "" }: Options,
): GetRunLimit | null {
	const overlap = trigger?.overlap ?? "allow";
	if (concurrency === undefined && overlap === "allow") return null;
	const timeoutMs = parseDuration(timeout) ?? 0;
	const other: RunLimit = { max: concurrency ?? null, whenBusy: "wait", timeoutMs };
	if (trigger === undefined || overlap === "allow") return () => other;
	const own: RunLimit = { ...other, max: concurrency ?? 1, whenBusy: overlap === "skip" ? "skip" : "wait" };
	return (startedBy) => (OWN_RUNS[trigger.type].includes(startedBy) ? own : other);
}
