import { FairQueue } from "./fair-queue.ts";
import type { Turns } from "./turns.ts";

/** Computing time after which all keys wait until the event loop has had a turn. */
const TURN_MS = 5;
/** Uninterrupted computing for longer than this delays the others noticeably. */
const LONG_MS = 5;
/** Tolerated amount of long stretches, because garbage collection or other load on the machine also causes them. */
const ALLOWED_LONG_MS = 50;
/** A key with more long stretches rests while others compute, so that it gets a twentieth of the time. */
const REST_FACTOR = 20;
/** A key counts as active if it computed within this time. */
const ACTIVE_MS = 1000;
/** Used time decays by half in this time. */
const HALF_LIFE_MS = 1000;
/** Concurrent calls: enough that writes share commits. */
const MAX_CALLS = 8;
/** Beyond this, accounts of idle keys are deleted. */
const MAX_ACCOUNTS = 1000;

interface Account {
	/** Milliseconds of computing, decayed over time. */
	used: number;
	/** The part of it in long stretches. */
	usedLong: number;
	usedAt: number;
	/** Rests until this time while others compute. */
	restsUntil: number;
	/** Waiting work that computes synchronously. */
	readonly runs: (() => void)[];
	/** Waiting work that computes after a promise settles, so its duration is not known when it returns. */
	readonly laters: (() => void)[];
}

interface Call {
	readonly owner: string;
	begin(): void;
}

interface TurnsOptions {
	/** The keys belong to different tenants: a key that delays the others rests and may call the store less often. */
	readonly isShared?: boolean;
	/** Gives work that waits the context of its caller; it runs in that of others otherwise. Omitted: there is none. */
	readonly bind?: ((work: () => void) => () => void) | undefined;
	now?(): number;
}

/** Schedules one Node process: the keys that computed least go first. */
export function nodeTurns(options: TurnsOptions = {}): Turns {
	const { isShared = true, bind = (work: () => void) => work, now = () => performance.now() } = options;
	const accounts = new Map<string, Account>();
	let turnStartedAt: number | null = null;
	let isEndAsked = false;
	/** The account that is computing. */
	let current: Account | null = null;
	let currentSince = 0;
	let waiters = 0;
	const calls = new FairQueue<Call>();
	let callsUnderWay = 0;
	/** Keys whose calls started in this turn. */
	const callers = new Set<string>();
	let isNextTurnAsked = false;
	let timer: NodeJS.Timeout | undefined;

	return {
		run(key, compute) {
			const account = getAccount(key);
			if (account.runs.length === 0 && tryBegin(account)) {
				try {
					return compute();
				} finally {
					stopCharging(now());
				}
			}
			return new Promise((resolve, reject) => {
				waiters++;
				account.runs.push(
					bind(() => {
						try {
							resolve(compute() as never);
						} catch (error) {
							reject(error);
						}
					}),
				);
			});
		},
		later(key, goOn) {
			stopCharging(beginTurn());
			waiters++;
			getAccount(key).laters.push(bind(goOn));
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

	/** Starts as many calls as fit into this turn of the event loop; while others compute, one per owner. */
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
			startCharging(getAccount(next.owner), time);
			next.begin();
		}
	}

	function mayCall(owner: string, time: number): boolean {
		return !callers.has(owner) || !hasActiveOthers(getAccount(owner), time);
	}

	function beginCallsAgain(): void {
		isNextTurnAsked = false;
		// Start at least one, however long the requests that just arrived took.
		beginCalls(1);
	}

	/** Starts charging the account and returns true, if it may compute now. */
	function tryBegin(account: Account): boolean {
		const time = beginTurn();
		if (time - (turnStartedAt as number) >= TURN_MS || isResting(account, time)) return false;
		startCharging(account, time);
		return true;
	}

	/** Charges computing time to this account until another one takes over or the turn ends. */
	function startCharging(account: Account, time = now()): void {
		stopCharging(time);
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
		stopCharging(time);
		const isFull = turnStartedAt !== null && time - turnStartedAt >= TURN_MS;
		// Deferred to the next turn: this one has not polled for requests yet and may still bring more work.
		if (isFull || waiters > 0) setImmediate(wake);
		else turnStartedAt = null;
	}

	/** Runs waiting work of keys that are not resting, least used first, until the turn is over; then one `later`, which may take longer. */
	function wake(): void {
		clearTimeout(timer);
		const time = now();
		// The event loop has polled for requests and may have started others, so waiting work gets a new turn.
		turnStartedAt = null;
		const wanting = [...accounts.values()].filter(isWaiting);
		const ready = wanting.filter((account) => !isResting(account, time));
		ready.sort((a, b) => getUsed(a, time) - getUsed(b, time));
		for (const account of ready) {
			while (account.runs.length > 0 && tryBegin(account)) {
				waiters--;
				account.runs.shift()?.();
				stopCharging(now());
			}
		}
		const next = ready.find(({ laters }) => laters.length > 0);
		if (next !== undefined) {
			beginTurn();
			startCharging(next);
			waiters--;
			next.laters.shift()?.();
		}
		if (ready.length > 0 || wanting.length === 0) return;
		const soonest = Math.min(...wanting.map(({ restsUntil }) => restsUntil));
		timer = setTimeout(wake, soonest - time);
	}

	function stopCharging(time: number): void {
		if (current === null) return;
		const spent = time - currentSince;
		const kept = computeDecay(current, time);
		current.used = current.used * kept + spent;
		current.usedLong = current.usedLong * kept + (spent > LONG_MS ? spent : 0);
		current.usedAt = time;
		if (spent > LONG_MS && current.usedLong > ALLOWED_LONG_MS)
			current.restsUntil = time + spent * REST_FACTOR;
		current = null;
	}

	function isResting(account: Account, time: number): boolean {
		return account.restsUntil > time && hasActiveOthers(account, time);
	}

	function hasActiveOthers(account: Account, time: number): boolean {
		if (!isShared) return false;
		for (const other of accounts.values())
			if (other !== account && (time - other.usedAt < ACTIVE_MS || isWaiting(other))) return true;
		return false;
	}

	function getAccount(key: string): Account {
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

const getUsed = (account: Account, time: number): number => account.used * computeDecay(account, time);

/** The fraction of the used time that has not decayed yet. */
function computeDecay({ usedAt }: Account, time: number): number {
	// Computing the exponential costs more than the rest, and little decays within some milliseconds.
	return time - usedAt < 10 ? 1 : 2 ** ((usedAt - time) / HALF_LIFE_MS);
}
