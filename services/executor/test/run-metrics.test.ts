import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createMetrics, type Metrics } from "@tripline/platform/metrics";
import { renderMetrics } from "@tripline/platform/metrics-text";
import { admission } from "../src/runs/admission.ts";
import { readQueues, runCounter } from "../src/runs/run-metrics.ts";

const listLines = async (metrics: Metrics, pattern: RegExp): Promise<string[]> =>
	renderMetrics(await metrics.collect(), "prometheus")
		.split("\n")
		.filter((line) => pattern.test(line));

describe("counted runs", () => {
	test("have their trigger and status, and no namespace", async () => {
		const metrics = createMetrics();
		const count = runCounter(metrics);
		count("webhook", "success", 3, "acme");
		count("webhook", "success", 70_000, "acme");
		count("schedule", "failed", 3, "acme");
		count("event", "cancelled", 3, "other");
		assert.deepEqual(await listLines(metrics, /^tripline_runs_total.* [1-9]/), [
			'tripline_runs_total{trigger="webhook",status="success"} 2',
			'tripline_runs_total{trigger="schedule",status="failed"} 1',
			'tripline_runs_total{trigger="event",status="cancelled"} 1',
		]);
		assert.deepEqual(await listLines(metrics, /seconds_bucket\{trigger="webhook",le="(?:60|300)\.0"/), [
			'tripline_run_duration_seconds_bucket{trigger="webhook",le="60.0"} 1',
			'tripline_run_duration_seconds_bucket{trigger="webhook",le="300.0"} 2',
		]);
		assert.deepEqual(await listLines(metrics, /acme|other/), []);
	});

	test("have the namespace only if asked, and those of many namespaces are counted together", async () => {
		const metrics = createMetrics({ namesNamespaces: true });
		const count = runCounter(metrics);
		for (let round = 0; round < 2; round++)
			for (let index = 0; index < 150; index++) count("named", "success", 1, `tenant-${index}`);
		const lines = await listLines(metrics, /^tripline_runs_total.* [1-9]/);
		assert.equal(lines.length, 101);
		assert.equal(lines[0], 'tripline_runs_total{namespace="tenant-0",trigger="named",status="success"} 2');
		assert.equal(
			lines[100],
			'tripline_runs_total{namespace="(others)",trigger="named",status="success"} 100',
		);
	});
});

test("queues and the record buffer are read at each scrape", async () => {
	const metrics = createMetrics();
	const gate = admission({ atOnce: 2, backgroundPlaces: 1, queue: 5 });
	readQueues(metrics, {
		settings: { maxConcurrentRuns: 2, maxQueuedRuns: 5 },
		admission: gate,
		leases: { countWaiting: () => 4 },
		records: { count: () => ({ waiting: 7, sent: 8, dropped: 9, refused: 10 }) },
	});
	gate.enter("a");
	gate.wait("a");
	void gate.enter("a");
	void gate.wait("a");
	void gate.wait("b");
	assert.deepEqual(await listLines(metrics, /^tripline_(?!scrape)/), [
		'tripline_runs_in_progress{caller="waits"} 1',
		'tripline_runs_in_progress{caller="none"} 1',
		"tripline_runs_in_progress_limit 2",
		'tripline_runs_queued{caller="waits"} 1',
		'tripline_runs_queued{caller="none"} 2',
		"tripline_runs_queued_limit 5",
		"tripline_lease_waiters 4",
		"tripline_record_buffer_records 7",
		"tripline_records_sent_total 8",
		"tripline_records_dropped_total 9",
		"tripline_records_refused_total 10",
	]);
});
