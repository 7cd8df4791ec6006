import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
	readonly method: string;
	readonly path: string;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly body: string;
}

export interface Loopback {
	readonly host: string;
	readonly url: string;
	readonly received: Received[];
	/** Includes connections that sent nothing. */
	connections(): number;
	close(): Promise<void>;
}

type Handle = (received: Received, response: ServerResponse, request: IncomingMessage) => void;

/** A real server on 127.0.0.1. */
export async function loopback(handle: Handle = (_, response) => response.end("{}")): Promise<Loopback> {
	const received: Received[] = [];
	let connections = 0;
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on("data", (chunk: Buffer) => chunks.push(chunk));
		request.on("error", () => {});
		request.on("end", () => {
			const { method = "", url: path = "", headers } = request;
			const one = { method, path, headers, body: Buffer.concat(chunks).toString("latin1") };
			received.push(one);
			handle(one, response, request);
		});
	});
	server.on("connection", () => connections++);
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		host,
		url: `http://${host}`,
		received,
		connections: () => connections,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
		},
	};
}
