import assert from "node:assert/strict";
import { test } from "node:test";
import { Failed } from "@tripline/contract/failures";
import { jsonLog } from "@tripline/platform/log";
import { SqlUnavailable } from "@tripline/platform/sql";
import fc from "fast-check";
import * as z from "zod";
import { anyCharacter, anyPath } from "../../../test/any-character.ts";
import { createApp } from "../src/app.ts";
import { type Call, type Method, type Route, reply, route } from "../src/route.ts";
import { createRouter } from "../src/router.ts";

const TOKEN = "Bearer token-of-a-caller";
const MAX_BODY_BYTES = 1000;
const STARTED = 1_700_000_000_000;
const MADE_ID = /^[A-Za-z0-9_-]{12}-[0-9a-z]+$/;

interface Caller {
	readonly name: string;
}
type Handle = Route<Caller>["handle"];

/** An app with these routes, its log, and how often it authenticated a caller. */
function createTestApp(routes: readonly Route<Caller>[], ready = async () => true) {
	const lines: string[] = [];
	let [asked, ticks] = [0, 0];
	/** Advances by a millisecond on each read. */
	const clock = { now: () => STARTED + ticks++ };
	const app = createApp<Caller>({
		title: "Service",
		version: "1.2.3",
		routes,
		authenticate(request) {
			asked += 1;
			if (request.headers.get("authorization") === TOKEN) return { name: "caller" };
			throw new Failed({ kind: "unauthorized", message: "who are you" });
		},
		ready,
		clock,
		log: jsonLog({ level: "debug", clock, write: (line) => lines.push(line) }),
		maxBodyBytes: MAX_BODY_BYTES,
	});
	return {
		lines,
		timesAsked: () => asked,
		logged: (): Record<string, unknown>[] => lines.map((line) => JSON.parse(line)),
		send: (request: Request) => app.fetch(request),
		call: (method: string, path: string, init: RequestInit = {}) =>
			app.fetch(new Request(`http://service${path}`, { method, ...init })),
	};
}

const open = (method: Method, path: string, handle: Handle = () => reply(200, { path })): Route<Caller> =>
	route({ method, path, tag: "Things", summary: "A thing", open: true, responses: {}, handle });

const createBodyRoute = (body: z.ZodType): Route<Caller> =>
	route({
		method: "POST",
		path: "/things",
		tag: "Things",
		summary: "A thing",
		open: true,
		body,
		responses: {},
		handle: (call: Call<Caller, undefined, undefined, unknown>) => reply(200, { took: call.body }),
	});

const createFailingRoute = (error: () => unknown): Route<Caller> =>
	route({
		method: "POST",
		path: "/things/{id}",
		tag: "Things",
		summary: "A thing",
		body: z.unknown(),
		responses: {},
		handle() {
			throw error();
		},
	});

const catchError = (action: () => unknown): unknown => {
	try {
		action();
		return undefined;
	} catch (error) {
		return error;
	}
};

const toStreamInit = (...chunks: readonly Uint8Array[]): RequestInit => ({
	body: ReadableStream.from(chunks),
	duplex: "half",
});

const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A JSON text with the given number of bytes. */
const buildJsonOfSize = (size: number): string => JSON.stringify("x".repeat(size - 2));

