import type { ExecutionRecord, ExecutionReport, LoggingMode } from "@tripline/contract/execution-log";

const SUCCESS_ERROR_LENGTH = 200;
const FAILURE_ERROR_LENGTH = 2000;
const TARGET_LENGTH = 512;
const NODES_KEPT = 500;

export type StoredRecord = Omit<ExecutionRecord, "id">;

/** In milliseconds. A clock ahead of the store's would make its record the latest for as long as it is ahead. */
export const timeOf = ({ time }: Pick<ExecutionReport, "time">, now: number): number =>
	time === undefined ? now : Math.min(Date.parse(time), now);

/** What is kept of a run. The context is looked at for its target and then dropped: the input is never stored. */
export function recordOf(report: ExecutionReport, time: number): StoredRecord {
	const failed = report.verdict === "failed";
	const minimal = {
		time: new Date(time).toISOString(),
		workflow: report.workflow,
		verdict: report.verdict,
		duration_ms: report.duration_ms,
		error: truncate(report.error ?? "", failed ? FAILURE_ERROR_LENGTH : SUCCESS_ERROR_LENGTH),
		target: targetOf(report.context),
		trigger: report.trigger ?? null,
	};
	if (!failed) return minimal;
	return {
		...minimal,
		failed_node: report.failed_node ?? null,
		nodes: (report.nodes ?? [])
			.slice(0, NODES_KEPT)
			.map((node) => ({ id: node.id, component: node.component ?? null })),
	};
}

/** All that is not of a token webhook is of a named workflow, however it started. */
export const isOfWebhook = ({ trigger }: Pick<StoredRecord, "trigger">): boolean => trigger === "webhook";

/** What was written on a day, before the next write. */
export interface DayOfWrites {
	/** Of all namespaces. */
	readonly count: number;
	/** Of the namespace that writes. */
	readonly own: number;
	/** How many namespaces wrote. */
	readonly namespaces: number;
}

/** How the limit of a day is spread: nothing is recorded once more than so many records were written. */
export interface DailyLimits {
	readonly most: number;
	/** Successes. */
	readonly successes: number;
	/** Successes of a namespace over its share; its failures end with the successes of the others. */
	readonly successesOverShare: number;
	/** Whether namespaces have shares. */
	readonly isShared: boolean;
}

/** Whatever the limit and however many the namespaces. */
export const LEAST_SHARE = 1_000;
/** Where namespaces have shares, there may always be another one still to come. */
export const FEWEST_SHARES = 2;

/** Counts are whole, so "above 80%" is "above 80% rounded down". */
export const dailyLimits = (most: number, isShared: boolean): DailyLimits => ({
	most,
	successes: Math.floor((most * 4) / 5),
	successesOverShare: Math.floor(most / 2),
	isShared,
});

/** The mode that the next write of the namespace meets. */
export function loggingMode(day: DayOfWrites, limits: DailyLimits): LoggingMode {
	const share = Math.max(LEAST_SHARE, limits.most / Math.max(FEWEST_SHARES, day.namespaces));
	const isOver = limits.isShared && day.own >= share;
	if (day.count > (isOver ? limits.successes : limits.most)) return "stopped";
	return day.count > (isOver ? limits.successesOverShare : limits.successes) ? "failures_only" : "normal";
}

function targetOf(context: Readonly<Record<string, unknown>> | null | undefined): string | null {
	const target = [context?.page_name, context?.path].find((value) => typeof value === "string");
	return typeof target === "string" ? truncate(target, TARGET_LENGTH) : null;
}

/** At most `length` characters; a character outside the basic plane counts once and is never cut in two. */
function truncate(text: string, length: number): string {
	if (text.length <= length) return text;
	return [...text.slice(0, length * 2)].slice(0, length).join("");
}
