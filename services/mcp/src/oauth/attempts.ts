import { toHex } from "@tripline/contract/bytes";
import type { Entry } from "@tripline/contract/entries";
import { sha256Hex } from "@tripline/contract/ids";
import { SYSTEM_OWNER } from "@tripline/contract/names";
import { parseAddress } from "@tripline/platform/addresses";
import { type Clock, unixSeconds } from "@tripline/platform/clock";
import type { StoreClient } from "@tripline/store/client";
import { OAuthFailed } from "./problems.ts";

const ENTRY_TYPE = "oauth_attempt";
const MOST_WRONG = 10;
const WINDOW_SECONDS = 5 * 60;
/** More than can be on their way at once from one address. */
const MOST_READ = 1_000;

type Attempt = Pick<Entry, "id" | "created_at">;

/** How often an address may be wrong about the owner secret: kept in the store, so that it holds for all replicas. */
export function createAttempts(deps: {
	readonly store: Pick<StoreClient, "entries">;
	readonly clock: Clock;
}) {
	const { entries } = deps.store;

	return {
		/** Counts as wrong until it is taken back. Throws where no more are allowed, or none can be counted. */
		async begin(address: string | undefined): Promise<{ takeBack(): Promise<unknown> }> {
			const page_name = await sha256Hex(bucketOf(address));
			const before = await recent(page_name);
			if (before.length >= MOST_WRONG) throw tooMany(before);
			const entry = { entry_type: ENTRY_TYPE, owner_id: SYSTEM_OWNER, page_name, content: "" };
			const { id } = (await entries.append(entry)).entry;
			// Many at once all find that there is room: only the first of them may go on.
			const after = await recent(page_name);
			const place = after.findIndex((each) => each.id === id);
			if (place === -1 || after.length - place > MOST_WRONG) throw tooMany(after);
			return { takeBack: () => entries.delete(SYSTEM_OWNER, id) };
		},
	};

	/** Newest first. */
	async function recent(page_name: string): Promise<readonly Attempt[]> {
		const since = unixSeconds(deps.clock) - WINDOW_SECONDS + 1;
		const filter = { owner_id: SYSTEM_OWNER, entry_type: ENTRY_TYPE, page_name, since, limit: MOST_READ };
		return (await entries.list(filter)).entries;
	}

	function tooMany(attempts: readonly Attempt[]): OAuthFailed {
		const freeing = attempts[MOST_WRONG - 1]?.created_at ?? unixSeconds(deps.clock);
		const wait = freeing + WINDOW_SECONDS - unixSeconds(deps.clock);
		return new OAuthFailed({ kind: "too_many", retryAfterSeconds: Math.max(1, wait) });
	}
}

/** Who counts as one: an IPv6 network is given out whole, and who has no address known shares one place. */
function bucketOf(address: string | undefined): string {
	const parsed = address === undefined ? null : parseAddress(address);
	if (parsed === null) return "unknown";
	const bytes = new Uint8Array(parsed.toByteArray());
	return toHex(parsed.kind() === "ipv6" ? bytes.subarray(0, 8) : bytes);
}
