import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "@tripline/platform/metrics";
import { readSpans } from "../src/process-metrics.ts";

test("a scrape shows what became of the spans", async () => {
	const metrics = createMetrics();
	readSpans(metrics, { readStats: () => ({ exported: 7, dropped: 2, bufferedBytes: 900 }) });
	const values = (await metrics.collect()).map(({ name, samples }) => [name, samples[0]?.[2]]);
	for (const [name, value] of [
		["tripline_spans_exported", 7],
		["tripline_spans_dropped", 2],
		["tripline_spans_buffered_bytes", 900],
	] as const)
		assert.equal(Object.fromEntries(values)[name], value);
});
