import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { systemClock } from "@tripline/platform/clock";
import { createMetrics } from "@tripline/platform/metrics";
import { createApp } from "@tripline/web/app";
import { toIncoming } from "@tripline/web/http-message";
import { createMetricsApp } from "@tripline/web/metrics-app";
import { requestCounter } from "@tripline/web/request-metrics";
import { reply, route } from "@tripline/web/route";
import * as z from "zod";

const log = () => {};

function openApp(metrics = createMetrics()) {
	const common = { clock: systemClock, log, version: "1" };
	const app = createApp<null>({
		...common,
		title: "test",
		routes: [
			route({
				method: "GET",
				path: "/tokens/{token}",
				tag: "t",
				summary: "s",
				params: z.object({ token: z.string() }),
				responses: { 200: { description: "d" } },
				handle({ params }) {
					if (params.token === "broken") throw new Error("broken");
					return reply(200, {});
				},
			}),
		],
		authenticate: () => null,
		ready: async () => true,
		maxBodyBytes: 1,
		countRequest: requestCounter(metrics, "test"),
	});
	const scraped = createMetricsApp({ ...common, collect: () => metrics.collect(), tokens: [] });
	return {
		app,
		call: (path: string, method = "GET") => app.fetch(new Request(`http://test${path}`, { method })),
		scrape: async () => (await scraped.fetch(new Request("http://test/metrics"))).text(),
	};
}

describe("counted requests", () => {
	test("have the pattern of their route and the class of their status, and never their path", async () => {
		const { call, scrape } = openApp();
		for (const token of ["secret-1", "secret-2", "broken"]) await call(`/tokens/${token}`);
		await call("/secret-path");
		await call("/tokens/secret-3", "DELETE");
		const text = await scrape();
		assert.deepEqual(text.match(/^tripline_http_requests_total.* [1-9]\d*$/gm), [
			'tripline_http_requests_total{service="test",method="GET",route="/tokens/{token}",status="2xx"} 2',
			'tripline_http_requests_total{service="test",method="GET",route="/tokens/{token}",status="5xx"} 1',
			'tripline_http_requests_total{service="test",method="none",route="none",status="4xx"} 2',
		]);
		assert.match(
			text,
			/_duration_seconds_count\{service="test",method="GET",route="\/tokens\/\{token\}"\} 3\n/,
		);
		assert.doesNotMatch(text, /secret/);
	});

	test("are those from outside: calls between the services are not", async () => {
		const { app, scrape } = openApp();
		await app.answer(toIncoming(new Request("http://test/tokens/a"), { isInternal: true }));
		assert.doesNotMatch(await scrape(), /tripline_http_requests_total/);
	});

	test("do not make more series, however many paths there are", async () => {
		const { call, scrape } = openApp();
		await call("/tokens/0");
		await call("/0");
		const before = (await scrape()).split("\n").length;
		for (let index = 1; index < 100; index++) {
			await call(`/tokens/${index}`);
			await call(`/${index}`);
		}
		assert.equal((await scrape()).split("\n").length, before);
	});
});

describe("/metrics", () => {
	const open = (tokens: readonly string[]) => {
		const metrics = createMetrics();
		const app = createMetricsApp({
			...{ clock: systemClock, log, version: "1", collect: () => metrics.collect(), tokens },
		});
		return async (headers: Record<string, string>) => {
			const response = await app.fetch(new Request("http://test/metrics", { headers }));
			return {
				status: response.status,
				type: response.headers.get("content-type"),
				text: await response.text(),
			};
		};
	};

	test("needs one of the tokens", async () => {
		const call = open(["token-one", "token-two"]);
		for (const [authorization, status] of [
			["Bearer token-one", 200],
			["bearer token-two", 200],
			["Bearer token-three", 401],
			["Bearer ", 401],
			["Basic token-one", 401],
			["token-one", 401],
		] as const)
			assert.equal((await call({ authorization })).status, status, authorization);
		const { status, text } = await call({});
		assert.equal(status, 401);
		assert.deepEqual(JSON.parse(text), { error: "a valid token for metrics is needed" });
	});

	test("without tokens refuses only callers who send one, which may be that of a tenant", async () => {
		const call = open([]);
		assert.equal((await call({})).status, 200);
		assert.equal((await call({ authorization: "Bearer key-of-a-tenant" })).status, 401);
	});

	test("answers in the format that the caller asks for", async () => {
		const call = open([]);
		const plain = await call({});
		assert.equal(plain.type, "text/plain; version=0.0.4; charset=utf-8");
		assert.match(plain.text, /^# HELP tripline_scrape_problems /);
		const accept = "application/openmetrics-text; version=1.0.0";
		const opened = await call({ accept });
		assert.equal(opened.type, `${accept}; charset=utf-8`);
		assert.match(opened.text, /\n# EOF\n$/);
	});
});
