import { Failed, type Failure, toFailureStatus } from "@tripline/contract/failures";
import { randomToken } from "@tripline/contract/ids";
import type { Clock } from "@tripline/platform/clock";
import { type Log, toErrorFields } from "@tripline/platform/log";
import { SqlDamaged, SqlUnavailable } from "@tripline/platform/sql";
import { readMethod, setStatus } from "@tripline/platform/traced";
import type { Span, Tracing } from "@tripline/platform/tracing";
import { readJson } from "./body.ts";
import { beginHandling, endHandling } from "./handling.ts";
import {
	type Incoming,
	type Outgoing,
	parseTarget,
	responseToOutgoing,
	toIncoming,
	toResponse,
} from "./http-message.ts";
import type { Credentials } from "./openapi.ts";
import { createOperationalRoutes } from "./operational.ts";
import type { CountRequest } from "./request-metrics.ts";
import type { Call, Reply, Route, RouteDescription } from "./route.ts";
import { createRouter } from "./router.ts";
import { parseQuery, validate } from "./validate.ts";

export interface AppDeps<Caller> {
	readonly title: string;
	readonly version: string;
	readonly routes: readonly Route<Caller>[];
	/** Identifies the caller; throws `Failed` if no credential is valid. Not called for open routes. */
	authenticate(request: Incoming): Promise<Caller> | Caller;
	/** Whether requests can be served now. */
	ready(): Promise<boolean>;
	readonly clock: Clock;
	readonly log: Log;
	readonly maxBodyBytes: number;
	/** Null or omitted: requests are not traced. */
	readonly tracing?: Tracing | null | undefined;
	/** False: only traces of callers are continued, because requests are parts of larger ones. */
	readonly beginsTraces?: boolean;
	/** Maps an error of a dependency to a failure for the caller; null if the error is unexpected. */
	toFailure?(error: unknown): Failure | null;
	/** The authentication schemes in the OpenAPI document; a bearer token by default. */
	readonly credentials?: Credentials;
	/** The routes in the OpenAPI document; the app's own routes by default. */
	readonly describes?: readonly RouteDescription[];
	/** Counts requests from outside of the process. Omitted: nobody does. */
	readonly countRequest?: CountRequest | undefined;
}

/** The same app in two forms: web-standard, and lighter for a listener or a caller in the same process. */
export interface App {
	fetch(request: Request): Promise<Response>;
	/** HEAD is answered like GET: the listener must drop the body. */
	answer(request: Incoming): Promise<Outgoing>;
	/** Used to mount the app together with others. */
	readonly about: Pick<AppDeps<unknown>, "title" | "version" | "ready" | "credentials"> & {
		readonly routes: readonly RouteDescription[];
	};
}

const JSON_TYPE = "application/json; charset=utf-8";
const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Adapts an app's `answer` to web-standard requests and responses. */
export const toFetch =
	(answer: App["answer"], getAddress: (request: Request) => string | undefined = () => undefined) =>
	async (request: Request): Promise<Response> => {
		const outgoing = await answer(toIncoming(request, { address: getAddress(request) }));
		return toResponse(request.method === "HEAD" ? { ...outgoing, body: null } : outgoing);
	};

/** The client's address as the platform reports it; on Workers a caller cannot forge it. */
export const readWorkersAddress = ({ headers }: Request): string | undefined =>
	headers.get("cf-connecting-ip") ?? undefined;

/** Creates an app from routes. Order of checks: route, method, credential, path, query, body. */
export function createApp<Caller>(deps: AppDeps<Caller>): App {
	const { clock, log, title, version, ready, credentials, describes = deps.routes } = deps;
	const { countRequest, tracing = null, beginsTraces = true } = deps;
	const described = { title, version, ready, ...(credentials && { credentials }) };
	const routes = [...deps.routes, ...createOperationalRoutes<Caller>({ ...described, describes })];
	const match = createRouter(routes);
	const nextRequestId = createRequestIds();

	return { answer, fetch: toFetch(answer), about: { ...described, routes: deps.routes } };

	function answer(request: Incoming): Promise<Outgoing> {
		return tracing === null ? handle(request, null) : handleTraced(tracing, request);
	}

	function handleTraced(traces: Tracing, request: Incoming): Promise<Outgoing> {
		const span = request.isInternal
			? traces.startInternalRequest(request.headers)
			: traces.startRequest(request.headers, beginsTraces);
		return span === null ? handle(request, null) : traces.within(span, () => handle(request, span));
	}

	async function handle(request: Incoming, span: Span | null): Promise<Outgoing> {
		const started = clock.now();
		const requestId = readRequestId(request) ?? nextRequestId();
		const { path, search } = parseTarget(request.url);
		let matched: Route<Caller> | null = null;
		let outgoing: Outgoing;
		let handling = 0;
		try {
			const { route, params } = match(request.method, path);
			matched = route;
			if (!request.isInternal) handling = beginHandling(route.path, started);
			const caller = route.open ? undefined : deps.authenticate(request);
			const call: Call<unknown, unknown, unknown, unknown> = {
				// Awaiting only promises saves a microtask, which is measurable on short requests.
				caller: caller instanceof Promise ? await caller : caller,
				params: route.params && validate(route.params, params),
				query: route.query && validate(route.query, parseQuery(search)),
				body: route.body && validate(route.body, await readJson(request, deps.maxBodyBytes, route.body)),
				request,
				requestId,
			};
			const handled = route.handle(call as Call<Caller, never, never, never>);
			outgoing = toOutgoing(handled instanceof Promise ? await handled : handled, requestId);
		} catch (error) {
			outgoing = toFailureOutgoing(toFailure(error, requestId), requestId);
			if (error instanceof Failed && error.headers !== undefined)
				outgoing = { ...outgoing, headers: { ...outgoing.headers, ...error.headers } };
		}
		if (request.method === "HEAD" && outgoing.body instanceof ReadableStream)
			outgoing = { ...outgoing, body: dropStream(outgoing.body) };
		if (handling !== 0) endHandling(handling);
		const duration = clock.now() - started;
		if (countRequest !== undefined && !request.isInternal) countRequest(matched, outgoing.status, duration);
		if (span?.isRecorded) endRequest(span, request, matched?.path ?? "none", outgoing.status);
		log(request.isInternal ? "debug" : "info", "request", {
			request_id: requestId,
			method: request.method,
			// The pattern, not the path: a path may carry a token.
			route: matched?.path ?? "none",
			status: outgoing.status,
			duration_ms: duration,
		});
		return outgoing;
	}

	function endRequest(span: Span, { method, url }: Incoming, route: string, status: number): void {
		const known = readMethod(method);
		span.name = route === "none" ? known : `${known} ${route}`;
		span.set("http.request.method", known);
		if (route !== "none") span.set("http.route", route);
		span.set("url.scheme", url.startsWith("https:") ? "https" : "http");
		setStatus(span, status, 500);
		tracing?.end(span);
	}

	function toFailure(error: unknown, requestId: string): Failure | null {
		if (error instanceof Failed) return error.failure;
		const known = deps.toFailure?.(error) ?? null;
		if (known !== null) return known;
		// The code that opened the database has already logged this once.
		if (error instanceof SqlDamaged) return DAMAGED;
		log("error", "request failed", { request_id: requestId, ...toErrorFields(error) });
		if (error instanceof SqlUnavailable) {
			return {
				kind: "unavailable",
				message: "the database is unavailable, try again",
				retryAfterSeconds: 1,
			};
		}
		return null;
	}
}

