import { FairQueue } from "./fair-queue.ts";
import type { Turns } from "./turns.ts";

/** Milliseconds of computing after which the event loop has its turn, and everybody else waits for it. */
const TURN_MS = 5;
/** Computing for longer than this at a stretch is felt by all others. */
const LONG_MS = 5;
/** So much of it may happen to anybody: the garbage collector is at work, or the machine has other things to do. */
const ALLOWED_LONG_MS = 50;
/** Whoever did more of it lately rests, while others compute, so long that a twentieth of the time is its own. */
const REST_FACTOR = 20;
/** Others compute if one of them did within this time. */
const ACTIVE_MS = 1000;
/** What was used is half forgotten after this time. */
const HALF_LIFE_MS = 1000;
/** Calls under way at once: enough that writes share their commits. */
const MAX_CALLS = 8;
/** Accounts of keys that do nothing are forgotten when there are more. */
const MAX_ACCOUNTS = 1000;

interface Account {
	/** Milliseconds of computing, recent ones counting more. */
	used: number;
	/** Of those the ones in long stretches. */
	usedLong: number;
	usedAt: number;
	/** Until when it rests, if others compute. */
	restsUntil: number;
	/** What computes at once when it goes on. */
	readonly runs: (() => void)[];
	/** What computes after a promise was settled: how long it takes is not known when it has gone on. */
	readonly laters: (() => void)[];
}

interface Call {
	readonly owner: string;
	begin(): void;
}

interface TurnsOptions {
	/** The keys belong to different tenants: whoever holds up the others rests, and calls the store less often. */
	readonly isShared?: boolean;
	now?(): number;
}

