import { randomToken, sha256Hex } from "@tripline/contract/ids";
import type { Clock } from "@tripline/platform/clock";
import type { Kv } from "@tripline/platform/kv";
import { noSignals, type Signals } from "@tripline/platform/signals";

/** An access token's record, stored under the hash of the token. */
export interface TokenRecord {
	readonly namespace: string;
	/** The audience (RFC 8707): the server's own `/mcp`. */
	readonly resource: string;
	readonly client_id: string;
	readonly client_name: string | null;
	/** Unix milliseconds. */
	readonly issued_at: number;
	readonly expires_at: number;
}

interface IssuedToken extends TokenRecord {
	/** The hash. */
	readonly id: string;
}

export interface Tokens {
	/** One storage read, or none if the token was looked up within the last 5 s. Null: unknown, revoked or expired. */
	find(token: string): Promise<IssuedToken | null>;
	issue(record: TokenRecord, token: string): Promise<void>;
	/** A page of a namespace's tokens, newest first within the page. */
	list(
		namespace: string,
		cursor: string | null,
	): Promise<{ readonly tokens: readonly IssuedToken[]; readonly cursor: string | null }>;
	/** Whether the namespace had a token with that id; `namespace` null: any namespace. */
	revoke(namespace: string | null, id: string): Promise<boolean>;
	/** Revokes without reading first, because storage that lags may not yet show a token that was just issued. */
	withdraw(id: string): Promise<void>;
}

interface CachedToken {
	readonly found: IssuedToken | null;
	readonly until: number;
}

const PREFIX = "token:";
const TOKEN = /^tlo_[A-Za-z0-9_-]{43}$/;
const ID = /^[0-9a-f]{64}$/;
/** A revoked token is refused within this time. */
const WITHDRAWN = "token";
const CACHE_MS = 5_000;
const MAX_CACHED = 1_000;
const PAGE_SIZE = 20;

/** Whether the text has the format of an access token. */
export const isTokenShaped = (text: string): boolean => TOKEN.test(text);

export const createToken = (): string => `tlo_${randomToken(32)}`;

export function createTokens(deps: {
	readonly kv: Kv;
	readonly clock: Clock;
	readonly signals?: Signals | undefined;
}): Tokens {
	const { kv, clock, signals = noSignals } = deps;
	/** Keyed by the token itself: hashing it on each request would cost more than the lookup. */
	const cache = new Map<string, CachedToken>();
	signals.on(WITHDRAWN, forget);

	return {
		async find(token) {
			const now = clock.now();
			const answer = cache.get(token);
			if (answer !== undefined && answer.until > now) return dropExpired(answer.found, now);
			if (!isTokenShaped(token)) return null;
			const found = await read(await sha256Hex(token));
			remember(token, { found, until: now + CACHE_MS });
			return dropExpired(found, clock.now());
		},

		async issue(record, token) {
			const ttlSeconds = Math.max(1, Math.ceil((record.expires_at - clock.now()) / 1000));
			await kv.put(PREFIX + (await sha256Hex(token)), JSON.stringify(record), { ttlSeconds });
			cache.delete(token);
		},

		async list(namespace, cursor) {
			const page = await kv.list({ prefix: PREFIX, limit: PAGE_SIZE, cursor });
			const found = await Promise.all(page.keys.map((key) => read(key.slice(PREFIX.length))));
			const now = clock.now();
			const tokens = found
				.filter((each) => each !== null)
				.filter((each) => each.namespace === namespace && each.expires_at > now)
				.sort((one, other) => other.issued_at - one.issued_at);
			return { tokens, cursor: page.cursor };
		},

		async revoke(namespace, id) {
			const found = ID.test(id) ? await read(id) : null;
			if (found === null || (namespace !== null && found.namespace !== namespace)) return false;
			await withdraw(id);
			return true;
		},

		withdraw,
	};

	async function withdraw(id: string): Promise<void> {
		await kv.delete(PREFIX + id);
		forget(id);
		signals.send(WITHDRAWN, id);
	}

	function forget(id: string): void {
		for (const [token, answer] of cache) if (answer.found?.id === id) cache.delete(token);
	}

	async function read(id: string): Promise<IssuedToken | null> {
		const text = await kv.get(PREFIX + id);
		return text === null ? null : { ...(JSON.parse(text) as TokenRecord), id };
	}

	function remember(token: string, answer: CachedToken): void {
		cache.delete(token);
		if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value as string);
		cache.set(token, answer);
	}
}

/** The storage's own expiry may lag. */
const dropExpired = (found: IssuedToken | null, now: number): IssuedToken | null =>
	found !== null && found.expires_at > now ? found : null;