test("checks route, method, credential, path, query and body in this order", async () => {
	const app = createTestApp([
		route({
			method: "PUT",
			path: "/things/{id}",
			tag: "Things",
			summary: "A thing",
			params: z.object({ id: z.string().regex(/^\d+$/).transform(Number) }),
			query: z.strictObject({ mode: z.enum(["fast", "slow"]) }),
			body: z.strictObject({ size: z.int() }),
			responses: {},
			handle: ({ caller, params, query, body }) => reply(201, { caller, params, query, body }),
		}),
	]);
	const wrong: RequestInit = { body: "{" };
	const known: RequestInit = { ...wrong, headers: { authorization: TOKEN } };

	const unknownPath = await app.call("POST", "/nothing/x?mode=no", wrong);
	assert.equal(unknownPath.status, 404);
	assert.deepEqual(await unknownPath.json(), { error: "not found" });

	const unknownMethod = await app.call("POST", "/things/x?mode=no", wrong);
	assert.equal(unknownMethod.status, 405);
	assert.equal(unknownMethod.headers.get("allow"), "PUT");
	assert.deepEqual(await unknownMethod.json(), { error: "method not allowed" });
	assert.equal(app.timesAsked(), 0);

	const unknownCaller = await app.call("PUT", "/things/x?mode=no", wrong);
	assert.equal(unknownCaller.status, 401);
	assert.equal(unknownCaller.headers.get("www-authenticate"), "Bearer");
	assert.deepEqual(await unknownCaller.json(), { error: "who are you" });

	const listIssues = async (path: string, init: RequestInit): Promise<string[]> => {
		const response = await app.call("PUT", path, init);
		assert.equal(response.status, 422);
		const { issues } = (await response.json()) as { issues: { path: string }[] };
		return issues.map((issue) => issue.path);
	};
	assert.deepEqual(await listIssues("/things/x?mode=no", known), ["id"]);
	assert.deepEqual(await listIssues("/things/7?mode=no", known), ["mode"]);
	assert.equal((await app.call("PUT", "/things/7?mode=fast", known)).status, 400);
	assert.deepEqual(await listIssues("/things/7?mode=fast", { ...known, body: '{"size":1.5}' }), ["size"]);

	const right = await app.call("PUT", "/things/7?mode=fast", { ...known, body: '{"size":2}' });
	assert.equal(right.status, 201);
	assert.equal(right.headers.get("content-type"), "application/json; charset=utf-8");
	assert.deepEqual(await right.json(), {
		caller: { name: "caller" },
		params: { id: 7 },
		query: { mode: "fast" },
		body: { size: 2 },
	});
});

test("does not read the body of a request that fails earlier", async () => {
	const app = createTestApp([createFailingRoute(() => new Error("not reached"))]);
	for (const [path, status] of [
		["/nothing", 404],
		["/things/7", 401],
	] as const) {
		const request = new Request(`http://service${path}`, { method: "POST", body: "{}" });
		assert.equal((await app.send(request)).status, status);
		assert.equal(request.bodyUsed, false);
	}
});

test("an open route needs no credential", async () => {
	const app = createTestApp([open("GET", "/things", ({ caller }) => reply(200, { caller: caller ?? null }))]);
	const response = await app.call("GET", "/things", { headers: { authorization: "Bearer wrong" } });
	assert.deepEqual(await response.json(), { caller: null });
	assert.equal(app.timesAsked(), 0);
});

test("Allow lists every method of a resource, and HEAD with GET", async () => {
	const app = createTestApp([
		open("GET", "/things/{id}"),
		open("DELETE", "/things/{key}"),
		open("PUT", "/other"),
	]);
	const both = await app.call("PATCH", "/things/7");
	assert.equal(both.status, 405);
	assert.equal(both.headers.get("allow"), "GET, HEAD, DELETE");
	assert.equal((await app.call("OPTIONS", "/things/7")).status, 405);
	const head = await app.call("HEAD", "/other");
	assert.equal(head.status, 405);
	assert.equal(head.headers.get("allow"), "PUT");
	assert.equal(head.body, null);
});

