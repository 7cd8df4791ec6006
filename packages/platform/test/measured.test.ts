import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAllowedHosts } from "@tripline/platform/addresses";
import { executorMigrations } from "@tripline/platform/executor-database";
import { OutboundRefused } from "@tripline/platform/http";
import { sqlJournal } from "@tripline/platform/journal.sql";
import { measureHttp, measureJournal, measureSandbox, measureSql } from "@tripline/platform/measured";
import { createMetrics, type Metrics } from "@tripline/platform/metrics";
import { renderMetrics } from "@tripline/platform/metrics-text";
import type { SandboxOutcome } from "@tripline/platform/sandbox";
import { statement } from "@tripline/platform/sql";
import { openMigrated } from "./open-migrated.ts";

/** The lines whose value is not 0, without those of times. */
async function listCounted(metrics: Metrics): Promise<string[]> {
	const text = renderMetrics(await metrics.collect(), "prometheus");
	return text.split("\n").filter((line) => /^[^#].* (?!0$)/.test(line) && !/_(?:bucket|sum)/.test(line));
}

test("statements of a database are counted by kind, and failures too", async () => {
	const metrics = createMetrics();
	const sql = measureSql(await openMigrated(executorMigrations), metrics, "executor");
	assert.equal((await sql.read(statement("select 1 as one"))).length, 1);
	await sql.write([statement("select 1"), statement("select 2")]);
	await assert.rejects(sql.read(statement("select nothing")));
	assert.deepEqual(await listCounted(metrics), [
		'tripline_sql_statements_total{database="executor",operation="read"} 2',
		'tripline_sql_statements_total{database="executor",operation="write"} 2',
		'tripline_sql_errors_total{database="executor",operation="read"} 1',
		'tripline_sql_duration_seconds_count{database="executor",operation="read"} 2',
		'tripline_sql_duration_seconds_count{database="executor",operation="write"} 1',
	]);
});

test("steps of durable runs are counted with their bytes", async () => {
	const metrics = createMetrics();
	const journal = measureJournal(sqlJournal(await openMigrated(executorMigrations)), metrics);
	const held = await journal.take("run", "tag");
	await held?.append("", new Uint8Array(100));
	await journal.take("run", "tag");
	await assert.rejects(held?.append("", new Uint8Array(100)) ?? Promise.resolve());
	await journal.delete("run");
	assert.deepEqual(await listCounted(metrics), [
		'tripline_journal_writes_total{operation="take"} 2',
		'tripline_journal_writes_total{operation="step"} 1',
		'tripline_journal_writes_total{operation="end"} 1',
		"tripline_journal_errors_total 1",
		"tripline_journal_bytes_total 100",
		"tripline_journal_step_duration_seconds_count 1",
	]);
});

test("calls are counted by the kind of their host, never by its name", async () => {
	const metrics = createMetrics();
	const stop = new AbortController();
	const http = measureHttp(
		{
			async send({ url }) {
				if (url.pathname === "/refused") throw new OutboundRefused("no");
				if (url.pathname === "/aborted") stop.abort();
				if (url.pathname !== "/") throw new Error("no");
				return { status: 204, headers: {}, body: new Uint8Array() };
			},
			close: async () => {},
		},
		metrics,
		parseAllowedHosts("crm.internal,10.0.0.0/8"),
	);
	const call = (address: string) =>
		http
			.send(
				{ method: "GET", url: new URL(address), headers: {}, body: null, timeoutMs: 1, maxBytes: 1 },
				stop.signal,
			)
			.catch(() => {});
	for (const address of [
		"https://api.example.com",
		"https://93.184.216.34/broken",
		"http://crm.internal:8080",
		"http://printer.lan/refused",
		"http://10.0.0.1",
		"http://[::1]:3000",
		"http://localhost",
		"https://api.example.com/aborted",
	])
		await call(address);
	const lines = await listCounted(metrics);
	assert.deepEqual(
		lines.filter((line) => line.includes("requests_total")),
		[
			["public", "2xx", 1],
			["public", "aborted", 1],
			["public", "error", 1],
			["private", "2xx", 1],
			["private", "refused", 1],
			["loopback", "2xx", 2],
			["allowed", "2xx", 1],
		].map(
			([host, result, count]) =>
				`tripline_outbound_requests_total{host_class="${host}",result="${result}"} ${count}`,
		),
	);
	assert.doesNotMatch(lines.join("\n"), /example|crm|printer|10\.0|93\.184/);
});

test("code is counted by what became of it", async () => {
	const metrics = createMetrics();
	const outcomes: (SandboxOutcome | Error)[] = [
		{ ok: true, output: "1", log: [] },
		{ ok: false, reason: "timeout", error: "", log: [] },
		{ ok: false, reason: "memory", error: "", log: [] },
		new Error("too many"),
	];
	const sandbox = measureSandbox(
		{
			async run() {
				const outcome = outcomes.shift();
				if (outcome === undefined || outcome instanceof Error) throw outcome;
				return outcome;
			},
			close: async () => {},
			count: () => ({ threads: 2, waiting: 3 }),
		},
		metrics,
	);
	const limits = { timeoutMs: 1, memoryBytes: 1, outputBytes: 1 };
	while (outcomes.length > 0)
		await sandbox.run({ code: "", input: "", limits }, new AbortController().signal).catch(() => {});
	assert.deepEqual(await listCounted(metrics), [
		'tripline_sandbox_calls_total{result="ok"} 1',
		'tripline_sandbox_calls_total{result="timeout"} 1',
		'tripline_sandbox_calls_total{result="memory"} 1',
		'tripline_sandbox_calls_total{result="error"} 1',
		"tripline_sandbox_call_duration_seconds_count 4",
		"tripline_sandbox_threads 2",
		"tripline_sandbox_waiting 3",
	]);
});