/** Frees what the stream holds. The headers may still have its length. */
function dropStream(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
	stream.cancel().catch(() => {});
	return new ReadableStream({ start: (controller) => controller.close() });
}

const DAMAGED: Failure = {
	kind: "unavailable",
	message: "the database is damaged: restore it from a backup",
	retryAfterSeconds: 60,
};

/** Turns a failure into a response where there is no app to do so. */
export function toFailureResponse(request: Request, failure: Failure): Response {
	const requestId = readRequestId(request) ?? randomToken(9);
	const outgoing = toFailureOutgoing(failure, requestId);
	return toResponse(request.method === "HEAD" ? { ...outgoing, body: null } : outgoing);
}

function readRequestId(request: Pick<Incoming, "headers">): string | null {
	const given = request.headers.get("x-request-id");
	return given !== null && REQUEST_ID.test(given) ? given : null;
}

/** Request ids with a prefix that is unique per process and a counter. */
function createRequestIds(): () => string {
	let prefix = "";
	let count = 0;
	return () => {
		// Created on the first request: Workers provide no random numbers before that.
		if (prefix === "") prefix = randomToken(9);
		return `${prefix}-${(++count).toString(36)}`;
	};
}

function toOutgoing(result: Reply | Response, requestId: string): Outgoing {
	if (result instanceof Response) {
		const { status, headers, body } = responseToOutgoing(result);
		return { status, headers: { ...headers, "x-request-id": requestId }, body };
	}
	const { status, body, text, stream, headers } = result;
	if (stream !== undefined)
		return { status, headers: { ...headers, "x-request-id": requestId }, body: stream };
	if (text !== undefined) return { status, headers: { ...headers, "x-request-id": requestId }, body: text };
	if (body === undefined) return { status, headers: { "x-request-id": requestId, ...headers }, body: null };
	const common = { "content-type": JSON_TYPE, "x-request-id": requestId };
	return {
		status,
		headers: headers === undefined ? common : { ...common, ...headers },
		body: JSON.stringify(body),
	};
}

function toFailureOutgoing(failure: Failure | null, requestId: string): Outgoing {
	if (failure === null) return toOutgoing({ status: 500, body: { error: "internal error" } }, requestId);
	return toOutgoing(
		{
			status: toFailureStatus(failure),
			body: { error: failure.message, ...getFailureDetails(failure) },
			headers: getFailureHeaders(failure),
		},
		requestId,
	);
}

function getFailureDetails(failure: Failure): object {
	switch (failure.kind) {
		case "invalid":
			return { issues: failure.issues };
		case "precondition_failed":
			return { current_version: failure.currentVersion };
		case "uncompilable":
			return { diagnostics: failure.diagnostics };
		case "missing_components":
			return { missing: failure.missing, components: failure.components };
		default:
			return {};
	}
}

function getFailureHeaders(failure: Failure): Record<string, string> {
	switch (failure.kind) {
		case "unauthorized":
			return failure.challenge === "" ? {} : { "www-authenticate": failure.challenge ?? "Bearer" };
		case "precondition_failed":
			return failure.currentVersion === null ? {} : { etag: `"${failure.currentVersion}"` };
		case "method_not_allowed":
			return { allow: failure.allow };
		case "unavailable":
		case "too_many":
			return { "retry-after": String(failure.retryAfterSeconds) };
		case "conflict":
			return failure.retryAfterSeconds === undefined
				? {}
				: { "retry-after": String(failure.retryAfterSeconds) };
		default:
			return {};
	}
}
