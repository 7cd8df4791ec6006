import type { ExecutionRecord, ExecutionReport, LoggingMode } from "@tripline/contract/execution-log";

const MAX_SUCCESS_ERROR_LENGTH = 200;
const MAX_FAILURE_ERROR_LENGTH = 2000;
const MAX_TARGET_LENGTH = 512;
const MAX_NODES = 500;

export type StoredRecord = Omit<ExecutionRecord, "id">;

/** Milliseconds, capped at now: a reporter whose clock is ahead would otherwise stay the latest for that long. */
export const clampTime = ({ time }: Pick<ExecutionReport, "time">, now: number): number =>
	time === undefined ? now : Math.min(Date.parse(time), now);

/** Builds the stored record of a run. Only the target is taken from the context: the input is never stored. */
export function toStoredRecord(report: ExecutionReport, time: number): StoredRecord {
	const failed = report.verdict === "failed";
	const minimal = {
		time: new Date(time).toISOString(),
		workflow: report.workflow,
		verdict: report.verdict,
		duration_ms: report.duration_ms,
		error: truncate(report.error ?? "", failed ? MAX_FAILURE_ERROR_LENGTH : MAX_SUCCESS_ERROR_LENGTH),
		target: readTarget(report.context),
		trigger: report.trigger ?? null,
		...(report.version_number !== undefined && { version_number: report.version_number }),
		...(report.replay_of !== undefined && { replay_of: report.replay_of }),
		...(report.called_by !== undefined && { called_by: report.called_by }),
	};
	if (!failed) return minimal;
	return {
		...minimal,
		failed_node: report.failed_node ?? null,
		nodes: (report.nodes ?? [])
			.slice(0, MAX_NODES)
			.map((node) => ({ id: node.id, component: node.component ?? null })),
	};
}

/** Every run not started by a token webhook belongs to a named workflow, whatever its trigger. */
export const isWebhookRun = ({ trigger }: Pick<StoredRecord, "trigger">): boolean => trigger === "webhook";

/** The write counts of a day before the next write. */
export interface DayOfWrites {
	/** Writes of all namespaces. */
	readonly count: number;
	/** Writes of the calling namespace. */
	readonly own: number;
	/** How many namespaces have written. */
	readonly namespaces: number;
}

/** How the daily limit is divided. A kind of record is dropped once the day's count exceeds its number. */
export interface DailyLimits {
	readonly total: number;
	/** For success records. */
	readonly successes: number;
	/** For successes of a namespace over its share; its failures are dropped above `successes`. */
	readonly successesOverShare: number;
	/** Whether the limit is shared between namespaces. */
	readonly isShared: boolean;
}

/** The minimum share, whatever the limit and the number of namespaces. */
export const MIN_SHARE = 1_000;
/** A shared limit is split at least in two, because another namespace may still start to write. */
export const MIN_SHARE_COUNT = 2;

/** Counts are integers, so "above 80%" means "above 80% rounded down". */
export const buildDailyLimits = (most: number, isShared: boolean): DailyLimits => ({
	total: most,
	successes: Math.floor((most * 4) / 5),
	successesOverShare: Math.floor(most / 2),
	isShared,
});

/** The logging mode for the namespace's next write. */
export function getLoggingMode(day: DayOfWrites, limits: DailyLimits): LoggingMode {
	const share = Math.max(MIN_SHARE, limits.total / Math.max(MIN_SHARE_COUNT, day.namespaces));
	const isOver = limits.isShared && day.own >= share;
	if (day.count > (isOver ? limits.successes : limits.total)) return "stopped";
	return day.count > (isOver ? limits.successesOverShare : limits.successes) ? "failures_only" : "normal";
}

function readTarget(context: Readonly<Record<string, unknown>> | null | undefined): string | null {
	const target = [context?.page_name, context?.path].find((value) => typeof value === "string");
	return typeof target === "string" ? truncate(target, MAX_TARGET_LENGTH) : null;
}

/** At most `length` code points, so that a surrogate pair is never split. */
function truncate(text: string, length: number): string {
	if (text.length <= length) return text;
	return [...text.slice(0, length * 2)].slice(0, length).join("");
}
