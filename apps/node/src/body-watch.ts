import type { Socket } from "node:net";

/** A body that a client is sending. */
export interface WatchedBody {
	/** Bytes so far; 0 for a body that must arrive as a whole. */
	readonly receivedBytes: number;
	/** How long it has kept its reader waiting, without the current wait. */
	readonly waitedMs: number;
	/** When the current wait began; null while the reader is busy with what it has. */
	readonly waitingSince: number | null;
	/** Answers 408 and closes the connection. */
	giveUp(): void;
}

/** How long a body may take in any case; a longer one must arrive at `MIN_BYTES_PER_SECOND` or more. */
const MAX_WAIT_MS = 300_000;
const MIN_BYTES_PER_SECOND = 8 * 1024;
/** How long a client that has sent a part of a long body may send nothing. */
const MAX_IDLE_MS = 60_000;
const SWEEP_MS = 5_000;

/** Of a connection: the body that is being read from it. A set of all bodies would cost every request far more. */
const BODY = Symbol("body");
type Connection = Socket & { [BODY]?: WatchedBody | null };

/**
 * Ends bodies that are sent too slowly. Node's own limit is one for all requests, whether they make progress or not. Time
 * in which the service does not read does not count.
 */
export class BodyWatch {
	readonly #connections = new Set<Connection>();
	readonly #timer: NodeJS.Timeout;
	/** The time of the last sweep, which costs nothing to read. */
	now = performance.now();

	constructor() {
		this.#timer = setInterval(() => this.sweep(performance.now()), SWEEP_MS).unref();
	}

	/** Connections are watched as long as they last. */
	watch(connection: Connection): void {
		this.#connections.add(connection);
		connection.once("close", () => this.#connections.delete(connection));
	}

	begin(connection: Connection, body: WatchedBody): void {
		connection[BODY] = body;
	}

	end(connection: Connection, body: WatchedBody): void {
		if (connection[BODY] === body) connection[BODY] = null;
	}

	sweep(now: number): void {
		this.now = now;
		for (const connection of this.#connections) {
			const body = connection[BODY] ?? null;
			if (body === null || !isTooSlow(body, now)) continue;
			connection[BODY] = null;
			body.giveUp();
		}
	}

	close(): void {
		clearInterval(this.#timer);
	}
}

function isTooSlow({ receivedBytes, waitedMs, waitingSince }: WatchedBody, now: number): boolean {
	if (waitingSince === null) return false;
	const idleMs = now - waitingSince;
	if (receivedBytes > 0 && idleMs > MAX_IDLE_MS) return true;
	const totalMs = waitedMs + idleMs;
	return totalMs > MAX_WAIT_MS && receivedBytes < (totalMs / 1000) * MIN_BYTES_PER_SECOND;
}