test("answers HEAD like GET, without the body", async () => {
	let handled = 0;
	const app = createTestApp([
		open("GET", "/things", () => {
			handled += 1;
			return { status: 203, body: { size: 1 }, headers: { "x-size": "1" } };
		}),
		open("GET", "/page", () => new Response("text", { headers: { "content-type": "text/plain" } })),
	]);
	for (const path of ["/things", "/page", "/nothing"]) {
		const headers = { "x-request-id": "one" };
		const get = await app.call("GET", path, { headers });
		const head = await app.call("HEAD", path, { headers });
		assert.equal(head.status, get.status);
		assert.deepEqual([...head.headers], [...get.headers]);
		assert.equal(head.body, null);
		assert.notEqual(await get.text(), "");
	}
	assert.equal(handled, 2);
	assert.deepEqual(
		app.logged().map((line) => line.method),
		["GET", "HEAD", "GET", "HEAD", "GET", "HEAD"],
	);
});

test("a path matches a route only in its exact spelling", async () => {
	const app = createTestApp([
		open("GET", "/things"),
		open("GET", "/things/special"),
		open("GET", "/things/{id}/parts"),
	]);
	for (const path of [
		"/",
		"/Things",
		"/things/",
		"//things",
		"/things%2Fspecial",
		"/%74hings",
		"/things//parts",
		"/things/1/parts/",
		"/things/1/2/parts",
	]) {
		assert.equal((await app.call("GET", path)).status, 404, path);
	}
	assert.equal((await app.call("GET", "/things?x=/special#y")).status, 200);
});

test("a parameter is one decoded segment, and fixed paths take precedence", async () => {
	const app = createTestApp([
		route({
			method: "GET",
			path: "/things/{id}",
			tag: "Things",
			summary: "A thing",
			open: true,
			params: z.object({ id: z.string() }),
			responses: {},
			handle: ({ params }) => reply(200, params),
		}),
		open("GET", "/things/special"),
	]);
	const readId = async (path: string) => (await app.call("GET", path)).json();
	assert.deepEqual(await readId("/things/a%2Fb%20%C3%A9"), { id: "a/b é" });
	assert.deepEqual(await readId("/things/__proto__"), { id: "__proto__" });
	assert.deepEqual(await readId("/things/special"), { path: "/things/special" });
	for (const path of ["/things/%zz", "/things/%", "/things/%ff"]) {
		assert.equal((await app.call("GET", path)).status, 400, path);
	}
});

test("rejects two routes for the same method and path", () => {
	assert.throws(
		() => createTestApp([open("GET", "/a/{id}"), open("GET", "/a/{key}")]),
		/two routes for GET \/a\/{key}/,
	);
	assert.throws(() => createTestApp([open("GET", "/healthz")]), /two routes for GET \/healthz/);
});

test("a repeated query parameter becomes a list, and no name is special", async () => {
	const app = createTestApp([
		route({
			method: "GET",
			path: "/things",
			tag: "Things",
			summary: "A thing",
			open: true,
			query: z.record(z.string(), z.unknown()),
			responses: {},
			handle: ({ query }) => reply(200, Object.entries(query)),
		}),
	]);
	const readEntries = async (search: string) => (await app.call("GET", `/things${search}`)).json();
	assert.deepEqual(await readEntries(""), []);
	assert.deepEqual(await readEntries("?a=1&b=&a=%26&a=3"), [
		["a", ["1", "&", "3"]],
		["b", ""],
	]);
	assert.deepEqual(await readEntries("?constructor=1&toString=2"), [
		["constructor", "1"],
		["toString", "2"],
	]);
	assert.equal((await app.call("GET", "/things?__proto__=1")).status, 200);
	assert.equal((await app.call("GET", "/things?a=%zz")).status, 400);
	assert.equal((await app.call("GET", "/things?%ff=a")).status, 400);
});

