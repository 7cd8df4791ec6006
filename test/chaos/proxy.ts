import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

export interface TcpProxy {
	readonly port: number;
	/** Every chunk of data is sent on this much later, in both directions. */
	delayMs: number;
	/** Resets all connections. Returns how many there were. */
	cut(): number;
	close(): void;
}

/** Passes TCP connections on to the first port of a list that accepts one; the list is asked for at each connection. */
export async function startProxy(listPorts: () => readonly number[]): Promise<TcpProxy> {
	const pairs = new Set<readonly [Socket, Socket]>();
	const server = createServer({ allowHalfOpen: true, noDelay: true }, (inner) => {
		inner.on("error", () => inner.destroy());
		connectFirst(listPorts()).then(
			(outer) => join(inner, outer),
			() => inner.resetAndDestroy(),
		);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const proxy: TcpProxy = {
		port: (server.address() as AddressInfo).port,
		delayMs: 0,
		cut() {
			const { size } = pairs;
			for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy();
			return size;
		},
		close() {
			server.close();
			proxy.cut();
		},
	};
	return proxy;

	function join(inner: Socket, outer: Socket): void {
		const pair = [inner, outer] as const;
		pairs.add(pair);
		pass(inner, outer);
		pass(outer, inner);
		for (const socket of pair) {
			// Whatever ends one side ends the other.
			socket.on("error", () => {});
			socket.on("close", (hadError) => {
				pairs.delete(pair);
				for (const each of pair) if (hadError) each.resetAndDestroy();
				if (!hadError) for (const each of pair) each.destroySoon();
			});
		}
		if (inner.destroyed) outer.resetAndDestroy();
	}

	/** In order, whatever the delay is meanwhile. */
	function pass(from: Socket, to: Socket): void {
		let last: Promise<unknown> = Promise.resolve();
		const later = (send: () => void) => {
			const until = performance.now() + proxy.delayMs;
			last = last.then(async () => {
				const ms = until - performance.now();
				if (ms > 0) await wait(ms);
				if (!to.destroyed) send();
			});
		};
		from.on("data", (chunk) => later(() => to.write(chunk)));
		from.on("end", () => later(() => to.end()));
	}
}

async function connectFirst(ports: readonly number[]): Promise<Socket> {
	for (const port of ports) {
		const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
		try {
			await once(socket, "connect");
			return socket;
		} catch {
			socket.destroy();
		}
	}
	throw new Error("nothing accepts connections");
}
