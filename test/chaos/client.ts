import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import type { History } from "./history.ts";
import { findForeignMarks, type Tenant } from "./tenants.ts";

const CALL_TIMEOUT_MS = 20_000;
const RETRY_AFTER_MS = 250;
const MAX_TEXT = 300;
/** What faults or another caller may lead to: too slow, in progress, changed meanwhile, too many, no database. */
const EXPECTED_REFUSALS: readonly number[] = [408, 409, 412, 429, 503];

export interface Reply {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly text: string;
	readonly isOk: boolean;
}

interface Request {
	/** Objects are sent as JSON, forms as such. */
	readonly body?: object | string;
	readonly headers?: Readonly<Record<string, string>>;
	/** The store's own API instead of the service's. */
	readonly isToStore?: boolean;
}

/** How calls of a kind were answered, and when the last one succeeded. */
export interface Tally {
	readonly statuses: Map<string, Map<string, number>>;
	/** When calls that were answered well had been sent, in milliseconds of the monotonic clock. */
	readonly successes: number[];
}

/** A tenant who calls the deployment. Each call has a connection of its own, so that any process may get it. */
export class Client {
	readonly tenant: Tenant;
	readonly #ports: { readonly service: number; readonly store: number };
	readonly #history: History;
	readonly #tally: Tally;
	readonly #agent = new Agent({ keepAlive: false });

	constructor(
		tenant: Tenant,
		ports: { readonly service: number; readonly store: number },
		history: History,
		tally: Tally,
	) {
		this.tenant = tenant;
		this.#ports = ports;
		this.#history = history;
		this.#tally = tally;
	}

	/** Null if there was no answer: the call may or may not have had an effect. */
	async call(kind: string, method: string, path: string, options: Request = {}): Promise<Reply | null> {
		const sent = performance.now();
		const reply = await this.#send(method, path, options).catch(() => null);
		this.#count(kind, reply === null ? "unanswered" : String(reply.status));
		if (reply === null) return null;
		const where = `${method} ${path}`;
		const seen = JSON.stringify(reply.headers) + reply.text;
		this.#history.foreign.push(...findForeignMarks(this.tenant.name, where, seen));
		const { status } = reply;
		if (reply.isOk) this.#tally.successes.push(sent);
		else if (isUnexpected(status)) {
			const text = `${reply.headers["x-request-id"]} ${reply.text.slice(0, MAX_TEXT)}`;
			this.#history.refusals.push({ tenant: this.tenant.name, call: `${kind}: ${where}`, status, text });
		}
		return reply;
	}

	/** For calls that may safely be sent again: repeats one until it is answered well. Null if it was given up. */
	async callUntilOk(until: Until, ...args: Parameters<Client["call"]>): Promise<Reply | null> {
		for (;;) {
			const reply = await this.call(...args);
			if (reply?.isOk) return reply;
			if (until.isOver() || (reply !== null && isUnexpected(reply.status))) return null;
			await wait(RETRY_AFTER_MS);
		}
	}

	#count(kind: string, status: string): void {
		const counts = this.#tally.statuses.get(kind) ?? new Map<string, number>();
		this.#tally.statuses.set(kind, counts.set(status, (counts.get(status) ?? 0) + 1));
	}

	#send(method: string, path: string, { body, headers = {}, isToStore = false }: Request): Promise<Reply> {
		const { promise, resolve, reject } = Promise.withResolvers<Reply>();
		const outgoing = request(
			{
				host: "127.0.0.1",
				port: isToStore ? this.#ports.store : this.#ports.service,
				method,
				path,
				agent: this.#agent,
				signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
				headers: {
					...(isToStore || "authorization" in headers ? {} : { "x-service-api-key": this.tenant.name }),
					...(typeof body === "object" && { "content-type": "application/json" }),
					...headers,
				},
			},
			(incoming) => {
				text(incoming).then((received) => {
					const { statusCode: status = 0, headers } = incoming;
					resolve({ status, headers, text: received, isOk: status >= 200 && status < 400 });
				}, reject);
			},
		);
		outgoing.on("error", reject);
		outgoing.end(typeof body === "object" ? JSON.stringify(body) : body);
		return promise;
	}
}

const isUnexpected = (status: number): boolean => status >= 400 && !EXPECTED_REFUSALS.includes(status);

/** When callers give up. */
export interface Until {
	isOver(): boolean;
}

export function giveUpAfter(ms: number): Until {
	const end = performance.now() + ms;
	return { isOver: () => performance.now() > end };
}
