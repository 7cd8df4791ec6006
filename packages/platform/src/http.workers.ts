import type { HttpAnswer, HttpRequest, OutboundHttp } from "./http.ts";
import {
	checkRequest,
	concatChunks,
	MAX_HEADER_BYTES,
	MAX_HEADERS,
	MAX_TIMER_MS,
	parseEncodings,
} from "./http-checks.ts";
import { encodingError, headersError, timeoutError, toCallError, tooLargeError } from "./http-errors.ts";
import { type GuardOptions, outboundGuard } from "./http-guard.ts";

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Encodings that the runtime decodes itself. */
const ENCODINGS = new Set(["gzip", "br"]);

/** The runtime resolves names, and in production it reaches only public addresses. */
export function workersHttp(options: GuardOptions & { readonly fetch?: Fetch }): OutboundHttp {
	const guard = outboundGuard(options);
	const call: Fetch = options.fetch ?? ((url, init) => fetch(url, init));

	return {
		async send(request, signal) {
			signal.throwIfAborted();
			guard.checkUrl(request.url);
			checkRequest(request);
			const control = new AbortController();
			const stop = () => control.abort(signal.reason);
			const timedOut = () => control.abort(timeoutError(request.url.host, request.timeoutMs));
			signal.addEventListener("abort", stop);
			const timer = setTimeout(timedOut, Math.min(request.timeoutMs, MAX_TIMER_MS));
			try {
				return await exchange(request, call, control.signal);
			} catch (error) {
				throw control.signal.aborted ? control.signal.reason : error;
			} finally {
				clearTimeout(timer);
				signal.removeEventListener("abort", stop);
			}
		},
		async close() {},
	};
}

async function exchange(request: HttpRequest, call: Fetch, signal: AbortSignal): Promise<HttpAnswer> {
	const { url, method, headers, maxBytes } = request;
	const body = request.body as Exclude<RequestInit["body"], undefined>;
	const response = await mapCallError(
		call(url.href, { method, headers: { ...headers }, body, redirect: "manual", signal }),
		url.host,
	);
	try {
		const answered = joinHeaders(response.headers, url.host);
		checkEncodings(answered, url.host);
		const bytes = await readAll(response, url.host, maxBytes);
		return {
			status: response.status,
			headers: bytes.length === 0 ? answered : stripEncodingHeaders(answered),
			body: bytes,
		};
	} catch (error) {
		await response.body?.cancel().catch(() => {});
		throw error;
	}
}

function joinHeaders(headers: Headers, host: string): Record<string, string> {
	const result: Record<string, string> = {};
	let count = 0;
	let size = 0;
	for (const [name, value] of headers) {
		count++;
		size += name.length + value.length;
		if (name === "__proto__") continue;
		result[name] = Object.hasOwn(result, name) ? `${result[name]}, ${value}` : value;
	}
	if (count > MAX_HEADERS || size > MAX_HEADER_BYTES) throw headersError(host);
	return result;
}

function checkEncodings(headers: Readonly<Record<string, string>>, host: string): void {
	const header = headers["content-encoding"];
	if (header === undefined) return;
	const names = parseEncodings(header);
	if (names.length > 1 || !names.every((name) => ENCODINGS.has(name))) throw encodingError(host, header);
}

/** Removes the headers that describe the encoded body, if it was encoded. */
function stripEncodingHeaders(headers: Record<string, string>): Record<string, string> {
	const { "content-encoding": encoding, "content-length": _, ...rest } = headers;
	return encoding === undefined ? headers : rest;
}

/** The runtime decodes the body, so a small response can become large. */
async function readAll(response: Response, host: string, maxBytes: number): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	const reader = response.body?.getReader();
	while (reader !== undefined) {
		const { done, value } = await mapCallError(reader.read(), host);
		if (done) break;
		size += value.length;
		if (size > maxBytes) {
			await reader.cancel().catch(() => {});
			throw tooLargeError(host, maxBytes);
		}
		chunks.push(value);
	}
	return concatChunks(chunks, size);
}

function mapCallError<T>(work: Promise<T>, host: string): Promise<T> {
	return work.catch((error: unknown) => {
		throw toCallError(error, host);
	});
}
