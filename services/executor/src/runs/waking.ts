import { ACCEPTED_RUN } from "@tripline/contract/accepted-runs";
import type { Background } from "@tripline/platform/background";
import { type Clock, unixSeconds } from "@tripline/platform/clock";
import type { StoreClient } from "@tripline/store/client";
import { readUnfinished, type Waiting } from "./accepted-run.ts";

/** A little longer than the time between two ticks. */
const AHEAD_SECONDS = 65;

type ParkedRun = Pick<Waiting, "owner_id" | "id" | "parkedUntil">;

/** Resumes waiting runs on time between two ticks, in a process that lives that long. */
export function waking(deps: {
	readonly store: StoreClient;
	readonly clock: Clock;
	readonly background: Background;
	resume(run: Waiting): void;
}) {
	const { store, clock } = deps;
	/** Runs that have a timer. */
	const awaited = new Set<string>();

	return {
		wakeOnTime,

		/** Runs that are due before the next tick. */
		async lookAhead(): Promise<void> {
			const now = unixSeconds(clock) + AHEAD_SECONDS;
			for await (const entry of store.entries.listAll({ entry_type: ACCEPTED_RUN, cron: "due", now })) {
				const run = readUnfinished(entry);
				if (run?.parkedUntil !== undefined) wakeOnTime(run);
			}
		},
	};

	/** A run that is due later is found by a tick. */
	function wakeOnTime({ owner_id, id, parkedUntil = 0 }: ParkedRun): void {
		const ms = Math.max(0, parkedUntil - clock.now());
		if (ms > AHEAD_SECONDS * 1000 || awaited.has(id)) return;
		const timer = setTimeout(() => {
			awaited.delete(id);
			// A timer may fire a little early.
			if (parkedUntil > clock.now()) wakeOnTime({ owner_id, id, parkedUntil });
			else deps.background.run("waiting run", () => wake(owner_id, id, parkedUntil));
		}, ms);
		awaited.add(id);
		timer.unref?.();
	}

	async function wake(owner_id: string, id: string, time: number): Promise<void> {
		const entry = await store.entries.get(owner_id, ACCEPTED_RUN, id);
		const run = entry === null ? null : readUnfinished(entry);
		if (run?.parkedUntil === undefined) return;
		// It may wait anew. What is stored of its time is rounded up to a second.
		if (run.parkedUntil - time >= 1000) wakeOnTime(run);
		else deps.resume(run);
	}
}