test("lists all problems of a body; for a union, those of the intended branch", async () => {
	const Shape = z.discriminatedUnion("kind", [
		z.strictObject({ kind: z.literal("dot") }),
		z.strictObject({ kind: z.literal("line"), length: z.number() }),
	]);
	const app = createTestApp([
		createBodyRoute(
			z.strictObject({
				name: z.string(),
				shapes: z.array(Shape),
				size: z.union([z.string(), z.strictObject({ width: z.int() })]),
			}),
		),
	]);
	const response = await app.call("POST", "/things", {
		body: JSON.stringify({
			shapes: [{ kind: "dot" }, { kind: "line" }],
			size: { width: "a" },
			one: 1,
			two: 2,
		}),
	});
	assert.equal(response.status, 422);
	const { error, issues } = (await response.json()) as { error: string; issues: { path: string }[] };
	assert.equal(error, "invalid request");
	assert.deepEqual(issues.map((issue) => issue.path).sort(), [
		"name",
		"one",
		"shapes.1.length",
		"size.width",
		"two",
	]);
});

test("accepts a body up to the limit, with and without Content-Length", async () => {
	const app = createTestApp([createBodyRoute(z.string())]);
	const sizes = [
		[MAX_BODY_BYTES, 200],
		[MAX_BODY_BYTES + 1, 413],
	] as const;
	for (const [size, status] of sizes) {
		const text = buildJsonOfSize(size);
		const told = await app.call("POST", "/things", {
			body: text,
			headers: { "content-length": String(size) },
		});
		assert.equal(told.status, status);
		const [first, rest] = [encodeText(text).subarray(0, 600), encodeText(text).subarray(600)];
		const untold = await app.call("POST", "/things", toStreamInit(first, rest));
		assert.equal(untold.status, status);
		assert.deepEqual(
			await untold.json(),
			status === 200 ? { took: JSON.parse(text) } : { error: "the body is larger than 1000 bytes" },
		);
	}
});

test("stops reading an endless body", async () => {
	const app = createTestApp([createBodyRoute(z.string())]);
	let [sent, isCancelled] = [0, false];
	const body = new ReadableStream<Uint8Array>({
		pull(controller) {
			sent += 2 ** 20;
			controller.enqueue(new Uint8Array(2 ** 20));
		},
		cancel() {
			isCancelled = true;
		},
	});
	assert.equal((await app.call("POST", "/things", { body, duplex: "half" })).status, 413);
	assert.equal(isCancelled, true);
	assert.ok(sent < 16 * 2 ** 20, String(sent));
});

test("a body must be JSON in UTF-8 that every database can store", async () => {
	const app = createTestApp([createBodyRoute(z.json())]);
	const createNested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
	const getStatus = async (init: RequestInit) => (await app.call("POST", "/things", init)).status;
	for (const body of ["null", "0", '"\\ud83d\\ude00"', ' {"a": [1, {"b": "é"}]} ', createNested(64)]) {
		assert.equal(await getStatus({ body }), 200, body);
	}
	for (const body of [
		"",
		"{",
		"{'a':1}",
		"NaN",
		"[1,]",
		createNested(65),
		'"\\u0000"',
		'{"\\ud800":1}',
		'["\\udc00"]',
	]) {
		assert.equal(await getStatus({ body }), 400, body);
	}
	assert.equal(await getStatus({}), 400);
	assert.equal(await getStatus({ body: new Uint8Array([0x22, 0xff, 0x22]) }), 400);
	const [head, tail] = [encodeText('"é"').subarray(0, 2), encodeText('"é"').subarray(2)];
	assert.equal(await getStatus(toStreamInit(head, tail)), 200);
	const broken = new ReadableStream({ start: (controller) => controller.error(new Error("hung up")) });
	assert.equal(await getStatus({ body: broken, duplex: "half" }), 400);
	assert.ok(app.logged().every((line) => line.level === "info"));
});

test("a request may omit the body only if the schema is optional", async () => {
	const Thing = z.strictObject({ name: z.string().optional() });
	const sent: readonly [RequestInit, number][] = [
		[{}, 200],
		[{ body: "" }, 200],
		[toStreamInit(), 200],
		[{ body: "{}" }, 200],
		[{ body: " " }, 400],
		[{ body: "null" }, 422],
	];
	const [optional, needed] = [
		createTestApp([createBodyRoute(Thing.optional())]),
		createTestApp([createBodyRoute(Thing)]),
	];
	for (const [init, status] of sent)
		assert.equal((await optional.call("POST", "/things", init)).status, status);
	for (const init of [{}, { body: "" }]) {
		assert.deepEqual(await (await optional.call("POST", "/things", init)).json(), {});
		assert.equal((await needed.call("POST", "/things", init)).status, 400);
	}
});

