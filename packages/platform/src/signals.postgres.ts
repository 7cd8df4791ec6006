import { Client } from "pg";
import { type Log, toErrorFields } from "./log.ts";
import { readConnection } from "./postgres-connection.node.ts";
import { translateError } from "./postgres-errors.ts";
import type { Signals } from "./signals.ts";

type Signal = readonly [topic: string, text: string];

interface Payload {
	readonly from: string;
	readonly signals: readonly Signal[];
}

/** PostgreSQL refuses payloads of 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_900;
/** A commit with a notification waits for all others of the database, so that signals share one. */
const SEND_DELAY_MS = 5;
/** What waits while the connection is lost; beyond that the oldest are dropped. */
const MAX_WAITING = 10_000;
const RECONNECT_MS = 1_000;

/** Signals by LISTEN and NOTIFY, on a connection of their own. */
export async function postgresSignals(
	url: string,
	options: { readonly channel: string; readonly from: string; readonly log: Log },
): Promise<Signals & { close(): Promise<void> }> {
	const { channel, from, log } = options;
	const receivers = new Map<string, ((text: string) => void)[]>();
	let waiting: Signal[] = [];
	let timer: NodeJS.Timeout | undefined;
	let reconnecting: NodeJS.Timeout | undefined;
	let isClosed = false;
	let isLost = false;
	let client: Client | null = null;
	try {
		await connect();
	} catch (error) {
		isClosed = true;
		clearTimeout(reconnecting);
		throw error;
	}

	return {
		send(topic, text) {
			waiting.push([topic, text]);
			if (waiting.length > MAX_WAITING) waiting = waiting.slice(-MAX_WAITING / 2);
			timer ??= setTimeout(flush, SEND_DELAY_MS);
		},
		on(topic, receive) {
			receivers.set(topic, [...(receivers.get(topic) ?? []), receive]);
		},
		async close() {
			isClosed = true;
			clearTimeout(timer);
			clearTimeout(reconnecting);
			flush();
			await client?.end().catch(() => {});
		},
	};

	async function connect(): Promise<void> {
		const opened = new Client({ ...readConnection(url), keepAlive: true });
		const onLost = () => {
			if (client === opened) client = null;
			if (!isClosed) reconnecting ??= setTimeout(reconnect, RECONNECT_MS);
		};
		opened.on("error", onLost);
		opened.on("end", onLost);
		opened.on("notification", ({ payload = "" }) => receive(payload));
		try {
			await opened.connect();
			await opened.query(`listen ${channel}`);
		} catch (error) {
			throw translateError(error);
		}
		client = opened;
		isLost = false;
	}

	function reconnect(): void {
		reconnecting = undefined;
		connect().catch((error: unknown) => {
			if (!isLost) log("warn", "signals of other processes are not received", toErrorFields(error));
			isLost = true;
			if (!isClosed) reconnecting ??= setTimeout(reconnect, RECONNECT_MS);
		});
	}

	function flush(): void {
		timer = undefined;
		const connection = client;
		if (connection === null) {
			if (!isClosed && waiting.length > 0) timer = setTimeout(flush, RECONNECT_MS);
			return;
		}
		const signals = waiting;
		waiting = [];
		for (const payload of pack(signals)) {
			// Whoever depends on it looks by itself.
			connection.query("select pg_notify($1, $2)", [channel, payload]).catch(() => {});
		}
	}

	/** As few texts as hold all signals. */
	function pack(signals: readonly Signal[]): readonly string[] {
		const payloads: string[] = [];
		let part: Signal[] = [];
		let bytes = 0;
		const add = () => {
			if (part.length > 0) payloads.push(JSON.stringify({ from, signals: part } satisfies Payload));
			part = [];
			bytes = JSON.stringify({ from, signals: [] }).length;
		};
		add();
		for (const signal of signals) {
			const size = Buffer.byteLength(JSON.stringify(signal)) + 1;
			if (bytes + size > MAX_PAYLOAD_BYTES) add();
			part.push(signal);
			bytes += size;
		}
		add();
		return payloads;
	}

	function receive(text: string): void {
		const payload = readPayload(text);
		if (payload === null || payload.from === from) return;
		for (const [topic, value] of payload.signals) for (const each of receivers.get(topic) ?? []) each(value);
	}
}

/** Null if another program uses the same channel. */
function readPayload(text: string): Payload | null {
	try {
		const payload = JSON.parse(text) as Partial<Payload> | null;
		return typeof payload?.from === "string" && Array.isArray(payload.signals) ? (payload as Payload) : null;
	} catch {
		return null;
	}
}
