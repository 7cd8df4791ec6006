import { LIFETIMES } from "@tripline/contract/entry-types";
import { TRASH_DAYS } from "@tripline/contract/workflow-versions";
import type { Background } from "@tripline/platform/background";
import type { Clock } from "@tripline/platform/clock";
import type { Embedder } from "@tripline/platform/embed";
import type { Log } from "@tripline/platform/log";
import type { Metrics } from "@tripline/platform/metrics";
import { isMigrated } from "@tripline/platform/migrations";
import type { Sql } from "@tripline/platform/sql";
import type { Tracing } from "@tripline/platform/tracing";
import type { VectorIndex } from "@tripline/platform/vectors";
import { type App, createApp } from "@tripline/web/app";
import { requestCounter } from "@tripline/web/request-metrics";
import { findNextTime } from "./domain/schedule.ts";
import { acceptedRunRoutes } from "./http/accepted-runs.ts";
import { announcer, type Notify } from "./http/announce.ts";
import { authenticator } from "./http/authenticate.ts";
import { conversationRoutes } from "./http/conversations.ts";
import type { StoreParts } from "./http/deps.ts";
import { embedRoutes } from "./http/embed.ts";
import { entryRoutes } from "./http/entries.ts";
import { executionLogRoutes } from "./http/execution-log.ts";
import { fileRoutes } from "./http/files.ts";
import { graphRoutes } from "./http/graph.ts";
import { partnerKeyRoutes } from "./http/partner-keys.ts";
import { processRoutes } from "./http/processes.ts";
import { recordRoutes } from "./http/records.ts";
import { runLeaseRoutes } from "./http/run-leases.ts";
import { scheduleRoutes } from "./http/schedules.ts";
import { searchRoutes } from "./http/search.ts";
import { stateRoutes } from "./http/state.ts";
import { templateRoutes } from "./http/templates.ts";
import { tripletRoutes } from "./http/triplets.ts";
import { usageRoutes } from "./http/usage.ts";
import { waitRoutes } from "./http/waits.ts";
import { workflowDraftRoutes } from "./http/workflow-drafts.ts";
import { workflowRoutes } from "./http/workflows.ts";
import { readTotals } from "./read-totals.ts";
import type { StoreSettings } from "./settings.ts";
import { acceptedRunStorage } from "./storage/accepted-runs.ts";
import { conversationStorage } from "./storage/conversations.ts";
import { deletedWorkflowStorage } from "./storage/deleted-workflows.ts";
import { entryStorage } from "./storage/entries.ts";
import { executionLogStorage } from "./storage/execution-log.ts";
import { executionReportStorage } from "./storage/execution-reports.ts";
import { fileStorage } from "./storage/files.ts";
import { graphStorage } from "./storage/graph.ts";
import { storeMigrations } from "./storage/migrations.ts";
import { partnerKeyStorage } from "./storage/partner-keys.ts";
import { processStorage } from "./storage/processes.ts";
import { recordStorage } from "./storage/records.ts";
import { type Cutoff, retentionStorage } from "./storage/retention.ts";
import { runLeaseStorage } from "./storage/run-leases.ts";
import { scheduleStorage } from "./storage/schedules.ts";
import { searchStorage } from "./storage/search.ts";
import { stateStorage } from "./storage/state.ts";
import { templateStorage } from "./storage/templates.ts";
import { totalStorage } from "./storage/totals.ts";
import { tripletStorage } from "./storage/triplets.ts";
import { usageStorage } from "./storage/usage.ts";
import { vectorStorage } from "./storage/vectors.ts";
import { waitStorage } from "./storage/waits.ts";
import { workflowDraftStorage } from "./storage/workflow-drafts.ts";
import { workflowVersionStorage } from "./storage/workflow-versions.ts";
import { workflowStorage } from "./storage/workflows.ts";
import { semanticIndex } from "./vectors/semantic-index.ts";

export interface StoreDeps {
	readonly sql: Sql;
	readonly clock: Clock;
	readonly log: Log;
	readonly version: string;
	readonly settings: StoreSettings;
	/** Runs embedding and event delivery after the response; not needed without either. */
	readonly background?: Background;
	/** Null: entries are marked for embedding and stay pending. */
	readonly embedder?: Embedder | null;
	/** Null: vectors are searched in the database. */
	readonly vectorIndex?: VectorIndex | null;
	/** Maximum embedding batches per run; unlimited by default. */
	readonly embedRounds?: number;
	/** Check next run times on the first tick: the clock may have been ahead before this start. */
	readonly hasUncheckedSchedules?: boolean;
	/** Receives write events of owners that have a workflow listening for events. */
	readonly notify?: Notify;
	/** Omitted: nothing is counted, as on Workers. */
	readonly metrics?: Metrics | undefined;
	/** Null or omitted: nothing is traced. */
	readonly tracing?: Tracing | null;
}

export interface Store extends App {
	/** Deletes expired entries, then indexes and embeds pending ones, in bounded batches. */
	tick(): Promise<void>;
	/** Stops background work soon; unfinished entries stay marked. */
	stop(): void;
}

const DELETES_PER_TICK = 20;
const SWEEPS_PER_TICK = 10;
const DAY = 24 * 60 * 60;
/** Seconds by which the clocks of several machines may differ. */
const CLOCK_JITTER = 30;
/** The database limits the number of statements in one unit of work. */
const SCHEDULES_PER_STEP = 40;
/** How long the runs descending from one root are counted. */
const ROOT_LIFETIME_MS = DAY * 1000;