test("an unexpected error is a 500 without details; the log has them, but not the request's data", async () => {
	const secret = "hunter2";
	for (const thrown of [new TypeError("boom"), secret, { secret }]) {
		const app = createTestApp([createFailingRoute(() => thrown)]);
		const response = await app.call("POST", `/things/${secret}?q=${secret}`, {
			body: JSON.stringify({ secret }),
			headers: { authorization: TOKEN, "x-request-id": "request-1", "x-secret": secret },
		});
		assert.equal(response.status, 500);
		assert.equal(response.headers.get("x-request-id"), "request-1");
		assert.deepEqual(await response.json(), { error: "internal error" });
		const [failure, line] = app.logged();
		assert.equal(failure?.level, "error");
		assert.equal(failure?.request_id, "request-1");
		if (thrown instanceof Error) assert.equal(failure?.error, "TypeError: boom");
		assert.equal(line?.status, 500);
		assert.equal(app.lines.length, 2);
		assert.doesNotMatch(app.lines.join(""), new RegExp(`${secret}|token-of-a-caller`));
	}
});

test("an unavailable database is a 503, and the log says why", async () => {
	const app = createTestApp([createFailingRoute(() => new SqlUnavailable("disk full"))]);
	const response = await app.call("POST", "/things/7", { body: "1", headers: { authorization: TOKEN } });
	assert.equal(response.status, 503);
	assert.equal(response.headers.get("retry-after"), "1");
	assert.deepEqual(await response.json(), { error: "the database is unavailable, try again" });
	assert.equal(app.logged()[0]?.error, "SqlUnavailable: disk full");
});

test("a failure has the status of its kind and is not logged as an error", async () => {
	for (const [kind, status] of [
		["bad_request", 400],
		["forbidden", 403],
		["not_found", 404],
		["conflict", 409],
	] as const) {
		const app = createTestApp([createFailingRoute(() => new Failed({ kind, message: "for a reason" }))]);
		const response = await app.call("POST", "/things/7", { body: "1", headers: { authorization: TOKEN } });
		assert.equal(response.status, status);
		assert.deepEqual(await response.json(), { error: "for a reason" });
		assert.deepEqual(
			app.logged().map((line) => line.level),
			["info"],
		);
	}
});

test("keeps a valid request id and replaces an invalid one", async () => {
	const app = createTestApp([
		open("GET", "/things", ({ requestId }) => reply(200, { requestId })),
		open("GET", "/page", () => new Response("text")),
	]);
	const getRequestId = async (headers: Record<string, string>) => {
		const response = await app.call("GET", "/things", { headers });
		const id = response.headers.get("x-request-id") ?? "";
		assert.deepEqual(await response.json(), { requestId: id });
		assert.equal(app.logged().at(-1)?.request_id, id);
		return id;
	};
	for (const given of ["a", "A-1._:z", "x".repeat(128)]) {
		assert.equal(await getRequestId({ "x-request-id": given }), given);
	}
	for (const given of ["", "a b", "é", "<x>", '"', "x".repeat(129)]) {
		assert.match(await getRequestId({ "x-request-id": given }), MADE_ID);
	}
	const [first, second] = [await getRequestId({}), await getRequestId({})];
	assert.notEqual(first, second);
	assert.match(first, MADE_ID);

	const headers = { "x-request-id": "one" };
	for (const path of ["/page", "/nothing", "/docs"]) {
		assert.equal((await app.call("GET", path, { headers })).headers.get("x-request-id"), "one", path);
	}
});

