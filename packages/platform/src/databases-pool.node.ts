/** A connection to a server. */
export interface Session {
	/** False once it is closed, or has a state that the next user must not see. */
	readonly isReusable: boolean;
	close(): void;
}

interface PoolLimits {
	readonly maxPerKey: number;
	readonly maxOpen: number;
	/** After this time without use a connection is closed. */
	readonly idleMs: number;
}

interface Idle<S> {
	readonly session: S;
	/** When it is closed, unless it is used before. */
	readonly due: number;
}

interface Pool<S> {
	/** The one that was used last is the last. */
	readonly idle: Idle<S>[];
	readonly waiting: Set<() => void>;
	open: number;
}

/** Keeps connections for the next call with the same key. */
export function sessionPools<S extends Session>({ maxPerKey, maxOpen, idleMs }: PoolLimits) {
	const pools = new Map<string, Pool<S>>();
	/** One for all, because starting and ending one for each call takes longer than the rest. */
	let timer: NodeJS.Timeout | null = null;
	let open = 0;
	let isClosed = false;

	return {
		/** One that is free. */
		take: (key: string): S | undefined => takeIdle(getPool(key)),
		/** Waits if too many are in use. `connect` is called if none is free. */
		async acquire(key: string, connect: () => Promise<S>, signal: AbortSignal): Promise<S> {
			for (;;) {
				signal.throwIfAborted();
				if (isClosed) throw new Error("the service is stopping");
				const pool = getPool(key);
				const idle = takeIdle(pool);
				if (idle !== undefined) return idle;
				if (pool.open >= maxPerKey) await waitForRelease(pool, signal);
				else return openSession(key, pool, connect);
			}
		},
		release(key: string, session: S): void {
			const pool = getPool(key);
			if (session.isReusable && !isClosed) {
				pool.idle.push({ session, due: performance.now() + idleMs });
				timer ??= setTimeout(dropOld, idleMs).unref();
			} else {
				session.close();
				forget(key, pool);
			}
			wakeNext(pool);
		},
		/** Those in use are closed when they are released. */
		close(): void {
			isClosed = true;
			if (timer !== null) clearTimeout(timer);
			for (const [key, pool] of pools) {
				while (pool.idle.length > 0) dropOldest(key, pool);
				for (const wake of pool.waiting) wake();
			}
		},
	};

	function getPool(key: string): Pool<S> {
		let pool = pools.get(key);
		if (pool === undefined) {
			pool = { idle: [], waiting: new Set(), open: 0 };
			pools.set(key, pool);
		}
		return pool;
	}

	/** The one that was used last, so that the others become old enough to be closed. */
	function takeIdle(pool: Pool<S>): S | undefined {
		for (;;) {
			const session = pool.idle.pop()?.session;
			if (session === undefined) return undefined;
			if (session.isReusable) return session;
			session.close();
			pool.open--;
			open--;
		}
	}

	async function openSession(key: string, pool: Pool<S>, connect: () => Promise<S>): Promise<S> {
		if (open >= maxOpen) dropAnyIdle();
		if (open >= maxOpen) throw new Error("too many connections are in use; try again later");
		pool.open++;
		open++;
		try {
			return await connect();
		} catch (error) {
			forget(key, pool);
			wakeNext(pool);
			throw error;
		}
	}

	function dropAnyIdle(): void {
		for (const [key, pool] of pools) {
			if (pool.idle.length === 0) continue;
			dropOldest(key, pool);
			return;
		}
	}

	/** Closes those that were not used for long enough, and waits for the next. */
	function dropOld(): void {
		const now = performance.now();
		let next = Number.POSITIVE_INFINITY;
		for (const [key, pool] of pools) {
			while ((pool.idle[0]?.due ?? Number.POSITIVE_INFINITY) <= now) dropOldest(key, pool);
			next = Math.min(next, pool.idle[0]?.due ?? next);
		}
		timer = next === Number.POSITIVE_INFINITY ? null : setTimeout(dropOld, next - now).unref();
	}

	function dropOldest(key: string, pool: Pool<S>): void {
		pool.idle.shift()?.session.close();
		forget(key, pool);
	}

	function forget(key: string, pool: Pool<S>): void {
		pool.open--;
		open--;
		if (pool.open === 0 && pool.waiting.size === 0) pools.delete(key);
	}

	function wakeNext(pool: Pool<S>): void {
		const [wake] = pool.waiting;
		wake?.();
	}

	function waitForRelease(pool: Pool<S>, signal: AbortSignal): Promise<void> {
		return new Promise((resolve, reject) => {
			const end = () => {
				pool.waiting.delete(wake);
				signal.removeEventListener("abort", abort);
			};
			const wake = () => {
				end();
				resolve();
			};
			const abort = () => {
				end();
				reject(signal.reason);
			};
			pool.waiting.add(wake);
			signal.addEventListener("abort", abort, { once: true });
		});
	}
}
