import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { Surface } from "@tripline/mcp/protocol/surface";
import { endpoint } from "./endpoint.ts";

export interface Listener {
	/** The endpoint's URL. */
	readonly url: string;
	close(): Promise<void>;
}

/** An endpoint at a loopback address, on Node. */
export async function listen(surface: Surface): Promise<Listener> {
	const { fetch, close } = endpoint(surface);
	const server = createServer((message, response) => void serve(fetch, message, response));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/mcp`,
		async close() {
			await close();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function serve(
	fetch: (request: Request) => Promise<Response>,
	message: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const hangUp = new AbortController();
	response.on("close", () => hangUp.abort());
	const request = new Request(`http://127.0.0.1${message.url}`, {
		method: message.method ?? "GET",
		headers: message.headers as Record<string, string>,
		signal: hangUp.signal,
		...(message.method === "POST" && { body: Readable.toWeb(message) as ReadableStream, duplex: "half" }),
	});
	const answer = await fetch(request);
	response.writeHead(answer.status, Object.fromEntries(answer.headers));
	if (answer.body === null) response.end();
	else
		Readable.fromWeb(answer.body as never)
			.on("error", () => {})
			.pipe(response);
}
