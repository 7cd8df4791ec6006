import type { StoreEvent } from "@tripline/contract/events";
import { EVENT_DEPTH_HEADER, EVENT_ROOT_HEADER, eventDepth } from "@tripline/contract/headers";
import type { Background } from "@tripline/platform/background";
import type { Incoming } from "@tripline/web/exchange";
import type { EntryStorage } from "../storage/entries.ts";

/** Told once of all that a request did: where the listener is another worker, each call counts. */
export type Notify = (events: readonly StoreEvent[]) => Promise<void>;

/** Tells what a request did, if anyone listens. */
export type Announce = (
	request: Incoming,
	owner: string,
	/** Made only when someone listens. */
	events: () => readonly Pick<StoreEvent, "type" | "data">[],
) => void;

/**
 * After the answer: an event neither delays nor fails the write it tells of. Who listens is asked anew each time, so that
 * a workflow saved a moment ago hears of the next write.
 */
export function announcer(deps: {
	readonly notify: Notify | undefined;
	readonly background: Background;
	readonly entries: EntryStorage;
}): Announce {
	const { notify, background, entries } = deps;
	if (notify === undefined) return () => {};
	return (request, owner_id, events) => {
		const depth = eventDepth(request.headers.get(EVENT_DEPTH_HEADER));
		const root = request.headers.get(EVENT_ROOT_HEADER);
		background.run("notify", async () => {
			if (!(await entries.isListening(owner_id))) return;
			await notify(events().map((event) => ({ owner_id, ...event, depth, root })));
		});
	};
}
