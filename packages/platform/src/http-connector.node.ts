import { isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { buildConnector } from "undici";
import {
	createConnectError,
	type DialDeps,
	guardedDial,
	openOrDestroy,
	waitForEvent,
} from "./guarded-dial.node.ts";
import type { Target } from "./http-guard.ts";

/** Timeout for DNS, connecting and TLS together. */
const CONNECT_MS = 10_000;

export interface GuardedConnector {
	readonly connect: buildConnector.connector;
	/** Aborts pending connections. */
	close(): void;
}

/** Connects to checked addresses only. */
export function guardedConnector(deps: DialDeps): GuardedConnector {
	const dial = guardedDial(deps);
	const connecting = new Set<AbortController>();

	return {
		connect({ hostname, port, protocol }, callback) {
			const isTls = protocol === "https:";
			const target = { hostname, port: port === "" ? (isTls ? 443 : 80) : Number(port) };
			connectWithin(target, isTls).then(
				(socket) => callback(null, socket),
				(error: Error) => callback(error, null),
			);
		},
		close() {
			for (const each of connecting) each.abort(new Error("closed"));
		},
	};

	async function connectWithin(target: Target, isTls: boolean): Promise<Socket> {
		const control = new AbortController();
		const timer = setTimeout(() => control.abort(createConnectError()), CONNECT_MS);
		connecting.add(control);
		try {
			const socket = await dial(target, control.signal);
			return isTls ? await startTls(socket, target.hostname, control.signal) : socket;
		} finally {
			clearTimeout(timer);
			connecting.delete(control);
		}
	}
}

function startTls(socket: Socket, hostname: string, signal: AbortSignal): Promise<Socket> {
	const secure = connectTls({
		socket,
		host: hostname,
		ALPNProtocols: ["http/1.1"],
		// Set explicitly so that no environment variable can disable it.
		rejectUnauthorized: true,
		...(isIP(hostname) === 0 ? { servername: hostname } : {}),
	});
	return openOrDestroy(secure, async () => {
		await waitForEvent(secure, "secureConnect", signal);
		return secure;
	});
}
