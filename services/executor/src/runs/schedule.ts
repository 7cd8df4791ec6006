import type { EntryPage } from "@tripline/contract/entries";
import { Failed } from "@tripline/contract/failures";
import type { Background } from "@tripline/platform/background";
import type { Clock } from "@tripline/platform/clock";
import { errorFields, type Log } from "@tripline/platform/log";
import type { StoreClient } from "@tripline/store/client";
import { sourceOf } from "../domain/saved-workflow.ts";
import { ACCEPTED_RUN, type AcceptedRuns } from "./accepted.ts";
import type { Runs } from "./admitted.ts";
import { type Executions, newExecutionId } from "./execute.ts";
import type { Runnable, Runnables } from "./runnable.ts";

/** An entry that is due: a scheduled workflow, or an accepted run whose process is gone. */
export type DueRun = Pick<
	EntryPage["entries"][number],
	"id" | "entry_type" | "owner_id" | "page_name" | "metadata_json"
>;

export interface FanOut {
	start(due: DueRun): Promise<boolean>;
	/** What one invocation may hand on; the rest is due again at the next tick. */
	readonly mostPerTick: number;
}

/** Claims side by side: each is a write to the store. */
const AT_ONCE = 32;
const DAY = 24 * 60 * 60;

/** What starts runs by the clock. */
export function schedule(deps: {
	readonly store: StoreClient;
	readonly runnables: Runnables;
	readonly accepted: AcceptedRuns;
	readonly clock: Clock;
	readonly log: Log;
	readonly background: Background;
	readonly runs: Runs;
	readonly fail: Executions["fail"];
	/** Starts one elsewhere, and says whether it was started; left out: here. */
	readonly fanOut?: FanOut | undefined;
}) {
	const { store, clock, log } = deps;
	const start = deps.fanOut?.start ?? runDue;

	return {
		/** The same function on every platform, every minute: what is due at or before now starts. */
		async tick(): Promise<void> {
			const now = secondsNow();
			let scanned = 0;
			let triggered = 0;
			let left = deps.fanOut?.mostPerTick ?? Number.POSITIVE_INFINITY;
			let cursor: string | null = null;
			do {
				const limit = String(Math.min(left, 1000));
				const page: EntryPage = await store.schedules.due({ now, limit, ...(cursor !== null && { cursor }) });
				scanned = page.scheduled ?? scanned;
				triggered += await startAll(page.entries);
				left -= page.entries.length;
				cursor = page.next_cursor;
			} while (cursor !== null && left > 0);
			log("info", `cron: scanned=${scanned} triggered=${triggered}`);
		},

		/** As if the time of every accepted run were over: what ran them is gone. */
		async recover(): Promise<void> {
			const now = String(Number(secondsNow()) + DAY);
			const filter = { entry_type: ACCEPTED_RUN, cron: "due", now } as const;
			await startAll(await Array.fromAsync(store.entries.all(filter)));
		},

		runDue,
	};

	/** How many scheduled workflows were started. One that cannot be does not keep the others from it. */
	async function startAll(entries: readonly DueRun[]): Promise<number> {
		const waiting = [...entries];
		let started = 0;
		const work = async () => {
			for (let due = waiting.shift(); due !== undefined; due = waiting.shift()) {
				try {
					if ((await start(due)) && due.entry_type !== ACCEPTED_RUN) started++;
				} catch (error) {
					log("error", "a due run could not be started", { entry: due.id, ...errorFields(error) });
				}
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, work));
		return started;
	}

	/** Whether it was started: another replica may have been first. The run itself is not waited for. */
	async function runDue(due: DueRun): Promise<boolean> {
		if (due.entry_type === ACCEPTED_RUN) return deps.accepted.takeOver(due);
		const { claimed, occurrence } = await store.schedules.claim({ owner_id: due.owner_id, id: due.id });
		if (!claimed) return false;
		const request = {
			workflow: due.page_name,
			namespace: due.owner_id,
			input: { scheduled_at: occurrence },
			trigger: "schedule",
			executionId: newExecutionId(clock),
			eventDepth: 0,
		} as const;
		const runnable = await runnableOf(due);
		if (typeof runnable === "string") {
			deps.fail(request, runnable);
			return false;
		}
		const finished = await deps.runs.begin({ ...request, runnable });
		deps.background.run("scheduled run", finished);
		return true;
	}

	/** The workflow, or why it cannot run any more. */
	async function runnableOf(due: DueRun): Promise<Runnable | string> {
		try {
			return await deps.runnables.of(due.metadata_json, sourceOf, due.owner_id);
		} catch (error) {
			if (error instanceof Failed) return error.message;
			throw error;
		}
	}

	function secondsNow(): string {
		return String(Math.floor(clock.now() / 1000));
	}
}
