import type { Entry } from "@tripline/contract/entries";
import { sha256Hex } from "@tripline/contract/ids";
import { SYSTEM_OWNER } from "@tripline/contract/names";
import { identifyCaller, isLocalAddress } from "@tripline/platform/addresses";
import { type Clock, unixSeconds } from "@tripline/platform/clock";
import type { StoreClient } from "@tripline/store/client";
import type { Incoming } from "@tripline/web/http-message";
import { OAuthFailed } from "./problems.ts";

const ENTRY_TYPE = "oauth_attempt";
const MAX_WRONG_SECRETS = 10;
const WINDOW_SECONDS = 5 * 60;
/** How far the clocks of several machines may differ, in seconds. */
const CLOCK_JITTER_SECONDS = 30;
/** More than one address can have in flight at once. */
const MAX_ENTRIES_READ = 1_000;

/** Any of these shows that a proxy forwarded the request. Unless the proxy is trusted, none of them proves who sent it. */
const FORWARDING_HEADERS = ["x-forwarded-for", "cf-connecting-ip", "x-real-ip", "forwarded"];
const BEHIND_PROXY = "behind a proxy on this machine";
/** Past the limit, the pause before each comparison behind such a proxy: 60 guesses a minute, from all callers together. */
const PAUSE_MS = 1_000;
const MAX_WAITING = 30;

type CountedAttempt = Pick<Entry, "id" | "created_at">;

interface Attempt {
	/** The secret was right: the attempt no longer counts. */
	takeBack(): Promise<unknown>;
	/** The error to answer a wrong secret with; null while tries are left. */
	readonly refusal: OAuthFailed | null;
}

/**
 * Limits wrong owner secrets per address. The count is kept in the store, so that it holds for all replicas.
 *
 * Behind an untrusted proxy on this machine all callers share one address, and blocking that address would let any
 * stranger lock the owner out. There, past the limit, secrets are still compared, but one at a time.
 */
export function createAttempts(deps: {
	readonly store: Pick<StoreClient, "entries">;
	readonly clock: Clock;
	/** On Workers: a request cannot wait for another one, and the platform itself reports the caller's address. */
	readonly isolatesRequests?: boolean;
	pause?(): Promise<void>;
}) {
	const { entries } = deps.store;
	const takeTurn = createQueue(deps.pause ?? pause);

	return {
		/** Counts as wrong until it is taken back. Throws when no more are allowed or the attempt cannot be counted. */
		async begin(request: Pick<Incoming, "address" | "headers">): Promise<Attempt> {
			const forwardedFor = deps.isolatesRequests === true ? null : findForwardedCaller(request);
			const page_name = await sha256Hex(
				forwardedFor === null ? identifyCaller(request.address) : BEHIND_PROXY,
			);
			const before = await listRecent(page_name);
			if (before.length >= MAX_WRONG_SECRETS) return handlePastLimit(before, forwardedFor, async () => {});
			const entry = { entry_type: ENTRY_TYPE, owner_id: SYSTEM_OWNER, page_name, content: "" };
			const { id } = (await entries.append(entry)).entry;
			const takeBack = () => entries.delete(SYSTEM_OWNER, id);
			// Concurrent attempts may all see room left: after counting again, only the first of them go on.
			const after = await listRecent(page_name);
			const place = after.findIndex((each) => each.id === id);
			if (place === -1 || after.length - place > MAX_WRONG_SECRETS)
				return handlePastLimit(after, forwardedFor, takeBack);
			return { takeBack, refusal: null };
		},
	};

	async function handlePastLimit(
		counted: readonly CountedAttempt[],
		forwardedFor: string | null,
		takeBack: Attempt["takeBack"],
	): Promise<Attempt> {
		const refusal = createRefusal(counted);
		if (forwardedFor === null || !(await takeTurn(forwardedFor))) throw refusal;
		return { takeBack, refusal };
	}

	/** Newest first. */
	async function listRecent(page_name: string): Promise<readonly CountedAttempt[]> {
		const now = unixSeconds(deps.clock);
		const filter = {
			owner_id: SYSTEM_OWNER,
			entry_type: ENTRY_TYPE,
			page_name,
			since: now - WINDOW_SECONDS + 1,
			// Entries dated in the future by a clock that was ahead must not lock anybody out until then.
			until: now + CLOCK_JITTER_SECONDS,
			limit: MAX_ENTRIES_READ,
		};
		return (await entries.list(filter)).entries;
	}

	function createRefusal(counted: readonly CountedAttempt[]): OAuthFailed {
		const freeing = counted[MAX_WRONG_SECRETS - 1]?.created_at ?? unixSeconds(deps.clock);
		const wait = freeing + WINDOW_SECONDS - unixSeconds(deps.clock);
		return new OAuthFailed({ kind: "too_many", retryAfterSeconds: Math.max(1, wait) });
	}
}

/** The caller as a proxy on this machine reports it; null if no such proxy forwarded the request. */
function findForwardedCaller({ address, headers }: Pick<Incoming, "address" | "headers">): string | null {
	if (address === undefined || !isLocalAddress(address)) return null;
	const name = FORWARDING_HEADERS.find((each) => headers.has(each));
	// The last address is the one that the proxy itself saw; the caller may have made up those before it.
	return name === undefined ? null : (headers.get(name)?.split(",").at(-1)?.trim() ?? "");
}

/**
 * Runs callers one after the other, with a pause before each. Only one request per address may wait, so that a caller
 * who sends many does not fill the queue. False: the queue is full.
 */
function createQueue(pauseBefore: () => Promise<void>): (who: string) => Promise<boolean> {
	const waiting = new Set<string>();
	let last: Promise<unknown> = Promise.resolve();
	return async (who) => {
		if (waiting.has(who) || waiting.size >= MAX_WAITING) return false;
		waiting.add(who);
		last = last.then(pauseBefore);
		await last;
		waiting.delete(who);
		return true;
	};
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS));
