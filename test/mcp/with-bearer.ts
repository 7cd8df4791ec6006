import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { Listener } from "./listener.ts";

/** An address of its own before an endpoint, for a client that cannot be given a credential. */
export async function withBearer(origin: string, token: string): Promise<Listener> {
	const { host, hostname, port } = new URL(origin);
	const server = createServer((incoming, answer) => {
		const own = incoming.socket.localPort;
		// What names another host stays as it is: whether that is refused is the question.
		const renamed = (value: string) =>
			value.replace(`127.0.0.1:${own}`, host).replace(`localhost:${own}`, host);
		const headers = Object.entries(incoming.headers).map(([name, value]) => [name, renamed(String(value))]);
		const passed = request(
			{
				// A connection that is kept can end while the next request is on its way.
				agent: false,
				hostname,
				port,
				path: incoming.url,
				method: incoming.method,
				headers: { ...Object.fromEntries(headers), authorization: `Bearer ${token}` },
			},
			(response) => {
				answer.writeHead(response.statusCode ?? 502, response.headers);
				response.pipe(answer);
			},
		);
		passed.on("error", () => answer.destroy());
		answer.on("close", () => passed.destroy());
		incoming.pipe(passed);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
