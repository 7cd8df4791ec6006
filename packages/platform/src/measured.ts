import {
	type AllowedHosts,
	isLocalAddress,
	isPublicAddress,
	isPublicName,
	parseAddress,
	stripBrackets,
} from "./addresses.ts";
import { type OutboundHttp, OutboundRefused } from "./http.ts";
import type { HeldRun, Journal } from "./journal.ts";
import { type Counter, type Metrics, REQUEST_BOUNDS_MS, SHORT_BOUNDS_MS } from "./metrics.ts";
import type { Sandbox } from "./sandbox.ts";
import type { Sql } from "./sql.ts";

/** Counts and times the statements of a database, with the time that a write waits for the others of its commit. */
export function measureSql<Database extends Sql>(
	sql: Database,
	metrics: Metrics,
	database: string,
): Database {
	const reads = openOperation("read");
	const writes = openOperation("write");
	return {
		...sql,
		read<R>(statement: Parameters<Sql["read"]>[0]): Promise<R[]> {
			const started = performance.now();
			reads.statements.add();
			return reads.time(started, sql.read<R>(statement));
		},
		write(unit: Parameters<Sql["write"]>[0]) {
			const started = performance.now();
			writes.statements.add(unit.length);
			return writes.time(started, sql.write(unit));
		},
	};

	function openOperation(operation: "read" | "write") {
		const labels = { database, operation };
		const statements = metrics.counter({ name: "tripline_sql_statements", help: "SQL statements" }, labels);
		const errors = metrics.counter(
			{ name: "tripline_sql_errors", help: "Calls of a database that failed" },
			labels,
		);
		const durations = metrics.durations(
			{
				name: "tripline_sql_duration_seconds",
				help: "Duration of reads, and of units of work until they are on disk",
				boundsMs: SHORT_BOUNDS_MS,
			},
			labels,
		);
		return {
			statements,
			/** Returns the same promise, so that nobody waits for the measurement. */
			time<Result>(started: number, result: Promise<Result>): Promise<Result> {
				const end = () => durations.observe(performance.now() - started);
				result.then(end, () => {
					errors.add();
					end();
				});
				return result;
			},
		};
	}
}

const HOST_CLASSES = ["public", "private", "loopback", "allowed"] as const;
type HostClass = (typeof HOST_CLASSES)[number];
const ANSWERED = ["2xx", "3xx", "4xx", "5xx"] as const;
const CALL_RESULTS = [...ANSWERED, "refused", "aborted", "error"] as const;

/** Counts and times calls by the kind of their host: its name could tell who the tenant's partners are. */
export function measureHttp(http: OutboundHttp, metrics: Metrics, allow: AllowedHosts): OutboundHttp {
	const calls = toRecord(HOST_CLASSES, (host_class) => ({
		results: toRecord(CALL_RESULTS, (result) =>
			metrics.counter(
				{ name: "tripline_outbound_requests", help: "Outbound HTTP requests by kind of host and result" },
				{ host_class, result },
			),
		),
		durations: metrics.durations(
			{
				name: "tripline_outbound_request_duration_seconds",
				help: "Duration of outbound HTTP requests",
				boundsMs: REQUEST_BOUNDS_MS,
			},
			{ host_class },
		),
	}));
	return {
		async send(request, signal) {
			const { results, durations } = calls[classifyHost(request.url, allow)];
			const started = performance.now();
			try {
				const answer = await http.send(request, signal);
				results[ANSWERED[Math.floor(answer.status / 100) - 2] ?? "error"].add();
				return answer;
			} catch (error) {
				const failed = signal.aborted ? "aborted" : "error";
				results[error instanceof OutboundRefused ? "refused" : failed].add();
				throw error;
			} finally {
				durations.observe(performance.now() - started);
			}
		},
		close: () => http.close(),
	};
}

