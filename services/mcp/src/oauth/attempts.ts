import type { Entry } from "@tripline/contract/entries";
import { sha256Hex } from "@tripline/contract/ids";
import { SYSTEM_OWNER } from "@tripline/contract/names";
import { callerAt, isLocalAddress } from "@tripline/platform/addresses";
import { type Clock, unixSeconds } from "@tripline/platform/clock";
import type { StoreClient } from "@tripline/store/client";
import type { Incoming } from "@tripline/web/exchange";
import { OAuthFailed } from "./problems.ts";

const ENTRY_TYPE = "oauth_attempt";
const MOST_WRONG = 10;
const WINDOW_SECONDS = 5 * 60;
/** Seconds that clocks of several machines may differ. */
const CLOCK_JITTER = 30;
/** More than can be on their way at once from one address. */
const MOST_READ = 1_000;

/** One of these shows that a proxy handed the request on; none of them says whose it is, unless the proxy is trusted. */
const FORWARDING = ["x-forwarded-for", "cf-connecting-ip", "x-real-ip", "forwarded"];
const BEHIND_PROXY = "behind a proxy on this machine";
/** Past the limit, between two comparisons of what came through such a proxy: 60 guesses a minute, from all the world. */
const PAUSE_MS = 1_000;
const MOST_WAITING = 30;

type Counted = Pick<Entry, "id" | "created_at">;

interface Attempt {
	/** It was right. */
	takeBack(): Promise<unknown>;
	/** What a wrong one gets instead of another try; null: there are tries left. */
	readonly refusal: OAuthFailed | null;
}

/**
 * How often an address may be wrong about the owner secret: kept in the store, so that it holds for all replicas.
 *
 * Behind a proxy on this machine that nobody said to trust, everybody has one address, and a limit that shuts it would
 * let any stranger shut the owner out. There, past the limit, secrets are still compared, but one at a time.
 */
export function createAttempts(deps: {
	readonly store: Pick<StoreClient, "entries">;
	readonly clock: Clock;
	/** As Workers do: no request waits for another one. The platform says whose a request is, whatever stands between. */
	readonly isolatesRequests?: boolean;
	pause?(): Promise<void>;
}) {
	const { entries } = deps.store;
	const takeTurn = turns(deps.pause ?? pause);

	return {
		/** Counts as wrong until it is taken back. Throws where no more are allowed, or none can be counted. */
		async begin(request: Pick<Incoming, "address" | "headers">): Promise<Attempt> {
			const forwardedFor = deps.isolatesRequests === true ? null : strangerBehindProxy(request);
			const page_name = await sha256Hex(forwardedFor === null ? callerAt(request.address) : BEHIND_PROXY);
			const before = await recent(page_name);
			if (before.length >= MOST_WRONG) return pastLimit(before, forwardedFor, async () => {});
			const entry = { entry_type: ENTRY_TYPE, owner_id: SYSTEM_OWNER, page_name, content: "" };
			const { id } = (await entries.append(entry)).entry;
			const takeBack = () => entries.delete(SYSTEM_OWNER, id);
			// Many at once all find that there is room: only the first of them may go on.
			const after = await recent(page_name);
			const place = after.findIndex((each) => each.id === id);
			if (place === -1 || after.length - place > MOST_WRONG) return pastLimit(after, forwardedFor, takeBack);
			return { takeBack, refusal: null };
		},
	};

	async function pastLimit(
		counted: readonly Counted[],
		forwardedFor: string | null,
		takeBack: Attempt["takeBack"],
	): Promise<Attempt> {
		const refusal = tooMany(counted);
		if (forwardedFor === null || !(await takeTurn(forwardedFor))) throw refusal;
		return { takeBack, refusal };
	}

	/** Newest first. */
	async function recent(page_name: string): Promise<readonly Counted[]> {
		const now = unixSeconds(deps.clock);
		const filter = {
			owner_id: SYSTEM_OWNER,
			entry_type: ENTRY_TYPE,
			page_name,
			since: now - WINDOW_SECONDS + 1,
			// What a clock that was ahead has dated later must not lock anybody out until then.
			until: now + CLOCK_JITTER,
			limit: MOST_READ,
		};
		return (await entries.list(filter)).entries;
	}

	function tooMany(counted: readonly Counted[]): OAuthFailed {
		const freeing = counted[MOST_WRONG - 1]?.created_at ?? unixSeconds(deps.clock);
		const wait = freeing + WINDOW_SECONDS - unixSeconds(deps.clock);
		return new OAuthFailed({ kind: "too_many", retryAfterSeconds: Math.max(1, wait) });
	}
}

/** Whom the proxy says it is for, if one on this machine handed the request on. */
function strangerBehindProxy({ address, headers }: Pick<Incoming, "address" | "headers">): string | null {
	if (address === undefined || !isLocalAddress(address)) return null;
	const name = FORWARDING.find((each) => headers.has(each));
	// The last one is what the proxy itself saw; a caller may have written those before it.
	return name === undefined ? null : (headers.get(name)?.split(",").at(-1)?.trim() ?? "");
}

/**
 * One after the other, with a pause before each. One of each address may wait, so that whoever sends many does not take
 * all places. False: there is no place.
 */
function turns(pauseBefore: () => Promise<void>): (who: string) => Promise<boolean> {
	const waiting = new Set<string>();
	let last: Promise<unknown> = Promise.resolve();
	return async (who) => {
		if (waiting.has(who) || waiting.size >= MOST_WAITING) return false;
		waiting.add(who);
		last = last.then(pauseBefore);
		await last;
		waiting.delete(who);
		return true;
	};
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS));
