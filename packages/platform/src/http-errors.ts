import { OutboundRefused } from "./http.ts";

/** A failed call's error names only the host, never the rest of a URL, a header or a body, which may contain secrets. */
export function toCallError(error: unknown, host: string): Error {
	const code = findCode(error);
	for (const [pattern, text] of TEXTS) {
		if (pattern.test(code)) return new Error(text(host, code));
	}
	return new Error(code === "" ? `the call to ${host} failed` : `the call to ${host} failed (${code})`);
}

export const timeoutError = (host: string, timeoutMs: number) =>
	new Error(`${host} did not send a complete response within ${timeoutMs} ms`);

export const tooLargeError = (host: string, maxBytes: number) =>
	new OutboundRefused(`${host} answered with more than ${maxBytes} bytes`);

export const bodySizeError = (size: number) =>
	new OutboundRefused(`the body of the request does not have the ${size} bytes that were announced`);

export const headersError = (host: string) =>
	new OutboundRefused(`${host} answered with too many or too long headers`);

export const encodingError = (host: string, encoding: string) =>
	new OutboundRefused(
		`${host} answered in the content encoding ${JSON.stringify(encoding.slice(0, 40))}, which is not supported`,
	);

export const decodingError = (host: string) => new Error(`the response of ${host} cannot be decoded`);

const TEXTS: readonly (readonly [RegExp, (host: string, code: string) => string])[] = [
	[/^ECONNREFUSED$/, (host) => `${host} refused the connection`],
	[/^(?:ENOTFOUND|ENODATA|EAI_NODATA|EAI_NONAME)$/, (host) => `${host} was not found in DNS`],
	[/^EAI_/, (host) => `${host} cannot be resolved at the moment`],
	[
		/^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|E(?:HOST|NET)(?:UNREACH|DOWN)|EADDRNOTAVAIL)$/,
		describeUnreachable,
	],
	[
		/^(?:ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
		describeClosedEarly,
	],
	[/^HPE_(?:INVALID_EOF_STATE|CLOSED_CONNECTION)$/, describeClosedEarly],
	[/^UND_ERR_HEADERS_OVERFLOW$/, (host) => headersError(host).message],
	[/^HPE_/, (host) => `${host} sent a response that is not HTTP`],
	[/^(?:Z_|ERR__ERROR_|ZSTD_)/, (host) => decodingError(host).message],
	[
		/^(?:EPROTO|ERR_SSL_|ERR_TLS_(?!CERT))/,
		(host, code) => `cannot establish a TLS connection to ${host} (${code})`,
	],
	[/CERT|SIGNATURE|CRL|_CA$|VERIFY/, (host, code) => `the certificate of ${host} is not valid (${code})`],
];

function describeUnreachable(host: string): string {
	return `${host} cannot be reached`;
}

function describeClosedEarly(host: string): string {
	return `${host} closed the connection before its response was complete`;
}

/** The code of the error or of its cause. */
function findCode(error: unknown): string {
	const { code, name, cause, errors } = (error ?? {}) as Record<string, unknown>;
	if (typeof code === "string" && /^\w{1,60}$/.test(code)) return code;
	if (name === "HTTPParserError") return "HPE_INVALID";
	if (Array.isArray(errors) && errors.length > 0) return findCode(errors[0]);
	return cause === undefined ? "" : findCode(cause);
}
