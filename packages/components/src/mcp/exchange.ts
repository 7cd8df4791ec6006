import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { Effects } from "../effects.ts";
import { EventStream } from "../event-stream.ts";
import type { OutboundAnswer, OutboundCall, OutboundHead } from "../outbound/call.ts";
import { type Challenge, parseChallenge } from "./challenge.ts";
import { McpRefused, McpSessionLost, McpUnauthorized, quoteServerText } from "./errors.ts";
import { type Message, parseMessages } from "./messages.ts";

/** A server as its owner has added it. */
export interface Endpoint {
	readonly name: string;
	readonly url: string;
	/** Name of the credential that authorizes requests, or null. */
	readonly credential: string | null;
}

/** How the server is spoken to, once that is known. */
export interface Wire {
	/** Null before a version is agreed on. */
	readonly version: string | null;
	/** There are no sessions, and every request describes the client. */
	readonly isStateless: boolean;
	readonly sessionId: string | null;
}

export interface Request {
	readonly method: string;
	readonly params: JsonObject;
	/** In addition to those of the protocol. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Until the answer has arrived. */
	readonly timeoutMs: number;
	/** Without progress; never if left out. */
	readonly idleMs?: number;
	/** Of the answer, in characters. */
	readonly maxCharacters: number;
	readonly onProgress?: (params: JsonObject) => void;
	readonly onToolsChanged?: () => void;
}

export interface Answered {
	readonly result: JsonObject;
	readonly head: OutboundHead;
}

export type Http = Effects["http"];

/** Requests of the server and messages that answer nothing, for each of our requests. */
const MAX_FOREIGN_REQUESTS = 32;
const MAX_MESSAGES = 10_000;
/** Of an answer that is not a result. */
const MAX_ERROR_BYTES = 64 * 1024;
const ASIDE_TIMEOUT_MS = 5_000;
/** How long a stream may stay open behind its answer: usually it ends at once, and the connection is used again. */
const LINGER_MS = 250;

/** How long to wait before a stream that has ended is resumed, if it does not say so itself, and at least. */
const RESUME_MS = 1_000;
const MIN_RESUME_MS = 100;
/** Of one request: a server may end its streams to let clients ask again. */
const MAX_RESUMED = 1_000;
const EVENT_STREAM = "text/event-stream";
const EVENT_ID = /^[\x21-\x7e][\x20-\x7e]{0,1023}$/;

let lastId = 0;