export function createStore(deps: StoreDeps): Store {
	const { sql, clock, log, version, settings, metrics } = deps;
	if (metrics !== undefined) readTotals(metrics, totalStorage(sql), clock);
	const entries = entryStorage(sql);
	const retention = retentionStorage(sql);
	const background = deps.background ?? { run() {} };
	const semantic = semanticIndex({
		storage: vectorStorage(sql),
		embedder: deps.embedder ?? null,
		index: deps.vectorIndex ?? null,
		background,
		clock,
		log,
		rounds: deps.embedRounds ?? Number.POSITIVE_INFINITY,
	});
	/** Unix seconds; infinity makes the first tick check the schedules. */
	let tickedAt = deps.hasUncheckedSchedules === true ? Number.POSITIVE_INFINITY : 0;
	const parts: StoreParts = {
		entries,
		templates: templateStorage(sql),
		records: recordStorage(sql),
		executionLog: executionLogStorage(sql),
		executionReports: executionReportStorage(sql),
		partnerKeys: partnerKeyStorage(sql, entries),
		triplets: tripletStorage(sql),
		graph: graphStorage(sql),
		search: searchStorage(sql),
		semantic,
		schedules: scheduleStorage(sql),
		acceptedRuns: acceptedRunStorage(sql),
		waits: waitStorage(sql),
		state: stateStorage(sql),
		conversations: conversationStorage(sql),
		processes: processStorage(sql),
		runLeases: runLeaseStorage(sql),
		files: fileStorage(sql),
		usage: usageStorage(sql),
		workflows: workflowStorage(sql),
		workflowVersions: workflowVersionStorage(sql),
		workflowDrafts: workflowDraftStorage(sql),
		deletedWorkflows: deletedWorkflowStorage(sql),
		announce: announcer({ notify: deps.notify, background, entries }),
		clock,
		settings,
		fetch: (url, init) => fetch(url, init),
	};
	const app = createApp({
		title: "Tripline knowledge store",
		version,
		routes: [
			...entryRoutes(parts),
			...workflowRoutes(parts),
			...workflowDraftRoutes(parts),
			...usageRoutes(parts),
			...scheduleRoutes(parts),
			...acceptedRunRoutes(parts),
			...waitRoutes(parts),
			...stateRoutes(parts),
			...conversationRoutes(parts),
			...runLeaseRoutes(parts),
			...processRoutes(parts),
			...fileRoutes(parts),
			...templateRoutes(parts),
			...recordRoutes(parts),
			...executionLogRoutes(parts),
			...tripletRoutes(parts),
			...graphRoutes(parts),
			...searchRoutes(parts),
			...embedRoutes(parts),
			...partnerKeyRoutes(parts),
		],
		tracing: deps.tracing,
		// Its requests are parts of others, or of no interest.
		beginsTraces: false,
		authenticate: authenticator({ settings, partnerKeys: parts.partnerKeys }),
		ready: () => isMigrated(sql, storeMigrations),
		clock,
		log,
		maxBodyBytes: settings.maxBodyBytes,
		countRequest: metrics && requestCounter(metrics, "store"),
	});
	return {
		...app,
		async tick() {
			await correctSchedules(Math.floor(clock.now() / 1000));
			await deleteExpired(listCutoffs(Math.floor(clock.now() / 1000), settings.retentionDays));
			const rootsBefore = clock.now() - ROOT_LIFETIME_MS;
			for (
				let step = 0;
				step < DELETES_PER_TICK && (await parts.acceptedRuns.deleteRootCounters(rootsBefore));
				step++
			);
			for (let step = 0; step < DELETES_PER_TICK && (await parts.state.deleteExpired(clock.now())); step++);
			for (
				let step = 0;
				step < DELETES_PER_TICK && (await parts.files.deleteEndedHolds(clock.now()));
				step++
			);
			const purgedBefore = Math.floor(clock.now() / 1000) - TRASH_DAYS * DAY;
			for (
				let step = 0;
				step < DELETES_PER_TICK && (await parts.deletedWorkflows.purgeBefore(purgedBefore));
				step++
			);
			for (let step = 0; step < SWEEPS_PER_TICK && (await parts.search.catchUp()); step++);
			await semantic.tick();
		},
		stop: semantic.stop,
	};

	/** A clock that was ahead has also set next run times too late. Once it is correct, they are recomputed. */
	async function correctSchedules(now: number): Promise<void> {
		const isSetBack = now < tickedAt - CLOCK_JITTER;
		tickedAt = now;
		if (!isSetBack) return;
		const nextTimes = new Map<string, number | null>();
		let from = { next_run_at: now, seq: Number.MAX_SAFE_INTEGER };
		for (;;) {
			const page = await parts.schedules.listAfter(from, SCHEDULES_PER_STEP);
			const last = page.at(-1);
			if (last === undefined) return;
			from = last;
			const early = page.flatMap((row) => {
				const next = nextTimes.get(row.schedule) ?? findNextTime(row.schedule, now);
				nextTimes.set(row.schedule, next);
				return next !== null && next < row.next_run_at ? [{ ...row, next_run_at: next }] : [];
			});
			if (early.length > 0) await parts.schedules.bringForward(early);
		}
	}

	async function deleteExpired(cutoffs: readonly Cutoff[]): Promise<void> {
		let deleted = 0;
		for (let round = 0; round < DELETES_PER_TICK; round++) {
			const gone = await retention.deleteExpired(cutoffs);
			deleted += gone;
			if (gone === 0) break;
		}
		if (deleted === 0) return;
		await sql.compact();
		log("info", "expired entries deleted", { deleted });
	}
}

const listCutoffs = (now: number, retentionDays: number): Cutoff[] =>
	Object.entries({
		execution_log: retentionDays * DAY,
		execution_log_usage: retentionDays * DAY,
		...LIFETIMES,
	}).map(([entry_type, lifetime]) => ({ entry_type, before: now - lifetime }));
