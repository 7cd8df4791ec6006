import { Failed, type Failure, failureStatus } from "@tripline/contract/failures";
import { randomToken } from "@tripline/contract/ids";
import type { Clock } from "@tripline/platform/clock";
import { errorFields, type Log } from "@tripline/platform/log";
import { SqlUnavailable } from "@tripline/platform/sql";
import { readJson } from "./body.ts";
import { operationalRoutes } from "./operational.ts";
import type { Call, Reply, Route } from "./route.ts";
import { createRouter } from "./router.ts";
import { queryOf, validate } from "./validate.ts";

export interface AppDeps<Caller> {
	readonly title: string;
	readonly version: string;
	readonly routes: readonly Route<Caller>[];
	/** Who calls; throws `Failed` when the route is not open and no credential fits. */
	authenticate(request: Request): Promise<Caller> | Caller;
	/** Whether requests can be served now. */
	ready(): Promise<boolean>;
	readonly clock: Clock;
	readonly log: Log;
	readonly maxBodyBytes: number;
}

export interface App {
	fetch(request: Request): Promise<Response>;
}

const JSON_TYPE = "application/json; charset=utf-8";
const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** A web-standard app from routes. Order of checks: route, method, credential, query, body. */
export function createApp<Caller>(deps: AppDeps<Caller>): App {
	const { clock, log } = deps;
	const routes = [...deps.routes, ...operationalRoutes<Caller>(deps)];
	const match = createRouter(routes);
	const nextRequestId = requestIds();

	return {
		async fetch(request) {
			const started = clock.now();
			const requestId = givenRequestId(request) ?? nextRequestId();
			const { path, search } = targetOf(request.url);
			let routePath = "none";
			let response: Response;
			try {
				const { route, params } = match(request.method, path);
				routePath = route.path;
				const caller = route.open ? undefined : deps.authenticate(request);
				const call: Call<unknown, unknown, unknown, unknown> = {
					// Every turn through the queue of promises counts on the shortest requests.
					caller: caller instanceof Promise ? await caller : caller,
					params: route.params && validate(route.params, params),
					query: route.query && validate(route.query, queryOf(search)),
					body: route.body && validate(route.body, await readJson(request, deps.maxBodyBytes)),
					request,
					requestId,
				};
				response = toResponse(await route.handle(call as Call<Caller, never, never, never>), requestId);
			} catch (error) {
				response = failureResponse(failureOf(error, requestId), requestId);
			}
			log("info", "request", {
				request_id: requestId,
				method: request.method,
				// The pattern, not the path: a path may carry a token.
				route: routePath,
				status: response.status,
				duration_ms: clock.now() - started,
			});
			return request.method === "HEAD" ? new Response(null, response) : response;
		},
	};

	function failureOf(error: unknown, requestId: string): Failure | null {
		if (error instanceof Failed) return error.failure;
		log("error", "request failed", { request_id: requestId, ...errorFields(error) });
		if (error instanceof SqlUnavailable) {
			return {
				kind: "unavailable",
				message: "the database cannot answer now, try again",
				retryAfterSeconds: 1,
			};
		}
		return null;
	}
}

function givenRequestId(request: Request): string | null {
	const given = request.headers.get("x-request-id");
	return given !== null && REQUEST_ID.test(given) ? given : null;
}

/** Unlike any other process's, and one after the other within this one. */
function requestIds(): () => string {
	let prefix = "";
	let count = 0;
	return () => {
		// Not before the first request: Workers give no random numbers until then.
		if (prefix === "") prefix = randomToken(9);
		return `${prefix}-${(++count).toString(36)}`;
	};
}

/** Path and query of an absolute URL, without the cost of parsing the rest. */
function targetOf(url: string): { path: string; search: string } {
	const pathStart = url.indexOf("/", url.indexOf("://") + 3);
	const hash = url.indexOf("#", pathStart);
	const end = hash === -1 ? url.length : hash;
	const question = url.indexOf("?", pathStart);
	if (question === -1 || question > end) return { path: url.slice(pathStart, end), search: "" };
	return { path: url.slice(pathStart, question), search: url.slice(question + 1, end) };
}

function toResponse(result: Reply | Response, requestId: string): Response {
	if (result instanceof Response) {
		// The headers of a redirect or of a fetched answer cannot be changed.
		const copy = new Response(result.body, result);
		copy.headers.set("x-request-id", requestId);
		return copy;
	}
	if (result.body === undefined) {
		return new Response(null, {
			status: result.status,
			headers: { "x-request-id": requestId, ...result.headers },
		});
	}
	return new Response(JSON.stringify(result.body), {
		status: result.status,
		headers: { "content-type": JSON_TYPE, "x-request-id": requestId, ...result.headers },
	});
}

function failureResponse(failure: Failure | null, requestId: string): Response {
	if (failure === null) return toResponse({ status: 500, body: { error: "internal error" } }, requestId);
	return toResponse(
		{
			status: failureStatus(failure),
			body: {
				error: failure.message,
				...(failure.kind === "invalid" ? { issues: failure.issues } : {}),
			},
			headers: failureHeaders(failure),
		},
		requestId,
	);
}

function failureHeaders(failure: Failure): Record<string, string> {
	switch (failure.kind) {
		case "unauthorized":
			return { "www-authenticate": "Bearer" };
		case "method_not_allowed":
			return { allow: failure.allow };
		case "unavailable":
			return { "retry-after": String(failure.retryAfterSeconds) };
		default:
			return {};
	}
}