/** Turns of one Node process: the keys that computed least go first. */
export function nodeTurns({ isShared = true, now = () => performance.now() }: TurnsOptions = {}): Turns {
	const accounts = new Map<string, Account>();
	let turnStartedAt: number | null = null;
	let isEndAsked = false;
	/** Who computes, since when. */
	let current: Account | null = null;
	let currentSince = 0;
	let waiters = 0;
	const calls = new FairQueue<Call>();
	let callsUnderWay = 0;
	/** Whose calls have begun in this turn. */
	const callers = new Set<string>();
	let isNextTurnAsked = false;
	let timer: NodeJS.Timeout | undefined;

	return {
		run(key, compute) {
			const account = accountOf(key);
			if (account.runs.length === 0 && begins(account)) {
				try {
					return compute();
				} finally {
					stop(now());
				}
			}
			return new Promise((resolve, reject) => {
				waiters++;
				account.runs.push(() => {
					try {
						resolve(compute() as never);
					} catch (error) {
						reject(error);
					}
				});
			});
		},
		later(key, goOn) {
			stop(beginTurn());
			waiters++;
			accountOf(key).laters.push(goOn);
		},
		async call(owner, signal, work) {
			await new Promise<void>((begin) => {
				calls.push({ owner, begin });
				beginCalls();
			});
			try {
				signal.throwIfAborted();
				return await work();
			} finally {
				callsUnderWay--;
				beginCalls();
			}
		},
	};

	/** As many as there is room for, while this turn of the event loop lasts; while others compute, one of each owner. */
	function beginCalls(least = 0): void {
		for (let begun = 0; calls.size > 0 && callsUnderWay < MAX_CALLS; begun++) {
			const time = beginTurn();
			const isOver = begun >= least && time - (turnStartedAt as number) >= TURN_MS;
			const next = isOver ? undefined : calls.shift((owner) => mayCall(owner, time));
			if (next === undefined) {
				if (!isNextTurnAsked) setImmediate(beginCallsAgain);
				isNextTurnAsked = true;
				return;
			}
			callsUnderWay++;
			callers.add(next.owner);
			computes(accountOf(next.owner), time);
			next.begin();
		}
	}

	function mayCall(owner: string, time: number): boolean {
		return !callers.has(owner) || !othersCompute(accountOf(owner), time);
	}

	function beginCallsAgain(): void {
		isNextTurnAsked = false;
		// However long requests took that have just come.
		beginCalls(1);
	}

	/** Whether it computes from now on. */
	function begins(account: Account): boolean {
		const time = beginTurn();
		if (time - (turnStartedAt as number) >= TURN_MS || isResting(account, time)) return false;
		computes(account, time);
		return true;
	}

	/** What is computed from here on is on its account, until that is said of another or the turn ends. */
	function computes(account: Account, time = now()): void {
		stop(time);
		current = account;
		currentSince = time;
	}

	function beginTurn(): number {
		const time = now();
		turnStartedAt ??= time;
		if (!isEndAsked) setImmediate(endTurn);
		isEndAsked = true;
		return time;
	}

	function endTurn(): void {
		isEndAsked = false;
		callers.clear();
		const time = now();
		stop(time);
		const isFull = turnStartedAt !== null && time - turnStartedAt >= TURN_MS;
		// In the next turn of the loop: this one has not looked for requests yet, and may still bring more to compute.
		if (isFull || waiters > 0) setImmediate(wake);
		else turnStartedAt = null;
	}

	/** Lets those compute whose turn it is, those that used least first: as long as the turn lasts, and then one for longer. */
	function wake(): void {
		clearTimeout(timer);
		const time = now();
		// The event loop has looked for requests, and may have begun others: those who wait have a turn of their own.
		turnStartedAt = null;
		const wanting = [...accounts.values()].filter(isWaiting);
		const ready = wanting.filter((account) => !isResting(account, time));
		ready.sort((a, b) => usedBy(a, time) - usedBy(b, time));
		for (const account of ready) {
			while (account.runs.length > 0 && begins(account)) {
				waiters--;
				account.runs.shift()?.();
				stop(now());
			}
		}
		const next = ready.find(({ laters }) => laters.length > 0);
		if (next !== undefined) {
			beginTurn();
			computes(next);
			waiters--;
			next.laters.shift()?.();
		}
		if (ready.length > 0 || wanting.length === 0) return;
		const soonest = Math.min(...wanting.map(({ restsUntil }) => restsUntil));
		timer = setTimeout(wake, soonest - time);
	}

	function stop(time: number): void {
		if (current === null) return;
		const spent = time - currentSince;
		const kept = keptSince(current, time);
		current.used = current.used * kept + spent;
		current.usedLong = current.usedLong * kept + (spent > LONG_MS ? spent : 0);
		current.usedAt = time;
		if (spent > LONG_MS && current.usedLong > ALLOWED_LONG_MS)
			current.restsUntil = time + spent * REST_FACTOR;
		current = null;
	}

	function isResting(account: Account, time: number): boolean {
		return account.restsUntil > time && othersCompute(account, time);
	}

	function othersCompute(account: Account, time: number): boolean {
		if (!isShared) return false;
		for (const other of accounts.values())
			if (other !== account && (time - other.usedAt < ACTIVE_MS || isWaiting(other))) return true;
		return false;
	}

	function accountOf(key: string): Account {
		let account = accounts.get(key);
		if (account === undefined) {
			if (accounts.size >= MAX_ACCOUNTS) forgetIdle();
			account = {
				used: 0,
				usedLong: 0,
				usedAt: Number.NEGATIVE_INFINITY,
				restsUntil: Number.NEGATIVE_INFINITY,
				runs: [],
				laters: [],
			};
			accounts.set(key, account);
		}
		return account;
	}

	function forgetIdle(): void {
		const time = now();
		for (const [key, account] of accounts)
			if (!isWaiting(account) && time - account.usedAt > ACTIVE_MS) accounts.delete(key);
	}
}

const isWaiting = ({ runs, laters }: Account): boolean => runs.length > 0 || laters.length > 0;

const usedBy = (account: Account, time: number): number => account.used * keptSince(account, time);

/** The part of what was used that is not forgotten yet. */
function keptSince({ usedAt }: Account, time: number): number {
	// Reading the exponential costs more than the rest, and within some milliseconds little is forgotten.
	return time - usedAt < 10 ? 1 : 2 ** ((usedAt - time) / HALF_LIFE_MS);
}
