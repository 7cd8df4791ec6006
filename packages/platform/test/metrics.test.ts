import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createMetrics } from "@tripline/platform/metrics";
import { chooseMetricsFormat, mergeFamilies, renderMetrics } from "@tripline/platform/metrics-text";

const RUNS = { name: "runs", help: "Runs" };
const TIMES = { name: "time_seconds", help: "Time", boundsMs: [10, 1000] };

const render = async (metrics: ReturnType<typeof createMetrics>, format: "prometheus" | "openmetrics") =>
	renderMetrics(await metrics.collect(), format).split("\n");

describe("metrics", () => {
	test("counters and histograms are rendered in both formats", async () => {
		const metrics = createMetrics();
		metrics.counter(RUNS, { status: "ok" }).add();
		metrics.counter(RUNS, { status: "failed" }).add(2);
		const times = metrics.durations(TIMES);
		for (const ms of [10, 10.5, 5000]) times.observe(ms);
		const histogram = [
			'time_seconds_bucket{le="0.01"} 1',
			'time_seconds_bucket{le="1.0"} 2',
			'time_seconds_bucket{le="+Inf"} 3',
			"time_seconds_sum 5.0205",
			"time_seconds_count 3",
		];
		const problems = [
			"# HELP tripline_scrape_problems Groups of values that this scrape could not read in time",
			"# TYPE tripline_scrape_problems gauge",
			"tripline_scrape_problems 0",
		];
		assert.deepEqual(await render(metrics, "prometheus"), [
			"# HELP runs_total Runs",
			"# TYPE runs_total counter",
			'runs_total{status="ok"} 1',
			'runs_total{status="failed"} 2',
			"# HELP time_seconds Time",
			"# TYPE time_seconds histogram",
			...histogram,
			...problems,
			"",
		]);
		assert.deepEqual(await render(metrics, "openmetrics"), [
			"# HELP runs Runs",
			"# TYPE runs counter",
			'runs_total{status="ok"} 1',
			'runs_total{status="failed"} 2',
			"# HELP time_seconds Time",
			"# TYPE time_seconds histogram",
			...histogram,
			...problems,
			"# EOF",
			"",
		]);
	});

	test("the same labels are the same series, and an empty histogram has none", async () => {
		const metrics = createMetrics();
		metrics.counter(RUNS, { a: "1" }).add();
		metrics.counter(RUNS, { a: "1" }).add();
		metrics.durations(TIMES);
		const lines = await render(metrics, "prometheus");
		assert.deepEqual(
			lines.filter((line) => /^(?:runs|time)/.test(line)),
			['runs_total{a="1"} 2'],
		);
	});

	test("a clock that was set back does not reduce a sum", async () => {
		const metrics = createMetrics();
		metrics.durations(TIMES).observe(-5);
		const lines = await render(metrics, "prometheus");
		assert.ok(lines.includes("time_seconds_sum 0"));
		assert.ok(lines.includes("time_seconds_count 1"));
	});

	test("values are read at each scrape; what fails or hangs is left out and counted", async () => {
		const metrics = createMetrics({ timeoutMs: 20 });
		let depth = 1;
		const gauge = { type: "gauge", help: "Of a test" } as const;
		metrics.read({ depth: gauge, build: { type: "info", help: "Build" }, absent: gauge }, () => ({
			depth: depth++,
			build: [[{ version: '1"\\\n' }, 1]],
		}));
		metrics.read({ failing: gauge }, () => Promise.reject(new Error("no")));
		metrics.read({ throwing: gauge }, () => {
			throw new Error("no");
		});
		metrics.read({ hanging: gauge }, () => new Promise(() => {}));
		await metrics.collect();
		assert.deepEqual(
			(await render(metrics, "prometheus")).filter((line) => !line.startsWith("# HELP")),
			[
				"# TYPE depth gauge",
				"depth 2",
				"# TYPE build_info gauge",
				'build_info{version="1\\"\\\\\\n"} 1',
				"# TYPE tripline_scrape_problems gauge",
				"tripline_scrape_problems 3",
				"",
			],
		);
		assert.ok((await render(metrics, "openmetrics")).includes("# TYPE build info"));
	});

	test("what processes have in common is apart from their own", async () => {
		const metrics = createMetrics();
		metrics.read({ files: { type: "gauge", help: "Files" } }, () => ({ files: 1 }), { isShared: true });
		metrics.counter(RUNS).add();
		const names = async (which?: "own" | "shared") => (await metrics.collect(which)).map(({ name }) => name);
		assert.deepEqual(await names(), ["runs", "files", "tripline_scrape_problems"]);
		assert.deepEqual(await names("own"), ["runs", "tripline_scrape_problems"]);
		assert.deepEqual(await names("shared"), ["files", "tripline_scrape_problems"]);
	});

	test("the families of several processes become one, and a label tells them apart", async () => {
		const families = await Promise.all(
			[1, 2].map(async (count) => {
				const metrics = createMetrics();
				metrics.counter(RUNS).add(count);
				return { labels: { process: String(count) }, families: await metrics.collect() };
			}),
		);
		const lines = renderMetrics(mergeFamilies(families), "prometheus").split("\n");
		assert.deepEqual(lines.slice(0, 4), [
			"# HELP runs_total Runs",
			"# TYPE runs_total counter",
			'runs_total{process="1"} 1',
			'runs_total{process="2"} 2',
		]);
	});
});

test("OpenMetrics is chosen only if it is named and not liked less", () => {
	for (const [accept, format] of [
		[null, "prometheus"],
		["*/*", "prometheus"],
		["text/plain", "prometheus"],
		["application/openmetrics-text", "openmetrics"],
		["application/openmetrics-text; version=1.0.0; charset=utf-8", "openmetrics"],
		[
			"application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1",
			"openmetrics",
		],
		["text/plain;q=0.9, application/openmetrics-text;q=0.1", "prometheus"],
		["application/openmetrics-text;q=0", "prometheus"],
		["application/openmetrics-text;q=x", "prometheus"],
		[`${"a/b,".repeat(100_000)}application/openmetrics-text`, "prometheus"],
	] as const) {
		assert.equal(chooseMetricsFormat(accept), format, String(accept).slice(0, 80));
	}
});
