import { PROCESS_LIFETIME_SECONDS } from "@tripline/contract/processes";
import { type Clock, type FollowingClock, unixSeconds } from "@tripline/platform/clock";
import { type Log, toErrorFields } from "@tripline/platform/log";
import type { Signals } from "@tripline/platform/signals";
import type { StoreClient } from "@tripline/store/client";

const BEAT_MS = 4_000;
const LEFT = "left";
const LIFETIME_MS = PROCESS_LIFETIME_SECONDS * 1000;
/** After a longer silence of the database nobody knows which other processes are alive. */
const MAX_SILENCE_MS = 2 * BEAT_MS;
/** How long nobody else starts a run of a process that is alive. It says so before that. */
const DUE_SECONDS = 120;

/**
 * Says every few seconds that this process is alive, follows the clock of the database, and has the runs of processes
 * that are not alive continued. They are judged only by a process that has itself been heard for so long: after an outage
 * of the database everybody else would look dead.
 */
export function heartbeat(deps: {
	readonly processes: StoreClient["processes"];
	readonly holder: string;
	readonly clock: Clock & Partial<FollowingClock>;
	readonly log: Log;
	readonly signals: Signals;
	/** Milliseconds that never go back. */
	readonly monotonic?: () => number;
}) {
	const { processes, holder, clock, log, signals, monotonic = () => performance.now() } = deps;
	let takeOver: ((from: string) => Promise<unknown>) | null = null;
	let timer: NodeJS.Timeout | undefined;
	let beating: Promise<void> = Promise.resolve();
	let isStopped = false;
	let isSilent = false;
	/** Since when every beat was heard. */
	let heardSince = monotonic();
	let lastHeard = heardSince;
	let others = 0;
	signals.on(LEFT, () => {
		if (timer !== undefined) beatLater(0);
	});

	return {
		/** How many other processes are alive. */
		countOthers: (): number => others,

		/** Must be awaited before anything else happens: the clock may be wrong until then. */
		begin: (): Promise<void> => beat(),

		/** From now on. `work` continues the runs of a process that has ended. */
		async watch(work: (from: string) => Promise<unknown>): Promise<void> {
			takeOver = work;
			await beatSafely();
			beatLater();
		},

		/** The process ends, and others may continue its runs at once. */
		async leave(): Promise<void> {
			isStopped = true;
			clearTimeout(timer);
			await beating;
			// Otherwise they find out by themselves.
			await processes.leave(holder).catch(() => {});
			signals.send(LEFT, holder);
		},
	};

	function beatLater(ms = BEAT_MS): void {
		clearTimeout(timer);
		timer = undefined;
		if (isStopped) return;
		timer = setTimeout(() => {
			timer = undefined;
			beating = beatSafely();
			void beating.then(() => beatLater());
		}, ms);
		timer.unref();
	}

	async function beatSafely(): Promise<void> {
		try {
			await beat();
			if (isSilent) log("info", "the database can be reached again");
			isSilent = false;
		} catch (error) {
			if (!isSilent) log("warn", "this process cannot say that it is alive", toErrorFields(error));
			isSilent = true;
		}
	}

	async function beat(): Promise<void> {
		const sent = monotonic();
		const { time, alive, lapsed, left } = await processes.beat({
			holder,
			due_at: unixSeconds(clock) + DUE_SECONDS,
		});
		const heard = monotonic();
		clock.follow?.(time + (heard - sent) / 2);
		if (heard - lastHeard > MAX_SILENCE_MS) heardSince = heard;
		lastHeard = heard;
		others = alive.length;
		const isJudge = heard - heardSince >= LIFETIME_MS;
		for (const from of isJudge ? [...left, ...lapsed] : left) {
			if ((await takeOver?.(from)) === true)
				log("info", "the runs of another process continue here", { from });
		}
	}
}
