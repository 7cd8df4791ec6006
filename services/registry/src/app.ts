import type { Manifest } from "@tripline/contract/registry";
import type { Background } from "@tripline/platform/background";
import type { Clock } from "@tripline/platform/clock";
import type { Kv } from "@tripline/platform/kv";
import type { Log } from "@tripline/platform/log";
import type { Metrics } from "@tripline/platform/metrics";
import type { Sandbox } from "@tripline/platform/sandbox";
import type { Tracing } from "@tripline/platform/tracing";
import { type App, createApp } from "@tripline/web/app";
import { requestCounter } from "@tripline/web/request-metrics";
import { access } from "./http/access.ts";
import { componentRoutes } from "./http/components.ts";
import type { RegistryParts } from "./http/deps.ts";
import { statisticsRoutes } from "./http/statistics.ts";
import { submissionRoutes } from "./http/submissions.ts";
import type { RegistrySettings } from "./settings.ts";
import { publishedStorage } from "./storage/published.ts";
import { publisherStorage } from "./storage/publishers.ts";
import { statisticsStorage } from "./storage/statistics.ts";
import { submissionStorage } from "./storage/submissions.ts";
import { createTurnQueue, type InTurn, runImmediately } from "./submissions/in-turn.ts";
import { reviewer } from "./submissions/review.ts";
import { submitter } from "./submissions/submit.ts";

/** A default only: routes that take larger bodies set their own limit. */
const MAX_BODY_BYTES = 64 * 1024;

export interface RegistryDeps {
	/** Published versions. */
	readonly components: Kv;
	/** Submissions and publishers. */
	readonly submissions: Kv;
	readonly stats: Kv;
	/** Runs the examples of submitted code. */
	readonly sandbox: Sandbox;
	/** The bundled components, loaded on first use because there are many. */
	market(): Promise<readonly Manifest[]>;
	readonly clock: Clock;
	readonly log: Log;
	readonly version: string;
	readonly background: Background;
	readonly settings: RegistrySettings;
	/** Whether requests can be served now. */
	ready(): Promise<boolean>;
	/** Runs tasks of all processes one after another. Omitted: no other process serves the registry. */
	readonly inTurn?: InTurn | undefined;
	/** Omitted: nothing is counted, as on Workers. */
	readonly metrics?: Metrics | undefined;
	/** Set on Workers, where no timer outlives a response and no request may await another's promise. */
	readonly isolatesRequests?: boolean;
	/** Null or omitted: nothing is traced. */
	readonly tracing?: Tracing | null;
}

export interface Registry extends App {
	/** Writes the pending counts. */
	flush(): Promise<void>;
	/** Writes the pending counts and stops the timer. */
	close(): Promise<void>;
}

export function createRegistry(deps: RegistryDeps): Registry {
	const { market, clock, log, settings, isolatesRequests = false } = deps;
	const published = publishedStorage({ kv: deps.components, market, clock });
	const inTurn = deps.inTurn ?? (isolatesRequests ? runImmediately : createTurnQueue());
	const statistics = statisticsStorage({
		kv: deps.stats,
		inTurn,
		clock,
		background: deps.background,
		everyMs: settings.statisticsMs,
		isolatesRequests,
	});
	const flow = {
		published,
		submissions: submissionStorage(deps.submissions),
		publishers: publisherStorage(deps.submissions),
		clock,
		inTurn,
	};
	const parts: RegistryParts = {
		access: access(settings),
		published,
		submissions: flow.submissions,
		statistics,
		submit: submitter({
			...flow,
			// Loaded by the first submission: at startup it would be most of the registry's cost.
			checks: async () =>
				(await import("./checks/checks.ts")).createChecks({ sandbox: deps.sandbox, market: await market() }),
		}),
		review: reviewer(flow),
	};
	const app = createApp<unknown>({
		title: "Tripline registry",
		version: deps.version,
		routes: [...componentRoutes(parts), ...submissionRoutes(parts), ...statisticsRoutes(parts)],
		authenticate: () => null,
		ready: deps.ready,
		clock,
		log,
		tracing: deps.tracing,
		maxBodyBytes: MAX_BODY_BYTES,
		countRequest: deps.metrics && requestCounter(deps.metrics, "registry"),
	});
	return { ...app, flush: statistics.flush, close: statistics.close };
}
