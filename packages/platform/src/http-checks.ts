import { type HttpRequest, OutboundRefused } from "./http.ts";

/** Total size of a response's headers. */
export const MAX_HEADER_BYTES = 16 * 1024;
export const MAX_HEADERS = 200;

/** The longest delay that a timer supports. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

const METHOD = /^[A-Z][A-Z-]{0,31}$/;
const FORBIDDEN_METHODS = new Set(["CONNECT", "TRACE", "TRACK"]);
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;

/** Headers that control framing or routing. Another host name in `host` would send a credential to that host. */
const OWN_HEADERS = new Set([
	"host",
	"content-length",
	"transfer-encoding",
	"connection",
	"keep-alive",
	"proxy-connection",
	"upgrade",
	"te",
	"trailer",
	"expect",
]);

/** Rejects requests that one of the platforms cannot send, so that both behave alike. Messages never contain a value. */
export function checkRequest({ method, headers, body }: HttpRequest): void {
	if (!METHOD.test(method) || FORBIDDEN_METHODS.has(method)) {
		throw new OutboundRefused(`the method ${JSON.stringify(method.slice(0, 40))} cannot be used`);
	}
	if (body !== null && (method === "GET" || method === "HEAD")) {
		throw new OutboundRefused(`a ${method} request cannot have a body`);
	}
	for (const name in headers) {
		if (!NAME.test(name)) {
			throw new OutboundRefused(`${JSON.stringify(name.slice(0, 80))} is not a valid header name`);
		}
		if (OWN_HEADERS.has(name.toLowerCase())) {
			throw new OutboundRefused(`the header "${name}" cannot be set: it is derived from the request`);
		}
		if (!VALUE.test(headers[name] as string)) {
			throw new OutboundRefused(
				`the header "${name}" contains characters that are not allowed in a header, such as a line break`,
			);
		}
	}
}

/** The names of the encodings, in the order in which they were applied. */
export const parseEncodings = (header: string): string[] =>
	header
		.toLowerCase()
		.split(",")
		.map((each) => each.trim().replace(/^x-/, ""))
		.filter((each) => each !== "" && each !== "identity");

export function concatChunks(chunks: readonly Uint8Array[], size: number): Uint8Array {
	const body = new Uint8Array(size);
	let offset = 0;
	for (const chunk of chunks) {
		body.set(chunk, offset);
		offset += chunk.length;
	}
	return body;
}