test("logs one line per request, with the route instead of the path", async () => {
	const app = createTestApp([open("GET", "/things/{id}")]);
	await app.call("GET", "/things/secret-id?key=secret-key", { headers: { "x-request-id": "one" } });
	await app.call("GET", "/secret-path", { headers: { "x-request-id": "two" } });
	const shared = { level: "info", message: "request", method: "GET", duration_ms: 1 };
	assert.deepEqual(
		app.logged().map(({ time: _, ...line }) => line),
		[
			{ ...shared, request_id: "one", route: "/things/{id}", status: 200 },
			{ ...shared, request_id: "two", route: "none", status: 404 },
		],
	);
});

test("health checks and API description are open, and readiness reports failures", async () => {
	const getStatus = async (path: string, ready?: () => Promise<boolean>) =>
		(await createTestApp([open("GET", "/things/{id}")], ready).call("GET", path)).status;
	for (const path of ["/healthz", "/readyz", "/openapi.json", "/docs"])
		assert.equal(await getStatus(path), 200, path);
	const rejects = () => Promise.reject(new Error("no database"));
	for (const ready of [async () => false, rejects]) {
		assert.equal(await getStatus("/readyz", ready), 503);
		assert.equal(await getStatus("/healthz", ready), 200);
	}
	const app = createTestApp([open("GET", "/things/{id}")]);
	const document = (await (await app.call("GET", "/openapi.json")).json()) as { paths: object };
	assert.deepEqual(Object.keys(document.paths), [
		"/things/{id}",
		"/healthz",
		"/readyz",
		"/openapi.json",
		"/docs",
	]);
	assert.match(await (await app.call("GET", "/docs")).text(), /^<!doctype html>/);
});

test("any path and method match an exact route or fail as expected", () => {
	const routes = [
		open("GET", "/things"),
		open("GET", "/things/{id}"),
		open("PUT", "/things/{id}"),
		open("POST", "/things/{id}/parts/{part}"),
		open("DELETE", "/{any}/special"),
	];
	const match = createRouter(routes);
	const segment = fc.oneof(
		fc.constantFrom(
			"",
			"things",
			"parts",
			"special",
			"..",
			"%",
			"%zz",
			"%2F",
			"%00",
			"%ff",
			"{id}",
			"__proto__",
		),
		fc.string({ unit: anyCharacter, maxLength: 4 }),
	);
	const path = fc.oneof(
		fc.array(segment, { maxLength: 6 }).map((segments) => `/${segments.join("/")}`),
		anyPath,
		fc.string({ unit: anyCharacter }),
	);
	const method = fc.oneof(
		fc.constantFrom("GET", "HEAD", "PUT", "POST", "DELETE", "get", "__proto__"),
		fc.string(),
	);
	fc.assert(
		fc.property(path, method, (path, method) => {
			const failure = catchError(() => {
				const found = match(method, path);
				assert.equal(found.route.method, method === "HEAD" ? "GET" : method);
				const filled = found.route.path
					.split("/")
					.map((part, index) => (part.startsWith("{") ? path.split("/")[index] : part));
				assert.equal(filled.join("/"), path);
			});
			if (failure === undefined) return;
			assert.ok(failure instanceof Failed, String(failure));
			assert.ok(["not_found", "method_not_allowed", "bad_request"].includes(failure.failure.kind));
		}),
		{ numRuns: 2000 },
	);
});

