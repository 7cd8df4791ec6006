import { parseMembers } from "@tripline/contract/json";
import type { Clock } from "@tripline/platform/clock";
import type { WebhookStorage } from "../storage/webhooks.ts";
import { corrupt, type Runnable, type Runnables } from "./runnable.ts";

/** A token webhook, ready to run. */
export interface Webhook {
	readonly runnable: Runnable;
	/** Its name in records: the graph's id, else the token. */
	readonly workflow: string;
	readonly namespace: string | null;
}

/** Records are immutable, so this only bounds how long a webhook works after another process deleted it. */
const CACHE_MS = 1_000;
const MAX_CACHED = 10_000;
/** Work units of compiling; a plan of this size takes megabytes. */
const LARGE_UNITS = 1_000_000;

export type Webhooks = ReturnType<typeof webhookFinder>;

/** Finds webhooks by token, with a short cache in front of the key-value store. */
export function webhookFinder(deps: { storage: WebhookStorage; runnables: Runnables; clock: Clock }) {
	const cached = new Map<string, Cached>();

	return {
		/** Synchronous for a cached webhook. Null if there is none. */
		find(token: string): Webhook | Promise<Webhook | null> {
			const known = cached.get(token);
			if (known === undefined || known.until <= deps.clock.now()) return read(token);
			return known.webhook ?? prepareWebhook(token, known.text).then(({ webhook }) => webhook);
		},

		forget(token: string): void {
			cached.delete(token);
		},
	};

	async function read(token: string): Promise<Webhook | null> {
		const text = await deps.storage.get(token);
		cached.delete(token);
		if (text === null) return null;
		const { webhook, isKept } = await prepareWebhook(token, text);
		forgetExpired();
		if (cached.size >= MAX_CACHED) cached.clear();
		cached.set(token, { text, webhook: isKept ? webhook : null, until: deps.clock.now() + CACHE_MS });
		return webhook;
	}

	/** Frees the plans of webhooks that are no longer called. The map is in order of expiry. */
	function forgetExpired(): void {
		const now = deps.clock.now();
		for (const [token, { until }] of cached) {
			if (until > now) return;
			cached.delete(token);
		}
	}

	async function prepareWebhook(token: string, text: string) {
		const namespace = readNamespace(text);
		const found = deps.runnables.get(text, parseSource, namespace);
		const runnable = await found;
		const webhook = { runnable, workflow: runnable.graphId ?? token, namespace };
		return { webhook, isKept: runnable === found && runnable.units < LARGE_UNITS };
	}
}

interface Cached {
	readonly text: string;
	/** Null if the tenant's components may change at any time, or if the plan is too large to cache here. */
	readonly webhook: Webhook | null;
	readonly until: number;
}

/** Also null for an unreadable record; reading its source reports that. */
function readNamespace(text: string): string | null {
	try {
		const { namespace } = parseMembers(text, ["namespace"]);
		return typeof namespace === "string" ? namespace : null;
	} catch {
		return null;
	}
}

function parseSource(text: string): object {
	const stored: unknown = JSON.parse(text);
	if (typeof stored !== "object" || stored === null) throw corrupt("it is not an object");
	const { graph, context, options, trigger } = stored as Record<string, unknown>;
	return {
		graph,
		...(context !== undefined && { context }),
		...(options !== undefined && { options }),
		...(trigger !== undefined && { trigger }),
	};
}