/** Sends one request and resolves with its result. */
export function exchange(
	http: Http,
	endpoint: Endpoint,
	wire: Wire,
	request: Request,
	signal: AbortSignal,
): Promise<Answered> {
	const id = ++lastId;
	return new Promise((resolve, reject) => {
		signal.throwIfAborted();
		const control = new AbortController();
		const asides: Promise<void>[] = [];
		let isDone = false;
		const stop = () => {
			if (!wire.isStateless && wire.version !== null && !isDone) cancel(http, endpoint, wire, id);
			control.abort(signal.reason);
		};
		const giveUp = () => {
			const seconds = Math.round((request.idleMs ?? 0) / 1000);
			if (!wire.isStateless && wire.version !== null) cancel(http, endpoint, wire, id);
			control.abort(new Error(`the MCP server ${quote(endpoint)} has sent no progress for ${seconds} s`));
		};
		let idle = request.idleMs === undefined ? undefined : setTimeout(giveUp, request.idleMs);
		const end = () => {
			isDone = true;
			clearTimeout(idle);
			signal.removeEventListener("abort", stop);
		};
		const fail = (error: unknown) => {
			if (isDone) return;
			end();
			reject(signal.aborted ? signal.reason : error);
		};
		signal.addEventListener("abort", stop);
		const reader = new AnswerReader(id, endpoint, request, {
			onAnswer(message, head) {
				if (isDone) return;
				if (message.kind === "error") return fail(toRefusal(endpoint, message, head.status));
				end();
				const answered = { result: message.result, head };
				// Where a platform ends with the run what it still sends, answers to the server would be lost.
				if (asides.length === 0) resolve(answered);
				else Promise.all(asides).then(() => resolve(answered));
			},
			onRequest: ({ id: theirs, method }) => {
				const answer = method === "ping" ? { result: {} } : { error: UNSUPPORTED };
				asides.push(post(http, endpoint, wire, { jsonrpc: "2.0", id: theirs, ...answer }));
			},
			onProgress(params) {
				if (idle !== undefined) {
					clearTimeout(idle);
					idle = setTimeout(giveUp, request.idleMs);
				}
				request.onProgress?.(params);
			},
		});
		const { method, params } = request;
		const call: OutboundCall = {
			...buildCall(endpoint, wire, { jsonrpc: "2.0", id, method, params: describe(params, wire, id) }),
			timeoutMs: request.timeoutMs,
			sink: {
				byLine: true,
				accepts: (status) => status >= 200 && status <= 299,
				async take(head, content) {
					await reader.read(head, content, () => {
						setTimeout(() => control.abort(new Error("answered")), LINGER_MS);
					});
				},
			},
		};
		const headers = { ...call.headers, ...buildMethodHeaders(wire, request), ...request.headers };
		const deadline = performance.now() + request.timeoutMs;
		send().then(fail, fail);

		/** Returns why there is no answer, once nothing more can come. */
		async function send(): Promise<Error> {
			try {
				const answer = await http({ ...call, headers }, control.signal);
				if (!reader.isTaken) return toStatusError(endpoint, wire, answer);
			} catch (error) {
				if (!mayResume(error)) throw error;
			}
			for (let resumed = 0; !isDone && resumed < MAX_RESUMED; resumed++) {
				const place = wire.isStateless ? null : reader.findPlace();
				const timeoutMs = deadline - performance.now() - (place?.waitMs ?? 0);
				if (place === null || timeoutMs <= 0) break;
				await sleep(place.waitMs, control.signal);
				reader.isTaken = false;
				try {
					await http({ ...buildResumption(call, place.lastId), timeoutMs }, control.signal);
					// The call was received, so a refusal must not look as if it was not.
					if (!reader.isTaken) break;
				} catch (error) {
					if (!mayResume(error)) throw error;
				}
			}
			return reader.toEndError();
		}

		/** The connection was lost, and not by us. */
		function mayResume(error: unknown): boolean {
			const isOurs = isDone || control.signal.aborted || error instanceof TerminalError;
			return !isOurs && !wire.isStateless && reader.findPlace() !== null && performance.now() < deadline;
		}
	});
}

/** Asks for the rest of a stream. */
function buildResumption({ body: _, headers, ...call }: OutboundCall, lastId: string): OutboundCall {
	const { "content-type": __, ...others } = headers ?? {};
	return { ...call, method: "GET", headers: { ...others, accept: EVENT_STREAM, "last-event-id": lastId } };
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
	signal.throwIfAborted();
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	const stop = () => reject(signal.reason);
	const timer = setTimeout(resolve, ms);
	signal.addEventListener("abort", stop);
	try {
		await promise;
	} finally {
		clearTimeout(timer);
		signal.removeEventListener("abort", stop);
	}
}

/** Sends a message that has no answer. Failures are ignored: what depends on it fails by itself. */
export function notify(
	http: Http,
	endpoint: Endpoint,
	wire: Wire,
	method: string,
	params?: JsonObject,
): Promise<void> {
	return post(http, endpoint, wire, { jsonrpc: "2.0", method, ...(params !== undefined && { params }) });
}

/** Tells the server that its session is over, if it has one. Failures are ignored: it ends by itself at some time. */
export async function endSession(http: Http, endpoint: Endpoint, wire: Wire): Promise<void> {
	if (wire.sessionId === null) return;
	const { body: _, ...call } = buildCall(endpoint, wire, {});
	const limits = { timeoutMs: ASIDE_TIMEOUT_MS, maxBytes: MAX_ERROR_BYTES };
	await http({ ...call, ...limits, method: "DELETE" }, AbortSignal.timeout(ASIDE_TIMEOUT_MS)).catch(() => {});
}

function cancel(http: Http, endpoint: Endpoint, wire: Wire, requestId: number): void {
	void notify(http, endpoint, wire, "notifications/cancelled", {
		requestId,
		reason: "the run was cancelled",
	});
}

