import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { Listener } from "./listener.ts";

/** A proxy that adds the credential, for a client that cannot be given one. */
export async function serveWithBearer(origin: string, token: string): Promise<Listener> {
	const { host, hostname, port } = new URL(origin);
	const server = createServer((incoming, answer) => {
		const own = incoming.socket.localPort;
		// Values with another host stay unchanged, because the test checks whether they are refused.
		const renameHost = (value: string) =>
			value.replace(`127.0.0.1:${own}`, host).replace(`localhost:${own}`, host);
		const headers = Object.entries(incoming.headers).map(([name, value]) => [
			name,
			renameHost(String(value)),
		]);
		const passed = request(
			{
				// A kept-alive connection can close while the next request is sent.
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
