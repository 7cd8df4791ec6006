import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { OutsideRequest, Serve } from "../../outside.ts";
import type { World } from "../../scenario.ts";

export interface OutsideHost {
	readonly host: string;
	readonly url: string;
	/** What arrived, in its order. */
	readonly seen: OutsideRequest[];
}

/** A host on the web that is this scenario's alone; without `serve` it answers with an empty object. */
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

/** A server at a real port of this machine, which only a guard keeps workflows from. */
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

/** Those that the platform's client adds by itself. */
const OF_THE_CONNECTION =
	/^(?:host|connection|content-length|accept-encoding|transfer-encoding|cf-.*|mf-.*)$/;

/** What the service itself sent as headers. */
export const ownHeaders = ({ headers }: Pick<OutsideRequest, "headers">) =>
	Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.test(name)));
