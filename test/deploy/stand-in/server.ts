import {
	createServer,
	type IncomingMessage,
	request as outgoing,
	type Server,
	type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface Listener {
	readonly url: string;
	close(): Promise<void>;
}

/** Listens on a free port of the loopback address; `"cut"` drops the connection. */
export async function listen(answer: (request: Request) => Promise<Response | "cut">): Promise<Listener> {
	return startListening(async (incoming, response) => {
		const { method = "GET", headers, url = "/" } = incoming;
		const body = method === "GET" || method === "HEAD" ? null : new Uint8Array(await buffer(incoming));
		const pairs = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]);
		const given = await answer(new Request(`http://${headers.host}${url}`, { method, headers: pairs, body }));
		if (given === "cut") {
			incoming.socket.destroy();
			return;
		}
		response.writeHead(given.status, Object.fromEntries(given.headers));
		response.end(new Uint8Array(await given.arrayBuffer()));
	});
}

/** A request to be forwarded: names and values of its headers alternate. */
interface Passing {
	readonly path: string;
	readonly headers: readonly string[];
}

/** The target, and what to change in the request. */
interface PassedTo extends Partial<Passing> {
	readonly url: URL;
	done(): void;
}

/** Listens and streams each request to the result of `target`, or answers with its response. */
export async function forward(target: (passing: Passing) => Promise<PassedTo | Response>): Promise<Listener> {
	return startListening(async (incoming, response) => {
		const came = { path: incoming.url ?? "/", headers: incoming.rawHeaders };
		const to = await target(came);
		if (to instanceof Response) {
			response.writeHead(to.status, Object.fromEntries(to.headers)).end(await to.text());
			return;
		}
		response.once("close", () => to.done());
		const { path = came.path, headers = came.headers } = to;
		const { hostname, port } = to.url;
		// A new connection for each request: the runtime may close a reused one.
		const passing = { hostname, port, method: incoming.method, headers, path, agent: false };
		const passed = outgoing(passing, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
			answer.pipe(response);
		});
		passed.once("error", () => response.destroy());
		response.once("close", () => passed.destroy());
		// Headers are sent before there is any body.
		passed.flushHeaders();
		incoming.pipe(passed);
	});
}

async function startListening(
	answer: (incoming: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Listener> {
	const server: Server = createServer((incoming, response) => {
		answer(incoming, response).catch((error: unknown) => {
			if (response.headersSent) response.destroy();
			else response.writeHead(500).end(String(error));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close() {
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			server.closeAllConnections();
			return closed;
		},
	};
}
