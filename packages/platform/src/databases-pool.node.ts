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

interface Pool<S> {
	readonly idle: S[];
	readonly waiting: Set<() => void>;
	open: number;
}

/** Keeps connections for the next call with the same key. */
export function sessionPools<S extends Session>({ maxPerKey, maxOpen, idleMs }: PoolLimits) {
	const pools = new Map<string, Pool<S>>();
	const timers = new Map<S, NodeJS.Timeout>();
	let open = 0;
	let isClosed = false;

	return {
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
				pool.idle.push(session);
				timers.set(session, setTimeout(() => dropIdle(key, pool, session), idleMs).unref());
			} else {
				session.close();
				forget(key, pool);
			}
			wakeNext(pool);
		},
		/** Those in use are closed when they are released. */
		close(): void {
			isClosed = true;
			for (const [key, pool] of pools) {
				while (pool.idle.length > 0) dropIdle(key, pool, pool.idle[0] as S);
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
			const session = pool.idle.pop();
			if (session === undefined) return undefined;
			clearTimeout(timers.get(session));
			timers.delete(session);
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
			const [oldest] = pool.idle;
			if (oldest === undefined) continue;
			dropIdle(key, pool, oldest);
			return;
		}
	}

	function dropIdle(key: string, pool: Pool<S>, session: S): void {
		pool.idle.splice(pool.idle.indexOf(session), 1);
		clearTimeout(timers.get(session));
		timers.delete(session);
		session.close();
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
