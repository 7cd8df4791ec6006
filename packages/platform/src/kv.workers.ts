import type { Clock } from "./clock.ts";
import { assertKey, assertTtl, type Kv, MAX_LIST } from "./kv.ts";

/** The part of a Workers KV binding that is used. */
export interface KvNamespace {
	getWithMetadata(key: string): Promise<{ value: string | null; metadata: unknown }>;
	put(key: string, value: string, options?: { expirationTtl?: number; metadata?: unknown }): Promise<void>;
	delete(key: string): Promise<void>;
	list(options: { prefix: string; limit: number; cursor?: string | null }): Promise<{
		keys: { name: string; metadata?: unknown }[];
		list_complete: boolean;
		cursor?: string;
	}>;
}

/** Workers KV rejects a shorter time to live, so the expiry is stored beside the value and checked too. */
const MIN_PLATFORM_TTL_SECONDS = 60;

export function workersKv(deps: { namespace: KvNamespace; clock: Clock }): Kv {
	const { namespace, clock } = deps;
	const isAlive = (metadata: unknown) => readExpiry(metadata) > clock.now();
	return {
		async get(key) {
			assertKey(key);
			const { value, metadata } = await namespace.getWithMetadata(key);
			return value !== null && isAlive(metadata) ? value : null;
		},
		async put(key, value, options) {
			assertKey(key);
			assertTtl(options?.ttlSeconds);
			const ttl = options?.ttlSeconds;
			await namespace.put(
				key,
				value,
				ttl === undefined
					? {}
					: {
							expirationTtl: Math.max(MIN_PLATFORM_TTL_SECONDS, ttl),
							metadata: { expires_at: clock.now() + ttl * 1000 },
						},
			);
		},
		async delete(key) {
			assertKey(key);
			await namespace.delete(key);
		},
		async list({ prefix, limit = MAX_LIST, cursor }) {
			const page = await namespace.list({ prefix, limit, ...(cursor ? { cursor } : {}) });
			return {
				keys: page.keys.filter((key) => isAlive(key.metadata)).map((key) => key.name),
				cursor: page.list_complete ? null : (page.cursor ?? null),
			};
		},
	};
}

function readExpiry(metadata: unknown): number {
	const expiry = (metadata as { expires_at?: unknown } | null | undefined)?.expires_at;
	return typeof expiry === "number" ? expiry : Number.POSITIVE_INFINITY;
}
