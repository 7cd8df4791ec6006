import { parseMembers } from "@tripline/contract/json";
import type { Clock } from "@tripline/platform/clock";
import type { WebhookStorage } from "../storage/webhooks.ts";
import { corrupt, type Runnable, type Runnables } from "./runnable.ts";

/** A token webhook, ready to run. */
export interface Webhook {
	readonly runnable: Runnable;
	/** What records call it: the graph's id, else the token. */
	readonly workflow: string;
	readonly namespace: string | null;
}

/** A record never changes, so this is only how long it outlives its deletion elsewhere. */
const CACHE_MS = 1_000;
const MOST_CACHED = 10_000;
/** Of compiling; a plan of this size takes megabytes. */
const LARGE_UNITS = 1_000_000;

export type Webhooks = ReturnType<typeof webhookFinder>;

/** Webhooks by token. One that is called often is not read from the key-value store every time. */
export function webhookFinder(deps: { storage: WebhookStorage; runnables: Runnables; clock: Clock }) {
	const cached = new Map<string, Cached>();

	return {
		/** At once if it was found a moment ago; null: there is none. */
		find(token: string): Webhook | Promise<Webhook | null> {
			const known = cached.get(token);
			if (known === undefined || known.until <= deps.clock.now()) return read(token);
			return known.webhook ?? readied(token, known.text).then(({ webhook }) => webhook);
		},

		forget(token: string): void {
			cached.delete(token);
		},
	};

	async function read(token: string): Promise<Webhook | null> {
		const text = await deps.storage.get(token);
		cached.delete(token);
		if (text === null) return null;
		const { webhook, isKept } = await readied(token, text);
		forgetExpired();
		if (cached.size >= MOST_CACHED) cached.clear();
		cached.set(token, { text, webhook: isKept ? webhook : null, until: deps.clock.now() + CACHE_MS });
		return webhook;
	}

	/** The first expire first. They would keep the plans of webhooks that are not called any more. */
	function forgetExpired(): void {
		const now = deps.clock.now();
		for (const [token, { until }] of cached) {
			if (until > now) return;
			cached.delete(token);
		}
	}

	async function readied(token: string, text: string) {
		const namespace = namespaceIn(text);
		const found = deps.runnables.of(text, sourceIn, namespace);
		const runnable = await found;
		const webhook = { runnable, workflow: runnable.graphId ?? token, namespace };
		return { webhook, isKept: runnable === found && runnable.units < LARGE_UNITS };
	}
}

interface Cached {
	readonly text: string;
	/** Null: what the tenant's components are may change at any time, or the plan is so large that only few are kept. */
	readonly webhook: Webhook | null;
	readonly until: number;
}

/** Null too where the record cannot be read: reading the source says so. */
function namespaceIn(text: string): string | null {
	try {
		const { namespace } = parseMembers(text, ["namespace"]);
		return typeof namespace === "string" ? namespace : null;
	} catch {
		return null;
	}
}

function sourceIn(text: string): object {
	const stored: unknown = JSON.parse(text);
	if (typeof stored !== "object" || stored === null) throw corrupt("it is not an object");
	const { graph, context, options } = stored as Record<string, unknown>;
	return { graph, ...(context !== undefined && { context }), ...(options !== undefined && { options }) };
}
