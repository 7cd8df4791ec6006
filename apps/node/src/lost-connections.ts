import type { Worker } from "node:cluster";

/**
 * Closes the connections that were on their way to a process when it was killed. Node leaves them open, and their clients
 * would wait for ever. It has no public API for this: it sends a connection as a message, one at a time for each listener.
 */
export function closeLostConnections(worker: Worker): void {
	const { process: child } = worker;
	const { send } = child;
	const sent = new Map<unknown, { close(): void }>();
	const sendAndRemember = (...args: [{ key?: unknown }, { close(): void } | undefined]) => {
		const [message, connection] = args;
		if (connection) sent.set(message.key, connection);
		return Reflect.apply(send, child, args);
	};
	Object.assign(child, { send: sendAndRemember });
	worker.once("exit", () => {
		// A process that stops has given back what it did not accept, and another one has it now.
		if (worker.exitedAfterDisconnect) return;
		for (const connection of sent.values()) connection.close();
	});
}
