import { EXECUTION_SETTINGS } from "@tripline/contract/entry-types";
import { ExecutionSettings } from "@tripline/contract/kept-data";
import type { Keep } from "@tripline/contract/workflows";
import type { Clock } from "@tripline/platform/clock";
import { noSignals, type Signals } from "@tripline/platform/signals";
import type { StoreClient } from "@tripline/store/client";
import { briefCache } from "../vault/brief-cache.ts";

const PAGE = "executions";
const CHANGED = "keep";
const CACHE_MS = 60_000;
const LAST_MS = 24 * 60 * 60_000;
const MAX_CACHED = 10_000;
const DEFAULT: Keep = "memory";

/** What namespaces keep of runs whose workflow does not say it, as entries of the store. */
export function keepDefaults(deps: { store: StoreClient; clock: Clock; signals?: Signals | undefined }) {
	const { store, clock, signals = noSignals } = deps;
	const known = briefCache<Keep>({ clock, milliseconds: CACHE_MS, size: MAX_CACHED });
	const last = briefCache<Keep>({ clock, milliseconds: LAST_MS, size: MAX_CACHED });
	signals.on(CHANGED, known.forget);
	return {
		/** Undefined if it is not known without asking the store. */
		peek: (namespace: string): Keep | undefined => known.get(namespace),

		/** What was last known in this process, or else what holds if nobody has chosen. */
		peekLast: (namespace: string): Keep => last.get(namespace) ?? DEFAULT,

		async load(namespace: string): Promise<Keep> {
			const age = known.age();
			const cached = known.get(namespace);
			if (cached !== undefined) return cached;
			const found = await read(namespace);
			known.set(namespace, found, age);
			last.set(namespace, found);
			return found;
		},

		read,

		async write(namespace: string, settings: ExecutionSettings): Promise<void> {
			await store.entries.upsert({
				owner_id: namespace,
				entry_type: EXECUTION_SETTINGS,
				page_name: PAGE,
				content: "",
				metadata_json: JSON.stringify(settings),
			});
			known.forget(namespace);
			signals.send(CHANGED, namespace);
			last.set(namespace, settings.keep);
		},
	};

	async function read(namespace: string): Promise<Keep> {
		const entry = await store.entries.get(namespace, EXECUTION_SETTINGS, PAGE);
		const parsed = ExecutionSettings.safeParse(entry === null ? null : JSON.parse(entry.metadata_json));
		return parsed.success ? parsed.data.keep : DEFAULT;
	}
}

export type KeepDefaults = ReturnType<typeof keepDefaults>;
