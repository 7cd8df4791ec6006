import { OutboundRefused } from "./http.ts";

/** What a failed call may say: the host, and never the rest of a URL, a header or a body, which can hold secrets. */
export function callError(error: unknown, host: string): Error {
	const code = codeOf(error);
	for (const [pattern, text] of TEXTS) {
		if (pattern.test(code)) return new Error(text(host, code));
	}
	return new Error(code === "" ? `the call to ${host} failed` : `the call to ${host} failed (${code})`);
}

export const timeoutError = (host: string, timeoutMs: number) =>
	new Error(`${host} did not answer in full within ${timeoutMs} ms`);

export const tooLargeError = (host: string, maxBytes: number) =>
	new OutboundRefused(`${host} answered with more than ${maxBytes} bytes`);

export const headersError = (host: string) =>
	new OutboundRefused(`${host} answered with too many or too long headers`);

export const encodingError = (host: string, encoding: string) =>
	new OutboundRefused(
		`${host} answered in the content encoding ${JSON.stringify(encoding.slice(0, 40))}, which is not supported`,
	);

export const decodingError = (host: string) => new Error(`the answer of ${host} cannot be decoded`);

const TEXTS: readonly (readonly [RegExp, (host: string, code: string) => string])[] = [
	[/^ECONNREFUSED$/, (host) => `${host} refused the connection`],
	[/^(?:ENOTFOUND|ENODATA|EAI_NODATA|EAI_NONAME)$/, (host) => `the name of ${host} is not known`],
	[/^EAI_/, (host) => `the name of ${host} cannot be looked up at the moment`],
	[/^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|E(?:HOST|NET)(?:UNREACH|DOWN)|EADDRNOTAVAIL)$/, cannotReach],
	[/^(?:ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/, closedEarly],
	[/^HPE_(?:INVALID_EOF_STATE|CLOSED_CONNECTION)$/, closedEarly],
	[/^UND_ERR_HEADERS_OVERFLOW$/, (host) => headersError(host).message],
	[/^HPE_/, (host) => `${host} gave an answer that is not HTTP`],
	[/^(?:Z_|ERR__ERROR_|ZSTD_)/, (host) => decodingError(host).message],
	[
		/^(?:EPROTO|ERR_SSL_|ERR_TLS_(?!CERT))/,
		(host, code) => `no TLS connection to ${host} is possible (${code})`,
	],
	[/CERT|SIGNATURE|CRL|_CA$|VERIFY/, (host, code) => `the certificate of ${host} is not valid (${code})`],
];

function cannotReach(host: string): string {
	return `${host} cannot be reached`;
}

function closedEarly(host: string): string {
	return `${host} closed the connection before its answer was complete`;
}

/** Of the error, or of what it wraps. */
function codeOf(error: unknown): string {
	const { code, name, cause, errors } = (error ?? {}) as Record<string, unknown>;
	if (typeof code === "string" && /^\w{1,60}$/.test(code)) return code;
	if (name === "HTTPParserError") return "HPE_INVALID";
	if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
	return cause === undefined ? "" : codeOf(cause);
}