async function post(http: Http, endpoint: Endpoint, wire: Wire, message: JsonObject): Promise<void> {
	const call = {
		...buildCall(endpoint, wire, message),
		timeoutMs: ASIDE_TIMEOUT_MS,
		maxBytes: MAX_ERROR_BYTES,
	};
	await http(call, AbortSignal.timeout(ASIDE_TIMEOUT_MS)).catch(() => {});
}

const UNSUPPORTED = { code: -32601, message: "this client supports no requests besides ping" };

function buildCall(endpoint: Endpoint, wire: Wire, message: JsonObject): OutboundCall {
	const { url, credential } = endpoint;
	return {
		method: "POST",
		url,
		headers: {
			accept: `application/json, ${EVENT_STREAM}`,
			"content-type": "application/json",
			...(wire.version !== null && { "mcp-protocol-version": wire.version }),
			...(wire.sessionId !== null && { "mcp-session-id": wire.sessionId }),
		},
		body: { kind: "text", text: JSON.stringify(message) },
		...(credential !== null && { credential }),
		// A redirect may lead to another path, and never to another host.
		hosts: [new URL(url).host],
		maxBytes: MAX_ERROR_BYTES,
	};
}

/** Intermediaries may read these instead of the body. */
function buildMethodHeaders({ isStateless }: Wire, { method, params }: Request): Record<string, string> {
	if (!isStateless) return {};
	return {
		"mcp-method": method,
		...(typeof params.name === "string" && { "mcp-name": params.name }),
	};
}

export const CLIENT_INFO = { name: "Tripline", version: "1" };

function describe(params: JsonObject, { isStateless, version }: Wire, id: number): JsonObject {
	const _meta: JsonObject = { progressToken: id };
	if (isStateless) {
		_meta["io.modelcontextprotocol/protocolVersion"] = version;
		_meta["io.modelcontextprotocol/clientInfo"] = CLIENT_INFO;
		_meta["io.modelcontextprotocol/clientCapabilities"] = {};
	}
	return { ...params, _meta };
}

type Answer = Extract<Message, { kind: "result" | "error" }>;

interface Reactions {
	onAnswer(message: Answer, head: OutboundHead): void;
	onRequest(request: Extract<Message, { kind: "request" }>): void;
	onProgress(params: JsonObject): void;
}

/** Reads the response to one request: a JSON document, or a stream of messages of which one is the answer. */
class AnswerReader {
	isTaken = false;
	readonly #id: number;
	readonly #endpoint: Endpoint;
	readonly #request: Request;
	readonly #reactions: Reactions;
	#requests = 0;
	#messages = 0;
	#bytes = 0;
	#lastId = "";
	#retryMs: number | null = null;
	#isAnswered = false;

	constructor(id: number, endpoint: Endpoint, request: Request, reactions: Reactions) {
		this.#id = id;
		this.#endpoint = endpoint;
		this.#request = request;
		this.#reactions = reactions;
	}

