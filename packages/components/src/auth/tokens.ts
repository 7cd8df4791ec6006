import { rejectOnAbort } from "./reject-on-abort.ts";

/** A cache of access tokens, each kept until shortly before it expires. Created once per process. */
export interface Tokens {
	/** `isKept`: the token came from the cache. */
	get(
		key: string,
		issue: (signal: AbortSignal) => Promise<IssuedToken>,
		signal: AbortSignal,
	): Promise<{ readonly value: string; readonly isKept: boolean }>;
	/** Removes the token, unless it has been replaced. */
	drop(key: string, value: string): void;
}

export interface IssuedToken {
	readonly value: string;
	readonly lifetimeMs: number;
}

const MAX_CACHED_TOKENS = 1_000;
const ISSUE_TIMEOUT_MS = 30_000;
const MAX_EARLY_MS = 60_000;

/** @param sharesPromises False on platforms where a request must not await another request's promise, such as Workers. */
export function createTokens({
	clock,
	sharesPromises,
}: {
	clock: { now(): number };
	sharesPromises: boolean;
}): Tokens {
	const cache = new Map<string, { readonly value: string; readonly until: number }>();
	const pending = new Map<string, Promise<string>>();

	async function issueAndCache(
		key: string,
		issue: (signal: AbortSignal) => Promise<IssuedToken>,
		signal: AbortSignal,
	): Promise<string> {
		const { value, lifetimeMs } = await issue(signal);
		const until = clock.now() + lifetimeMs - Math.min(MAX_EARLY_MS, lifetimeMs / 10);
		cache.delete(key);
		if (cache.size >= MAX_CACHED_TOKENS) cache.delete(cache.keys().next().value ?? "");
		cache.set(key, { value, until });
		return value;
	}

	/** Has its own timeout: the first caller may be cancelled while others still wait. */
	function issueOnce(key: string, issue: (signal: AbortSignal) => Promise<IssuedToken>): Promise<string> {
		const waiting = pending.get(key);
		if (waiting !== undefined) return waiting;
		const issuing = issueAndCache(key, issue, AbortSignal.timeout(ISSUE_TIMEOUT_MS)).finally(() =>
			pending.delete(key),
		);
		issuing.catch(() => {});
		pending.set(key, issuing);
		return issuing;
	}

	return {
		async get(key, issue, signal) {
			const found = cache.get(key);
			if (found !== undefined && clock.now() < found.until) return { value: found.value, isKept: true };
			const value = await (sharesPromises
				? rejectOnAbort(issueOnce(key, issue), signal)
				: issueAndCache(key, issue, signal));
			return { value, isKept: false };
		},
		drop(key, value) {
			if (cache.get(key)?.value === value) cache.delete(key);
		},
	};
}
