import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";

/** A request as data, so that the same one can be made again: a body can be read only once. */
export interface Call {
	readonly method: "GET" | "PUT" | "POST";
	/** Path and query. */
	readonly target: string;
	readonly body?: unknown;
}

type Query = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

export const get = (path: string, query: Query = {}): Call => ({
	method: "GET",
	target: `${path}?${new URLSearchParams(query as Record<string, string>)}`,
});
export const put = (path: string, body: unknown): Call => ({ method: "PUT", target: path, body });
export const post = (path: string, body: unknown): Call => ({ method: "POST", target: path, body });

const CLIENT_HEADERS = {
	host: "127.0.0.1:8485",
	connection: "keep-alive",
	accept: "*/*",
	"accept-language": "*",
	"user-agent": "node",
	"accept-encoding": "gzip, deflate",
};

let latest: Request | undefined;
const socket = new Socket();
const listener = getRequestListener((request) => {
	latest = request;
	return new Promise(() => {});
});

/**
 * The Request that the app gets in the running process. There it comes from @hono/node-server's listener, which also
 * puts its own light Response in place of the global one; a Request made by `new Request` is a full one of undici,
 * whose headers and body cost several times the handler. So the real listener is given a real IncomingMessage and is
 * left without an answer: what it handed to the app is kept. `rawBody` is its own way in for a body that was read
 * already, which stands for the socket: reading that is the HTTP server's cost, and so is writing the answer, whose
 * text the listener takes out of the light Response as it is.
 */
export function toRequest({ method, target, body }: Call): Request {
	const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
	const incoming = new IncomingMessage(socket);
	incoming.method = method;
	incoming.url = target;
	const headers = {
		...CLIENT_HEADERS,
		...(bytes && { "content-type": "application/json", "content-length": String(bytes.length) }),
	};
	incoming.rawHeaders = Object.entries(headers).flat();
	incoming.headers = headers;
	if (bytes !== undefined) Object.assign(incoming, { rawBody: bytes });
	void listener(incoming, new ServerResponse(incoming));
	return latest as Request;
}