	async read(
		head: OutboundHead,
		content: AsyncIterable<Uint8Array>,
		onStreamAnswered: () => void,
	): Promise<void> {
		this.isTaken = true;
		const { maxCharacters } = this.#request;
		const type = (head.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
		if (type === EVENT_STREAM) {
			const stream = new EventStream(maxCharacters);
			for await (const chunk of content) {
				this.#bytes += chunk.length;
				if (this.#bytes > 2 * maxCharacters) throw this.#tooLarge();
				if (this.#isAnswered) continue;
				for (const data of this.#push(stream, chunk)) if (!this.#isAnswered) this.#use(data, head);
				if (stream.lastId !== "") this.#lastId = stream.lastId;
				this.#retryMs = stream.retryMs ?? this.#retryMs;
				if (this.#isAnswered) onStreamAnswered();
			}
			return;
		}
		if (type !== "application/json")
			throw this.#createError(
				`answers with ${quoteServerText(type || "no content type", 100)}, not with JSON or an event stream`,
			);
		const decoder = new TextDecoder();
		let text = "";
		for await (const chunk of content) {
			text += decoder.decode(chunk, { stream: true });
			if (text.length > maxCharacters) throw this.#tooLarge();
		}
		this.#use(text + decoder.decode(), head);
	}

	/** Where to go on, and when. Null if the server gave no place, or none that can be sent. */
	findPlace(): { readonly lastId: string; readonly waitMs: number } | null {
		if (!EVENT_ID.test(this.#lastId)) return null;
		return { lastId: this.#lastId, waitMs: Math.max(this.#retryMs ?? RESUME_MS, MIN_RESUME_MS) };
	}

	toEndError(): Error {
		return this.#createError("ended its response without an answer to the request");
	}

	#push(stream: EventStream, chunk: Uint8Array): string[] {
		try {
			return stream.push(chunk);
		} catch (error) {
			throw error instanceof RangeError ? this.#tooLarge() : error;
		}
	}

	#use(data: string, head: OutboundHead): void {
		for (const message of this.#parse(data)) {
			if (++this.#messages > MAX_MESSAGES) throw this.#createError("sends messages without end");
			switch (message.kind) {
				case "result":
				case "error":
					// An error about the request as a whole may have no id.
					if (message.id !== this.#id && !(message.kind === "error" && message.id === null)) break;
					this.#isAnswered = true;
					this.#reactions.onAnswer(message, head);
					return;
				case "request":
					if (++this.#requests > MAX_FOREIGN_REQUESTS)
						throw this.#createError("sends requests to its client without end");
					this.#reactions.onRequest(message);
					break;
				case "notification":
					this.#notice(message.method, message.params);
			}
		}
	}

	#notice(method: string, params: JsonObject): void {
		if (method === "notifications/tools/list_changed") this.#request.onToolsChanged?.();
		else if (method === "notifications/progress" && params.progressToken === this.#id)
			this.#reactions.onProgress(params);
	}

	#parse(text: string): Message[] {
		try {
			// An event without data is a sign of life.
			return text.trim() === "" ? [] : parseMessages(text);
		} catch {
			throw this.#createError("sends a message that is not JSON");
		}
	}

	#tooLarge(): Error {
		const mebibytes = this.#request.maxCharacters / 1024 / 1024;
		return this.#createError(`answers with more than ${mebibytes} MiB`);
	}

	#createError(problem: string): TerminalError {
		return new TerminalError(`the MCP server ${quote(this.#endpoint)} ${problem}`);
	}
}

const quote = ({ name }: Endpoint): string => JSON.stringify(name);

function toRefusal(
	endpoint: Endpoint,
	{ code, message, data }: { code: number; message: string; data: Json },
	status: number,
): Error {
	const said = quoteServerText(message);
	return new McpRefused(
		`the MCP server ${quote(endpoint)} refuses the request: ${said === "" ? `error ${code}` : said}`,
		code,
		status,
		data,
	);
}

function toStatusError(endpoint: Endpoint, wire: Wire, { status, headers, body }: OutboundAnswer): Error {
	const server = `the MCP server ${quote(endpoint)}`;
	const text = new TextDecoder().decode(body);
	const challenge = headers["www-authenticate"] ?? null;
	if (status === 401 || (status === 403 && challenge !== null)) {
		const hint = describeRefusal(endpoint, parseChallenge(challenge));
		return new McpUnauthorized(`${server} responds with status ${status}: ${hint}`, status, challenge);
	}
	// Many servers answer 400 for a session that they do not know.
	if (wire.sessionId !== null && (status === 404 || (status === 400 && /session/i.test(text))))
		return new McpSessionLost(`${server} has ended the session`);
	const refusal = findError(text);
	if (refusal !== null) return toRefusal(endpoint, refusal, status);
	const said = quoteServerText(text, 300);
	return new McpRefused(
		`${server} responds with status ${status}${said === "" ? "" : `: ${said}`}`,
		0,
		status,
	);
}

function describeRefusal({ name, credential }: Endpoint, challenge: Challenge | null): string {
	if (credential === null) return "it requires a credential";
	if (challenge?.error !== "insufficient_scope")
		return `it does not accept the credential ${JSON.stringify(credential)}`;
	const scope = quoteServerText(challenge.scope ?? "", 200);
	return `the sign-in of ${JSON.stringify(credential)} lacks rights${scope === "" ? "" : `, ${JSON.stringify(scope)}`}. POST /mcp-servers/${name}/sign-in with them as scope, or tripline mcp sign-in ${name} --scope, asks for more`;
}

function findError(
	text: string,
): { readonly code: number; readonly message: string; readonly data: Json } | null {
	try {
		return parseMessages(text).find((message) => message.kind === "error") ?? null;
	} catch {
		return null;
	}
}
