import type { Clock } from "@tripline/platform/clock";
import { CannotOpen, readKeyId, seal, unseal, type VaultKey } from "@tripline/platform/vault";
import { briefCache } from "./brief-cache.ts";
import type { TenantKeys } from "./tenant-keys.ts";

/** Seals what is stored of one namespace's runs. */
export interface Sealer {
	seal(context: readonly string[], text: string): Promise<string>;
	/** Throws `CannotOpen` for a text that was not sealed with this context and namespace. */
	open(context: readonly string[], envelope: string): Promise<string>;
}

const MAX_CACHED_KEYS = 1000;
/** Far below the retention of replaced keys, because a replaced key is used until it leaves the cache. */
const CACHE_MS = 5 * 60_000;

export function runSealers(deps: { keys: TenantKeys; clock: Clock }) {
	const { keys, clock } = deps;
	const newest = briefCache<VaultKey>({ clock, milliseconds: CACHE_MS, size: MAX_CACHED_KEYS });
	return {
		/** Creates the namespace's run key if it has none. */
		async runSealer(namespace: string): Promise<Sealer> {
			await findNewest(namespace);
			return {
				async seal(context, text) {
					const key = await findNewest(namespace);
					return seal(key, buildContext(namespace, context), new TextEncoder().encode(text));
				},
				async open(context, envelope) {
					const key = await keys.find(namespace, readKeyId(envelope) ?? "");
					if (key === null) throw new CannotOpen();
					return new TextDecoder().decode(await unseal(key, buildContext(namespace, context), envelope));
				},
			};
		},
	};

	async function findNewest(namespace: string): Promise<VaultKey> {
		const known = newest.get(namespace);
		if (known !== undefined) return known;
		const key = await keys.ensureNewest(namespace);
		newest.set(namespace, key);
		return key;
	}
}

const buildContext = (namespace: string, context: readonly string[]): string[] => [
	"run",
	namespace,
	...context,
];
