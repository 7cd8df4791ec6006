import type { HttpAnswer, HttpHead, HttpRequest, OutboundHttp, StreamedBody, TakeBody } from "./http.ts";
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
import { isStreamed, limitContent, readStreamedBody } from "./http-streams.ts";

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A body of this class is sent with its length instead of in chunks. */
declare const FixedLengthStream: new (size: number) => TransformStream<Uint8Array, Uint8Array>;

/** A response that always has more to read keeps the runtime from its timers, so reading pauses after this many bytes. */
const BYTES_BETWEEN_PAUSES = 2 ** 20;

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
	const { body } = request;
	if (!isStreamed(body)) return exchangeBody(request, body, call, signal);
	const upload = startUpload(body);
	try {
		return await exchangeBody(request, upload.content, call, signal);
	} catch (error) {
		throw upload.failure() ?? error;
	} finally {
		await upload.stop();
	}
}

type SentBody = Exclude<RequestInit["body"], undefined>;

async function exchangeBody(
	request: HttpRequest,
	body: SentBody | Uint8Array,
	call: Fetch,
	signal: AbortSignal,
): Promise<HttpAnswer> {
	const { url, method, headers, maxBytes, sink } = request;
	const response = await mapCallError(
		call(url.href, { method, headers: { ...headers }, body: body as SentBody, redirect: "manual", signal }),
		url.host,
	);
	try {
		const answered = joinHeaders(response.headers, url.host);
		checkEncodings(answered, url.host);
		if (sink !== undefined) {
			const head = { status: response.status, headers: stripEncodingHeaders(answered) };
			const take = sink.open(head);
			if (take !== null) return await passOn(response, head, url.host, sink.maxBytes, take);
		}
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

/** Reads the body only as fast as the server takes it. */
function startUpload(body: StreamedBody) {
	const { readable, writable } = new FixedLengthStream(body.size);
	const writer = writable.getWriter();
	let failure: unknown;
	const sending = send().catch((error: unknown) => writer.abort(error).catch(() => {}));
	return {
		content: readable,
		/** The body's own error. */
		failure: () => failure,
		/** Stops reading, if the server answered before it had the whole body. */
		async stop(): Promise<void> {
			await writer.abort(new Error("given up")).catch(() => {});
			await sending;
		},
	};

	async function send(): Promise<void> {
		const bytes = readStreamedBody(body, (error) => {
			failure = error;
		});
		for await (const chunk of bytes) await writer.write(chunk);
		await writer.close();
	}
}

async function passOn(
	response: Response,
	head: HttpHead,
	host: string,
	maxBytes: number,
	take: TakeBody,
): Promise<HttpAnswer> {
	let failure: { readonly error: unknown } | undefined;
	const content = limitContent(readChunks(response, host), maxBytes, host, (error) => {
		failure = { error };
	});
	try {
		await take(content);
	} catch (error) {
		throw failure === undefined ? error : failure.error;
	}
	if (failure !== undefined) throw failure.error;
	await content.return(undefined);
	return { ...head, body: new Uint8Array() };
}

async function* readChunks(response: Response, host: string): AsyncGenerator<Uint8Array> {
	const reader = response.body?.getReader();
	if (reader === undefined) return;
	try {
		for (let size = 0; ; ) {
			const { done, value } = await mapCallError(reader.read(), host);
			if (done) return;
			size += value.length;
			yield value;
			if (size < BYTES_BETWEEN_PAUSES) continue;
			size = 0;
			await new Promise((resolve) => setTimeout(resolve, 0));
		}
	} finally {
		await reader.cancel().catch(() => {});
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
