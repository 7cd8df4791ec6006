import { type Counter, type Histogram, type Metrics, RUN_BOUNDS_MS } from "@tripline/platform/metrics";
import type { ExecutorSettings } from "../settings.ts";
import type { Admission } from "./admission.ts";
import { type CountRun, type RunStatus, TRIGGERS, type Trigger } from "./execute.ts";
import type { RunLeases } from "./leases.ts";
import type { RecordBuffer } from "./record-buffer.ts";

type Row = Readonly<Record<RunStatus, Counter>> & { readonly durations: Histogram };
type Rows = ReadonlyMap<Trigger, Row>;

/** Each has a row for every trigger. The runs of further namespaces are counted together. */
const MAX_NAMESPACES = 100;
const OTHERS = "(others)";

/** Counts runs that have ended, with the namespace only if the operator asks for it. */
export function runCounter(metrics: Metrics): CountRun {
	const all = metrics.namesNamespaces ? null : createRows();
	const rows = new Map<string, Rows>();
	return (trigger, status, ms, owner) => {
		const row = (all ?? findRows(owner)).get(trigger);
		row?.[status].add();
		row?.durations.observe(ms);
	};

	function findRows(owner: string): Rows {
		const name = rows.has(owner) || rows.size < MAX_NAMESPACES ? owner : OTHERS;
		const found = rows.get(name) ?? createRows({ namespace: name });
		rows.set(name, found);
		return found;
	}

	function createRows(labels: { readonly namespace?: string } = {}): Rows {
		return new Map(TRIGGERS.map((trigger) => [trigger, createRow({ ...labels, trigger })]));
	}

	function createRow(labels: Readonly<Record<string, string>>): Row {
		const count = (status: RunStatus) =>
			metrics.counter(
				{ name: "tripline_runs", help: "Runs that have ended, by trigger and status" },
				{ ...labels, status },
			);
		return {
			...{ success: count("success"), failed: count("failed"), cancelled: count("cancelled") },
			durations: metrics.durations(
				{
					name: "tripline_run_duration_seconds",
					help: "Duration of runs, with the time in which they wait",
					boundsMs: RUN_BOUNDS_MS,
				},
				labels,
			),
		};
	}
}

/** Reads what is waiting in this process. */
export function readQueues(
	metrics: Metrics,
	deps: {
		readonly settings: Pick<ExecutorSettings, "maxConcurrentRuns" | "maxQueuedRuns">;
		readonly admission: Pick<Admission, "count">;
		readonly leases: Pick<RunLeases, "countWaiting">;
		readonly records: Pick<RecordBuffer, "count">;
	},
): void {
	const { maxConcurrentRuns, maxQueuedRuns } = deps.settings;
	metrics.read(
		{
			tripline_runs_in_progress: {
				type: "gauge",
				help: "Runs in progress in this process, by whether a caller waits for them",
			},
			tripline_runs_in_progress_limit: { type: "gauge", help: "MAX_CONCURRENT_RUNS" },
			tripline_runs_queued: {
				type: "gauge",
				help: "Runs in this process that wait for a place, by whether a caller waits for them",
			},
			tripline_runs_queued_limit: { type: "gauge", help: "MAX_QUEUED_RUNS, for runs with a waiting caller" },
			tripline_lease_waiters: {
				type: "gauge",
				help: "Callers in this process that wait for a lease of a workflow that limits its runs",
			},
		},
		() => {
			const { running, background, waiting, waitingBackground } = deps.admission.count();
			return {
				tripline_runs_in_progress: splitByCaller(running - background, background),
				tripline_runs_in_progress_limit: maxConcurrentRuns,
				tripline_runs_queued: splitByCaller(waiting, waitingBackground),
				tripline_runs_queued_limit: maxQueuedRuns,
				tripline_lease_waiters: deps.leases.countWaiting(),
			};
		},
	);
	metrics.read(
		{
			tripline_record_buffer_records: {
				type: "gauge",
				help: "Execution records that are not yet written",
			},
			tripline_records_sent: { type: "counter", help: "Execution records that were written" },
			tripline_records_dropped: {
				type: "counter",
				help: "Execution records that were dropped because the buffer was full",
			},
			tripline_records_refused: { type: "counter", help: "Execution records that the store refused" },
		},
		() => {
			const { waiting, sent, dropped, refused } = deps.records.count();
			return {
				tripline_record_buffer_records: waiting,
				tripline_records_sent: sent,
				tripline_records_dropped: dropped,
				tripline_records_refused: refused,
			};
		},
	);
}

const splitByCaller = (waitedFor: number, background: number) =>
	[
		[{ caller: "waits" }, waitedFor],
		[{ caller: "none" }, background],
	] as const;