function classifyHost(url: URL, { entries }: AllowedHosts): HostClass {
	const host = stripBrackets(url.hostname);
	if (parseAddress(host) !== null) {
		if (isLocalAddress(host)) return "loopback";
		return isPublicAddress(host) ? "public" : "private";
	}
	if (/(?:^|\.)localhost$/.test(host)) return "loopback";
	if (entries.some((entry) => "name" in entry && entry.name === host)) return "allowed";
	return isPublicName(host) ? "public" : "private";
}

const CODE_RESULTS = ["ok", "threw", "timeout", "memory", "output", "aborted", "error"] as const;

/** Counts and times code of users. `timeout`, `memory` and `output` are limits that it has reached. */
export function measureSandbox(
	sandbox: Sandbox & { count(): { readonly threads: number; readonly waiting: number } },
	metrics: Metrics,
): Sandbox {
	const results = toRecord(CODE_RESULTS, (result) =>
		metrics.counter(
			{ name: "tripline_sandbox_calls", help: "Code that ran in the sandbox, by result" },
			{ result },
		),
	);
	const durations = metrics.durations({
		name: "tripline_sandbox_call_duration_seconds",
		help: "Duration of code in the sandbox, with the time that it waits for a thread and for answers",
		boundsMs: REQUEST_BOUNDS_MS,
	});
	metrics.read(
		{
			tripline_sandbox_threads: { type: "gauge", help: "Threads of the sandbox" },
			tripline_sandbox_waiting: { type: "gauge", help: "Code that waits for a thread" },
		},
		() => {
			const { threads, waiting } = sandbox.count();
			return { tripline_sandbox_threads: threads, tripline_sandbox_waiting: waiting };
		},
	);
	return {
		async run(job, signal) {
			const started = performance.now();
			try {
				const outcome = await sandbox.run(job, signal);
				results[outcome.ok ? "ok" : outcome.reason].add();
				return outcome;
			} catch (error) {
				results[signal.aborted ? "aborted" : "error"].add();
				throw error;
			} finally {
				durations.observe(performance.now() - started);
			}
		},
		close: () => sandbox.close(),
	};
}

/** Counts and times what is recorded of durable runs. */
export function measureJournal(journal: Journal, metrics: Metrics): Journal {
	const writes = toRecord(["take", "step", "end"], (operation) =>
		metrics.counter(
			{ name: "tripline_journal_writes", help: "Writes to the journal of durable runs" },
			{ operation },
		),
	);
	const errors = metrics.counter({
		name: "tripline_journal_errors",
		help: "Writes to the journal that failed, also because another process has the run",
	});
	const bytes = metrics.counter({ name: "tripline_journal_bytes", help: "Bytes of recorded steps" });
	const durations = metrics.durations({
		name: "tripline_journal_step_duration_seconds",
		help: "Duration of recording a step, until it is on disk",
		boundsMs: SHORT_BOUNDS_MS,
	});
	return {
		...journal,
		async take(run, tag) {
			const held = await countWrite(writes.take, journal.take(run, tag));
			return held === null ? null : measureSteps(held);
		},
		cancel: (run, until) => countWrite(writes.end, journal.cancel(run, until)),
		delete: (run) => countWrite(writes.end, journal.delete(run)),
		retain: (run, until, kept) => countWrite(writes.end, journal.retain(run, until, kept)),
	};

	function countWrite<Result>(counter: Counter, writing: Promise<Result>): Promise<Result> {
		writing.then(
			() => counter.add(),
			() => errors.add(),
		);
		return writing;
	}

	function measureSteps(held: HeldRun): HeldRun {
		return {
			...held,
			append(line, step) {
				const started = performance.now();
				const writing = countWrite(writes.step, held.append(line, step));
				writing.then(
					() => {
						bytes.add(step.length);
						durations.observe(performance.now() - started);
					},
					() => {},
				);
				return writing;
			},
		};
	}
}

function toRecord<Name extends string, Value>(
	names: readonly Name[],
	create: (name: Name) => Value,
): Record<Name, Value> {
	return Object.fromEntries(names.map((name) => [name, create(name)])) as Record<Name, Value>;
}
