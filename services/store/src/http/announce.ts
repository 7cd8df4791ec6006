import type { StoreEvent } from "@tripline/contract/events";
import { EVENT_DEPTH_HEADER, EVENT_ROOT_HEADER, parseEventDepth } from "@tripline/contract/headers";
import type { Background } from "@tripline/platform/background";
import type { Incoming } from "@tripline/web/http-message";
import type { EntryStorage } from "../storage/entries.ts";

/** Called once per request with all of its events: if the listener is another worker, each call has a cost. */
export type Notify = (events: readonly StoreEvent[]) => Promise<void>;

/** Sends a request's events if a workflow listens for them. */
export type Announce = (
	request: Incoming,
	owner: string,
	/** Called only if a workflow listens. */
	events: () => readonly Pick<StoreEvent, "type" | "data">[],
) => void;

/**
 * Runs after the response, so an event neither delays nor fails its write. Listeners are looked up each time, so that a
 * workflow receives the first write after it was saved.
 */
export function announcer(deps: {
	readonly notify: Notify | undefined;
	readonly background: Background;
	readonly entries: EntryStorage;
}): Announce {
	const { notify, background, entries } = deps;
	if (notify === undefined) return () => {};
	return (request, owner_id, events) => {
		const depth = parseEventDepth(request.headers.get(EVENT_DEPTH_HEADER));
		const root = request.headers.get(EVENT_ROOT_HEADER);
		background.run("notify", async () => {
			if (!(await entries.isListening(owner_id))) return;
			await notify(events().map((event) => ({ owner_id, ...event, depth, root })));
		});
	};
}
