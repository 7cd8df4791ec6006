import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TerminalError } from "@tripline/engine/terminal-error";
import { parseRetryAfter } from "../../src/http-request/attempts.ts";
import { httpRequest } from "../../src/http-request.ts";
import { openServer, runForFailure, runOutbound, sendJson } from "../outbound-effects.ts";
import { sleep } from "../run-node.ts";

const failTimes = (times: number, status: number, headers = {}) =>
	openServer((_request, response, number) =>
		number <= times ? response.writeHead(status, headers).end("busy") : sendJson(response, number),
	);

describe("attempts", () => {
	test("are repeated after temporary failures, with exponential backoff and jitter", async () => {
		for (const status of [408, 425, 429, 502, 503, 504]) {
			await using server = await failTimes(3, status);
			const { output, waits, lines } = await runOutbound(httpRequest, { url: server.url, attempts: 4 });
			assert.equal((output as { data: unknown }).data, 4);
			for (const [index, wait] of waits.entries()) {
				const most = 500 * 2 ** index;
				assert.ok(wait > most / 2 - 1 && wait <= most, `wait ${index} was ${wait}`);
			}
			assert.equal(waits.length, 3);
			assert.match(lines[0] ?? "", /^attempt 1 of 4: the response was \d+ [A-Z].*; next in \d+ ms$/);
		}
	});

	test("end with the last response", async () => {
		await using server = await failTimes(9, 503);
		const failure = await runForFailure(httpRequest, { url: server.url });
		assert.equal(failure.message, "the response was 503 Service Unavailable: busy");
		assert.ok(!(failure instanceof TerminalError));
		assert.equal(server.seen.length, 3);
	});

	test("are not repeated for other statuses, for expected ones, or with a single attempt", async () => {
		for (const [status, params] of [
			[500, {}],
			[404, {}],
			[503, { expect: [503] }],
			[503, { attempts: 1 }],
		] as const) {
			await using server = await failTimes(9, status);
			await runOutbound(httpRequest, { url: server.url, ...params }).catch(() => null);
			assert.equal(server.seen.length, 1, `${status}`);
		}
	});

	test("of a POST are repeated only if it was not processed or has an idempotency key", async () => {
		const countSent = async (status: number, headers: Record<string, string>) => {
			await using server = await failTimes(1, status);
			const params = { method: "POST", url: server.url, json: {}, headers };
			await runOutbound(httpRequest, params).catch(() => null);
			return server.seen.length;
		};
		assert.equal(await countSent(429, {}), 2);
		assert.equal(await countSent(503, {}), 2);
		assert.equal(await countSent(502, {}), 1);
		assert.equal(await countSent(504, {}), 1);
		assert.equal(await countSent(504, { "Idempotency-Key": "k" }), 2);
	});

	test("are repeated after a lost connection if the request is idempotent", async () => {
		const countSent = async (method: string) => {
			await using server = await openServer((_request, response, number) =>
				number === 1 ? void response.destroy() : sendJson(response, number),
			);
			await runOutbound(httpRequest, { method, url: server.url }).catch(() => null);
			return server.seen.length;
		};
		assert.equal(await countSent("GET"), 2);
		assert.equal(await countSent("PUT"), 2);
		assert.equal(await countSent("POST"), 1);
	});

	test("are not repeated after a final failure, or after the run ended", async () => {
		const controller = new AbortController();
		let calls = 0;
		const failWith = (error: Error) => ({
			http: async () => {
				calls++;
				throw error;
			},
		});
		const url = "https://example.com";
		await runForFailure(httpRequest, { url }, { effects: failWith(new TerminalError("refused")) });
		assert.equal(calls, 1);
		controller.abort();
		await runForFailure(
			httpRequest,
			{ url },
			{ effects: failWith(new Error("x")), signal: controller.signal },
		);
		assert.equal(calls, 2);
	});

	test("wait as long as Retry-After asks for", async () => {
		await using server = await failTimes(2, 429, { "retry-after": "2" });
		const { waits } = await runOutbound(httpRequest, { url: server.url });
		assert.deepEqual(waits, [2000, 2000]);
	});

	test("end in the middle of a wait when the run is cancelled", async () => {
		await using server = await failTimes(2, 503, { "retry-after": "30" });
		const controller = new AbortController();
		setTimeout(() => controller.abort(new Error("cancelled")), 50);
		const started = performance.now();
		const failure = await runForFailure(
			httpRequest,
			{ url: server.url },
			{ effects: { sleep }, signal: controller.signal },
		);
		assert.equal(failure.message, "cancelled");
		assert.ok(performance.now() - started < 5000);
		assert.equal(server.seen.length, 1);
	});
});

describe("Retry-After", () => {
	const now = Date.parse("2026-01-01T00:00:00Z");

	test("is in seconds or an HTTP date, and at most a minute", () => {
		assert.equal(parseRetryAfter("0", now), 0);
		assert.equal(parseRetryAfter(" 7 ", now), 7000);
		assert.equal(parseRetryAfter("3600", now), 60_000);
		assert.equal(parseRetryAfter("9".repeat(400), now), 60_000);
		assert.equal(parseRetryAfter("Thu, 01 Jan 2026 00:00:05 GMT", now), 5000);
		assert.equal(parseRetryAfter("Wed, 31 Dec 2025 00:00:00 GMT", now), 0);
		assert.equal(parseRetryAfter("Fri, 01 Jan 2027 00:00:00 GMT", now), 60_000);
	});

	test("is ignored if it cannot be parsed", () => {
		for (const text of ["", "-1", "1.5", "soon", "1e3", "GMT", "not a date GMT"]) {
			assert.equal(parseRetryAfter(text, now), undefined, text);
		}
		assert.equal(parseRetryAfter(undefined, now), undefined);
	});
});
