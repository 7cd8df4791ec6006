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

/** A record never changes, so this is only how long a webhook outlives its deletion elsewhere. */
const CACHE_MS = 1_000;
const MOST_CACHED = 10_000;

export type Webhooks = ReturnType<typeof webhookFinder>;

/** Webhooks by token. One that is called often is not read from the key-value store every time. */
export function webhookFinder(deps: { storage: WebhookStorage; runnables: Runnables; clock: Clock }) {
	const cached = new Map<string, { readonly webhook: Webhook; readonly until: number }>();

	return {
		/** At once if it was found a moment ago; null: there is none. */
		find(token: string): Webhook | Promise<Webhook | null> {
			const known = cached.get(token);
			return known !== undefined && known.until > deps.clock.now() ? known.webhook : read(token);
		},

		forget(token: string): void {
			cached.delete(token);
		},
	};

	async function read(token: string): Promise<Webhook | null> {
		const text = await deps.storage.get(token);
		cached.delete(token);
		if (text === null) return null;
		const runnable = deps.runnables.of(text, (stored) => {
			const { graph, context, options } = recordOf(stored);
			return { graph, ...(context !== undefined && { context }), ...(options !== undefined && { options }) };
		});
		const { namespace } = JSON.parse(text) as { namespace?: unknown };
		const webhook = {
			runnable,
			workflow: runnable.plan.graph.id ?? token,
			namespace: typeof namespace === "string" ? namespace : null,
		};
		if (cached.size >= MOST_CACHED) cached.clear();
		cached.set(token, { webhook, until: deps.clock.now() + CACHE_MS });
		return webhook;
	}
}

function recordOf(stored: unknown): Record<string, unknown> {
	if (typeof stored === "object" && stored !== null) return stored as Record<string, unknown>;
	throw corrupt("it is not an object");
}
