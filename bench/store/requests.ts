import { type Incoming, toIncomingHeaders } from "@tripline/web/http-message";

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

/** The request as the app gets it in the running process, where reading the socket is the HTTP server's cost. */
export function toIncoming({ method, target, body }: Call): Incoming {
	const bytes = body === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body));
	const isSent = body !== undefined;
	return {
		method,
		url: `http://${CLIENT_HEADERS.host}${target}`,
		headers: toIncomingHeaders({
			...CLIENT_HEADERS,
			...(isSent && { "content-type": "application/json", "content-length": String(bytes.length) }),
		}),
		bytes: async () => bytes,
		async *stream() {
			yield bytes;
		},
	};
}
