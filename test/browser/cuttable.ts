import { once } from "node:events";
import { createServer, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy to the service whose connections can be cut. */
interface Cuttable {
	readonly origin: string;
	/** Cuts all open responses. */
	cut(): void;
	/** Cuts all open responses and accepts nothing until start. */
	stop(): void;
	start(): void;
	close(): void;
}

export async function cuttable(url: string): Promise<Cuttable> {
	const { host, hostname, port, origin } = new URL(url);
	const open = new Set<ServerResponse>();
	let isStopped = false;
	const server = createServer((asked, answer) => {
		if (isStopped) return void asked.socket.destroy();
		const headers = { ...asked.headers, host, ...(asked.headers.origin !== undefined && { origin }) };
		const passed = request({ hostname, port, method: asked.method, path: asked.url, headers }, (given) => {
			answer.writeHead(given.statusCode ?? 502, given.headers);
			given.pipe(answer);
		});
		passed.on("error", () => answer.destroy());
		asked.pipe(passed);
		open.add(answer);
		answer.on("close", () => open.delete(answer));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const cut = () => {
		for (const answer of open) answer.destroy();
	};
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		cut,
		stop() {
			isStopped = true;
			cut();
		},
		start() {
			isStopped = false;
		},
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}