test("any bytes as a body are accepted or rejected, never a 500", async () => {
	const Loose = z.union([
		z.strictObject({ name: z.string().min(1), tags: z.array(z.string()), more: z.json().optional() }),
		z.array(z.union([z.int(), z.record(z.string(), z.json())])),
		z.string(),
	]);
	const app = createTestApp([createBodyRoute(Loose)]);
	const text = fc.oneof(
		fc.json(),
		fc.json({ stringUnit: anyCharacter }),
		fc.constantFrom(
			"1e999",
			"[1e999]",
			"-0",
			'{"__proto__":1}',
			'{"name":"a","tags":[],"more":{"a":[1e999]}}',
		),
		fc
			.record({ name: fc.string(), tags: fc.array(fc.string()), more: fc.jsonValue() })
			.map((value) => JSON.stringify(value)),
	);
	const bytes = fc.oneof(
		fc.uint8Array({ maxLength: 2 * MAX_BODY_BYTES, size: "max" }),
		text.map(encodeText),
		fc
			.tuple(text, fc.nat(), fc.nat(255))
			.map(([text, at, byte]) => encodeText(text).with(at % encodeText(text).length, byte)),
	);
	const seen = new Set<number>();
	await fc.assert(
		fc.asyncProperty(bytes, fc.boolean(), async (bytes, isTold) => {
			const headers: Record<string, string> = isTold ? { "content-length": String(bytes.length) } : {};
			const { status } = await app.call("POST", "/things", { ...toStreamInit(bytes), headers });
			assert.ok([200, 400, 413, 422].includes(status), String(status));
			seen.add(status);
		}),
		{ numRuns: 2000 },
	);
	assert.deepEqual([...seen].sort(), [200, 400, 413, 422]);
});

test("limits the number of listed problems", async () => {
	const { call } = createTestApp([
		createBodyRoute(z.strictObject({ list: z.union([z.array(z.string()), z.string()]) })),
	]);
	const refused = await call("POST", "/things", {
		headers: { authorization: TOKEN },
		body: JSON.stringify({ list: Array.from({ length: 400 }, () => 1) }),
	});
	assert.equal(refused.status, 422);
	assert.equal(((await refused.json()) as { issues: unknown[] }).issues.length, 50);
});

test("a redirect keeps its request id, and a reply without a body has no body", async () => {
	const { call } = createTestApp([
		open("GET", "/away", () => Response.redirect("http://service/there", 302)),
		open("GET", "/nothing", () => reply(204, undefined)),
	]);
	const away = await call("GET", "/away");
	assert.equal(away.status, 302);
	assert.match(away.headers.get("x-request-id") ?? "", MADE_ID);
	const nothing = await call("GET", "/nothing");
	assert.equal(nothing.status, 204);
	assert.equal(nothing.headers.get("content-type"), null);
});

test("rejects a body that is longer than its Content-Length", async () => {
	const { call } = createTestApp([createBodyRoute(z.unknown())]);
	const body = JSON.stringify("x".repeat(MAX_BODY_BYTES));
	const refused = await call("POST", "/things", {
		headers: { authorization: TOKEN, "content-length": "5" },
		body,
	});
	assert.equal(refused.status, 413);
});

test("a bad escape in a path that matches no route is a 404", async () => {
	const { call } = createTestApp([open("GET", "/{id}/x")]);
	assert.equal((await call("GET", "/%zz/y")).status, 404);
	assert.equal((await call("GET", "/%zz/x")).status, 400);
});

test("a failed authentication names its challenge, or none if that is empty", async () => {
	const paths = { "/a": undefined, "/b": 'Basic realm="x"', "/c": "" };
	const app = createTestApp(
		Object.entries(paths).map(([path, challenge]) =>
			route({
				method: "GET",
				path,
				tag: "Things",
				summary: "Refuses",
				open: true,
				responses: {},
				handle() {
					throw new Failed({
						kind: "unauthorized",
						message: "no",
						...(challenge !== undefined && { challenge }),
					});
				},
			}),
		),
	);
	const ask = async (path: string) => {
		const response = await app.call("GET", path);
		return [response.status, response.headers.get("www-authenticate")];
	};
	assert.deepEqual(await ask("/a"), [401, "Bearer"]);
	assert.deepEqual(await ask("/b"), [401, 'Basic realm="x"']);
	assert.deepEqual(await ask("/c"), [401, null]);
});
