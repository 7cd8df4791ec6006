import { readdirSync } from "node:fs";
import type { Metrics } from "@tripline/platform/metrics";
import { REQUEST_BOUNDS_MS } from "@tripline/platform/metrics";
import type { Sql } from "@tripline/platform/sql";
import type { Tracing } from "@tripline/platform/tracing";

/** Reads what the process and its runtime report. */
export function readProcess(metrics: Metrics, { version }: { readonly version: string }): void {
	const startedAt = Date.now() / 1000 - process.uptime();
	const build = { version, node: process.versions.node, platform: process.platform, arch: process.arch };
	metrics.read(
		{
			tripline_build: { type: "info", help: "The version of the service and of what it runs on" },
			process_start_time_seconds: { type: "gauge", help: "Start of the process in Unix seconds" },
			process_cpu_seconds: { type: "counter", help: "CPU time of the process" },
			process_resident_memory_bytes: { type: "gauge", help: "Resident memory of the process" },
			process_open_fds: { type: "gauge", help: "Open file descriptors, where the platform tells" },
			tripline_memory_bytes: { type: "gauge", help: "Memory of the runtime by kind" },
			tripline_event_loop_active_seconds: {
				type: "counter",
				help: "Time in which the event loop was not waiting for events",
			},
		},
		() => {
			const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
			const { user, system } = process.cpuUsage();
			return {
				tripline_build: [[build, 1]],
				process_start_time_seconds: startedAt,
				process_cpu_seconds: (user + system) / 1e6,
				process_resident_memory_bytes: rss,
				...countOpenFiles(),
				tripline_memory_bytes: [
					[{ kind: "heap_used" }, heapUsed],
					[{ kind: "heap_total" }, heapTotal],
					[{ kind: "external" }, external],
					[{ kind: "array_buffers" }, arrayBuffers],
				],
				tripline_event_loop_active_seconds: performance.eventLoopUtilization().active / 1000,
			};
		},
	);
}

/** Reads what became of the spans of traces. */
export function readSpans(metrics: Metrics, { readStats }: Pick<Tracing, "readStats">): void {
	metrics.read(
		{
			tripline_spans_exported: { type: "counter", help: "Spans that the collector has accepted" },
			tripline_spans_dropped: { type: "counter", help: "Spans that were lost" },
			tripline_spans_buffered_bytes: { type: "gauge", help: "Memory for spans that wait for the collector" },
		},
		() => {
			const { exported, dropped, bufferedBytes } = readStats();
			return {
				tripline_spans_exported: exported,
				tripline_spans_dropped: dropped,
				tripline_spans_buffered_bytes: bufferedBytes,
			};
		},
	);
}

/** Reads the sizes of the databases. */
export function readSizes(metrics: Metrics, databases: Readonly<Record<string, Sql>>): void {
	metrics.read(
		{ tripline_database_bytes: { type: "gauge", help: "Size of a database" } },
		async () => {
			const sizes = await Promise.all(
				Object.entries(databases).map(async ([database, sql]) => [{ database }, await sql.size()] as const),
			);
			return {
				tripline_database_bytes: sizes.flatMap(([labels, bytes]) =>
					bytes === null ? [] : [[labels, bytes]],
				),
			};
		},
		{ isShared: true },
	);
}

/** How late a timer of the event loop is, which is looked at ten times a second. */
export const createDelays = (metrics: Metrics) =>
	metrics.durations({
		name: "tripline_event_loop_delay_seconds",
		help: "How late timers of the event loop are",
		boundsMs: REQUEST_BOUNDS_MS,
	});

function countOpenFiles(): { process_open_fds?: number } {
	if (process.platform !== "linux") return {};
	try {
		// One of them is the folder itself, which is open while it is read.
		return { process_open_fds: readdirSync("/proc/self/fd").length - 1 };
	} catch {
		return {};
	}
}
