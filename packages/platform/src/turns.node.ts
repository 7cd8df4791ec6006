import { FairQueue } from "./fair-queue.ts";
import type { Turns } from "./turns.ts";

/** Milliseconds of computing after which the event loop has its turn, and everybody else waits for it. */
const TURN_MS = 20;
/** Whoever computed for longer than this at a stretch rests, while others compute, so long that a third of the time is its own. */
const LONG_MS = 5;
const REST_FACTOR = 2;
/** Others compute if one of them did within this time. */
const ACTIVE_MS = 1000;
/** What was used is half forgotten after this time. */
const HALF_LIFE_MS = 1000;
/** Calls under way at once: enough that writes share their commits. */
const MAX_CALLS = 32;
/** Accounts of keys that do nothing are forgotten when there are more. */
const MAX_ACCOUNTS = 1000;

interface Account {
	/** Milliseconds of computing, recent ones counting more. */
	used: number;
	usedAt: number;
	/** Until when it rests, if others compute. */
	restsUntil: number;
	readonly waiting: Waiting[];
}

interface Waiting {
	goOn(): void;
	/** It computes after a promise was settled, so that how long it takes is not known when it has gone on. */
	readonly isLater: boolean;
}

/** Turns of one Node process: the keys that computed least go first. */
export function nodeTurns(now: () => number = () => performance.now()): Turns {
	const accounts = new Map<string, Account>();
	let turnStartedAt: number | null = null;
	/** Who computes, since when. */
	let current: Account | null = null;
	let currentSince = 0;
	let waiters = 0;
	const calls = new FairQueue<{ readonly owner: string; begin(): void }>();
	let callsUnderWay = 0;
	let isNextTurnAsked = false;
	let timer: NodeJS.Timeout | undefined;

	return {
		run(key, compute) {
			const account = accountOf(key);
			if (account.waiting.length === 0 && begins(account)) return compute();
			return new Promise((resolve, reject) => {
				wait(account, {
					isLater: false,
					goOn() {
						try {
							resolve(compute() as never);
						} catch (error) {
							reject(error);
						}
					},
				});
			});
		},
		later(key, goOn) {
			stop(beginTurn());
			wait(accountOf(key), { isLater: true, goOn });
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

	/** As many as there is room for, while this turn of the event loop lasts. */
	function beginCalls(): void {
		while (calls.size > 0 && callsUnderWay < MAX_CALLS) {
			if (beginTurn() - (turnStartedAt as number) >= TURN_MS) {
				if (!isNextTurnAsked) setImmediate(beginCallsAgain);
				isNextTurnAsked = true;
				return;
			}
			callsUnderWay++;
			calls.shift()?.begin();
		}
	}

	function beginCallsAgain(): void {
		isNextTurnAsked = false;
		beginCalls();
	}

	/** Whether it computes from now on. */
	function begins(account: Account): boolean {
		const time = beginTurn();
		stop(time);
		if (time - (turnStartedAt as number) >= TURN_MS || isResting(account, time)) return false;
		current = account;
		currentSince = time;
		return true;
	}

	function wait(account: Account, one: Waiting): void {
		account.waiting.push(one);
		waiters++;
	}

	function beginTurn(): number {
		const time = now();
		if (turnStartedAt === null) {
			turnStartedAt = time;
			setImmediate(endTurn);
		}
		return time;
	}

	function endTurn(): void {
		stop(now());
		turnStartedAt = null;
		// In the next turn of the loop: this one has not looked for requests yet.
		if (waiters > 0) setImmediate(wake);
	}

	/** Lets those compute whose turn it is, those that used least first, as long as the turn lasts. */
	function wake(): void {
		clearTimeout(timer);
		const time = now();
		const wanting = [...accounts.values()].filter(({ waiting }) => waiting.length > 0);
		const ready = wanting.filter((account) => !isResting(account, time));
		for (const account of ready.sort((a, b) => usedBy(a, time) - usedBy(b, time))) {
			while (account.waiting.length > 0 && begins(account)) {
				const { goOn, isLater } = account.waiting.shift() as Waiting;
				waiters--;
				goOn();
				if (isLater) return;
			}
		}
		if (ready.length > 0 || wanting.length === 0) return;
		const soonest = Math.min(...wanting.map(({ restsUntil }) => restsUntil));
		timer = setTimeout(wake, soonest - time);
	}

	function stop(time: number): void {
		if (current === null) return;
		const spent = time - currentSince;
		current.used = usedBy(current, time) + spent;
		current.usedAt = time;
		if (spent > LONG_MS) current.restsUntil = time + spent * REST_FACTOR;
		current = null;
	}

	function isResting(account: Account, time: number): boolean {
		return account.restsUntil > time && othersCompute(account, time);
	}

	function othersCompute(account: Account, time: number): boolean {
		for (const other of accounts.values())
			if (other !== account && (time - other.usedAt < ACTIVE_MS || other.waiting.length > 0)) return true;
		return false;
	}

	function accountOf(key: string): Account {
		let account = accounts.get(key);
		if (account === undefined) {
			if (accounts.size >= MAX_ACCOUNTS) forgetIdle();
			account = {
				used: 0,
				usedAt: Number.NEGATIVE_INFINITY,
				restsUntil: Number.NEGATIVE_INFINITY,
				waiting: [],
			};
			accounts.set(key, account);
		}
		return account;
	}

	function forgetIdle(): void {
		const time = now();
		for (const [key, account] of accounts)
			if (account.waiting.length === 0 && time - account.usedAt > ACTIVE_MS) accounts.delete(key);
	}
}

function usedBy({ used, usedAt }: Account, time: number): number {
	// Reading the exponential costs more than the rest, and within some milliseconds little is forgotten.
	return time - usedAt < 10 ? used : used * 2 ** ((usedAt - time) / HALF_LIFE_MS);
}
