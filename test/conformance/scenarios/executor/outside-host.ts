import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { OutsideRequest, Serve } from "../../outside.ts";
import type { World } from "../../scenario.ts";

export interface OutsideHost {
	readonly host: string;
	readonly url: string;
	/** The received requests, in order. */
	readonly seen: OutsideRequest[];
}

/** A public host used only by this scenario; without `serve` it responds with an empty object. */
export const openHost = (
	world: World,
	serve: Serve = () => ({ json: {} }),
	name = `${world.owner}.example.com`,
): OutsideHost => {
	const seen: OutsideRequest[] = [];
	world.target.outside.serve(name, (request) => {
		seen.push(request);
		return serve(request);
	});
	return { host: name, url: `https://${name}`, seen };
};

/** A server on a real local port, which only the address check protects from workflows. */
export async function withLocalServer(
	serve: RequestListener,
	use: (server: { readonly host: string; readonly seen: IncomingMessage[] }) => Promise<void>,
): Promise<void> {
	const seen: IncomingMessage[] = [];
	const server = createServer((request, response) => {
		seen.push(request);
		serve(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	try {
		await use({ host: `127.0.0.1:${(server.address() as AddressInfo).port}`, seen });
	} finally {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
}

/** Headers that the platform's HTTP client adds. */
const OF_THE_CONNECTION =
	/^(?:host|connection|content-length|accept-encoding|transfer-encoding|cf-.*|mf-.*)$/;

/** The headers that the service itself sent. */
export const pickOwnHeaders = ({ headers }: Pick<OutsideRequest, "headers">) =>
	Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.test(name)));
