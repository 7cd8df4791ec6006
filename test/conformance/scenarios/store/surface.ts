import assert from "node:assert/strict";
import * as z from "zod";
import type { Scenario, Surface } from "../../scenario.ts";
import { createWorkflow, echo, fails, getNamedPath, save } from "../executor/saving.ts";
import { withSettings } from "../executor/with-settings.ts";

const Document = z.object({
	openapi: z.literal("3.1.0"),
	info: z.object({ title: z.string(), version: z.string() }),
	paths: z.record(
		z.string(),
		z.record(z.string(), z.object({ responses: z.record(z.string(), z.unknown()) })),
	),
});

export const surface: readonly Scenario[] = [
	{
		name: "/healthz and /readyz return 200 and reveal nothing",
		cites: [],
		async run(world) {
			const Status = z.strictObject({ status: z.string() });
			assert.deepEqual(await world.expect(200, Status, "GET", "/healthz"), { status: "ok" });
			assert.deepEqual(await world.expect(200, Status, "GET", "/readyz"), { status: "ready" });
		},
	},
	{
		name: "/openapi.json describes every route",
		cites: [],
		async run(world) {
			const { paths } = await world.expect(200, Document, "GET", "/openapi.json");
			const operations = Object.entries(paths).flatMap(([path, methods]) =>
				Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
			);
			for (const operation of [
				"PUT /entries",
				"GET /entries",
				"GET /execution-log",
				"GET /execution-log/latest",
				"PATCH /templates/{id}",
				"PATCH /records/{id}",
			]) {
				assert.ok(operations.includes(operation), operation);
			}
		},
	},
	{
		name: "the /docs page loads nothing from other hosts",
		cites: [],
		async run(world) {
			const { status, headers, body } = await world.call("GET", "/docs");
			assert.equal(status, 200);
			assert.match(headers.get("content-type") ?? "", /^text\/html/);
			assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'/);
			assert.match(String(body), /\/execution-log\/latest/);
			assert.doesNotMatch(String(body), /<script|src=|https?:\/\//);
		},
	},
	{
		name: "/metrics is on the store's port where the service is a process, and nowhere on Workers",
		cites: [],
		async run(world) {
			await world.anyone.refuse(404, "GET", "/metrics");
			if (world.target.isolatesRequests) {
				await world.refuse(404, "GET", "/metrics");
				return;
			}
			const plain = await world.call("GET", "/metrics");
			assert.equal(plain.status, 200);
			assert.equal(plain.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
			assert.match(String(plain.body), /^tripline_build_info\{version="[^"]+",node="/m);
			const headers = { accept: "application/openmetrics-text; version=1.0.0" };
			assert.match(String((await world.call("GET", "/metrics", { headers })).body), /\n# EOF\n$/);
			await world.refuse(401, "GET", "/metrics", { headers: { authorization: "Bearer of-somebody-else" } });
			await world.refuse(405, "POST", "/metrics");
		},
	},
	{
		name: "with METRICS_TOKEN /metrics is on both ports of a process, for callers who have it",
		cites: [],
		run: (world) =>
			withSettings(world, { METRICS_TOKEN: "token-of-the-metrics" }, async () => {
				const headers = { authorization: "Bearer token-of-the-metrics" };
				for (const surface of [world, world.anyone]) {
					if (world.target.isolatesRequests) await surface.refuse(404, "GET", "/metrics", { headers });
					else {
						assert.equal((await surface.call("GET", "/metrics", { headers })).status, 200);
						await surface.refuse(401, "GET", "/metrics");
					}
				}
			}),
	},
	{
		name: "an unknown path gets 404 not found, in every spelling",
		cites: [],
		async run(world) {
			for (const path of [
				"/",
				"/nothing",
				"/entries/",
				"//entries",
				"/entries//",
				"/Entries",
				"/entries%2F",
				"/%65ntries",
				"/healthz/x",
				"/entries/a/b",
				"/execution-log/latest/",
			]) {
				const { error } = await world.refuse(404, "GET", path);
				assert.equal(error, "not found", path);
			}
		},
	},
	{
		name: "another method on a known path gets 405 with Allow",
		cites: [],
		async run(world) {
			for (const [method, path, allow] of [
				["DELETE", "/entries", "PUT, POST, GET, HEAD"],
				["PATCH", "/entries/x", "GET, HEAD, PUT, DELETE"],
				["POST", "/healthz", "GET, HEAD"],
				["PUT", "/execution-log/latest", "GET, HEAD"],
			] as const) {
				const answer = await world.call(method, path);
				assert.equal(answer.status, 405);
				assert.equal(answer.headers.get("allow"), allow);
				assert.deepEqual(answer.body, { error: "method not allowed" });
			}
		},
	},
	{
		name: "a path that is not UTF-8 gets 400",
		cites: [],
		async run(world) {
			await world.refuse(400, "GET", "/entries/%ff");
		},
	},
	{
		name: "HEAD returns the same as GET without a body",
		cites: [],
		async run(world) {
			const { status, body } = await world.call("HEAD", "/healthz");
			assert.equal(status, 200);
			assert.equal(body, "");
		},
	},
	{
		name: "a valid request id is kept, an invalid one replaced, and it is always returned",
		cites: [],
		async run(world) {
			const given = await world.call("GET", "/healthz", { headers: { "x-request-id": "trace-1" } });
			assert.equal(given.headers.get("x-request-id"), "trace-1");
			const made = await world.call("GET", "/nothing", { headers: { "x-request-id": "a b<script>" } });
			assert.match(made.headers.get("x-request-id") ?? "", /^[A-Za-z0-9_-]{12}-[0-9a-z]+$/);
		},
	},
	{
		name: "every response of every service forbids MIME sniffing and embedding by other origins",
		cites: [],
		async run(world) {
			await save(world, echo("guarded"));
			await save(world, fails("guarded-failure", "no"));
			const { executor, anyone } = world;
			const origin = { origin: "http://localhost:6274" };
			for (const [surface, method, path, status, headers] of [
				[world, "GET", "/healthz", 200],
				[world, "HEAD", "/healthz", 200],
				[world, "GET", `/entries?owner_id=${world.owner}`, 200],
				[world, "GET", "/nothing", 404],
				[world, "DELETE", "/entries", 405],
				[world, "GET", "/docs", 200],
				[anyone, "GET", "/openapi.json", 200],
				[executor, "POST", getNamedPath("guarded", "trigger"), 200],
				[executor, "POST", getNamedPath("guarded-failure", "trigger"), 500],
				[anyone, "POST", getNamedPath("guarded", "trigger"), 401],
				[anyone, "POST", "/webhooks/0123456789abcdef/trigger", 404],
				[anyone, "GET", "/registry/components", 200],
				[anyone, "GET", "/console/", 308],
				[anyone, "GET", "/authorize", undefined],
				[anyone, "POST", "/mcp", 401, origin],
				[anyone, "OPTIONS", "/mcp", 204, origin],
				[anyone, "POST", "/mcp", 403, { origin: "https://elsewhere.example" }],
				[anyone, "POST", "/token", 400, origin],
				[anyone, "GET", "/.well-known/oauth-authorization-server", 200, origin],
			] as [Surface, string, string, number | undefined, Record<string, string>?][]) {
				const answer = await surface.call(method, path, { ...(headers && { headers }) });
				const what = `${method} ${path}`;
				if (status !== undefined) assert.equal(answer.status, status, what);
				assert.equal(answer.headers.get("x-content-type-options"), "nosniff", what);
				assert.equal(answer.headers.get("cross-origin-resource-policy"), "same-origin", what);
			}
		},
	},
	{
		name: "the response of a public query may be embedded by any origin",
		cites: [],
		async run(world) {
			const badge = { component: "respond", headers: { "content-type": "image/svg+xml" }, body: "<svg/>" };
			await save(world, createWorkflow("badge", badge, { options: { query: true } }));
			const { status, headers } = await world.anyone.call("GET", `/q/${world.owner}/badge`);
			assert.equal(status, 200);
			assert.equal(headers.get("x-content-type-options"), "nosniff");
			assert.equal(headers.get("cross-origin-resource-policy"), "cross-origin");
		},
	},
];
