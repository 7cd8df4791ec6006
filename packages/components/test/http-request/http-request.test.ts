import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TerminalError } from "@tripline/engine/terminal-error";
import { httpRequest } from "../../src/http-request.ts";
import { openServer, runForFailure, runForOutput, runOutbound, sendJson } from "../outbound-effects.ts";

const listProblems = (params: unknown): string[] => {
	const read = httpRequest.params.safeParse(params);
	return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
};

describe("http_request", () => {
	test("sends method, path, query, headers and JSON as they are written", async () => {
		await using server = await openServer((_request, response) => sendJson(response, { id: 7 }, 201));
		const { output } = await runOutbound(httpRequest, {
			method: "POST",
			url: `${server.url}/orders?a=1`,
			query: { tag: ["x", "y z"], none: null, n: 2 },
			headers: { "X-Trace": "t", "X-Count": 3, "X-None": null },
			json: { name: "Ada", nested: [null, 1.5] },
		});
		const [seen] = server.seen;
		assert.equal(seen?.method, "POST");
		assert.equal(seen?.path, "/orders?a=1&tag=x&tag=y+z&n=2");
		assert.equal(seen?.body, '{"name":"Ada","nested":[null,1.5]}');
		assert.equal(seen?.headers["content-type"], "application/json");
		assert.equal(seen?.headers["x-trace"], "t");
		assert.equal(seen?.headers["x-count"], "3");
		assert.equal(seen?.headers["x-none"], undefined);
		const { status, headers, data } = output as {
			status: number;
			headers: Record<string, string>;
			data: unknown;
		};
		assert.deepEqual(
			{ status, type: headers["content-type"], data },
			{
				status: 201,
				type: "application/json",
				data: { id: 7 },
			},
		);
	});

	test("passes on the node's credential, the timeout and each kind of body", async () => {
		await using server = await openServer((_request, response) => sendJson(response, null));
		const kinds = [
			{ json: null },
			{ form: { a: "1" } },
			{ text: "<a/>", headers: { "content-type": "text/xml" } },
			{ base64: "aGk=" },
			{ multipart: [{ name: "f", base64: "aGk=", filename: "a.txt", content_type: "text/plain" }] },
		];
		for (const body of kinds) {
			const params = { method: "POST", url: server.url, ...body, attempt_timeout_ms: 5000 };
			const { calls } = await runOutbound(httpRequest, params, { credential: "mine" });
			assert.equal(calls[0]?.credential, "mine");
			assert.equal(calls[0]?.timeoutMs, 5000);
		}
		assert.deepEqual(
			server.seen.slice(0, 4).map(({ body }) => body),
			["null", "a=1", "<a/>", "hi"],
		);
		assert.equal(server.seen[2]?.headers["content-type"], "text/xml");
		assert.match(
			server.seen[4]?.body ?? "",
			/name="f"; filename="a\.txt"\r\nContent-Type: text\/plain\r\n\r\nhi/,
		);
	});

	test("fails on an unexpected status, with its name and the start of the body", async () => {
		const long = "ü".repeat(2000);
		await using server = await openServer((_request, response) => {
			response.writeHead(404, { "content-type": "text/plain; charset=utf-8" });
			response.end(long);
		});
		const failure = await runForFailure(httpRequest, { url: server.url });
		assert.equal(failure.message, `the response was 404 Not Found: ${"ü".repeat(500)}`);
		assert.ok(failure instanceof TerminalError);
		const { status } = (await runForOutput(httpRequest, { url: server.url, expect: ["2xx", 404] })) as {
			status: number;
		};
		assert.equal(status, 404);
		assert.ok(
			(await runForFailure(httpRequest, { url: server.url, expect: [200] })) instanceof TerminalError,
		);
	});

	test("a 5xx status is retryable, and an unknown status has no name", async () => {
		await using server = await openServer((_request, response) => response.writeHead(599).end());
		const failure = await runForFailure(httpRequest, { url: server.url });
		assert.equal(failure.message, "the response was 599");
		assert.ok(!(failure instanceof TerminalError));
		assert.equal(server.seen.length, 1);
	});

	test("treats an unexpected 2xx status as a failure", async () => {
		await using server = await openServer((_request, response) => response.writeHead(204).end());
		assert.match(
			(await runForFailure(httpRequest, { url: server.url, expect: [200] })).message,
			/204 No Content/,
		);
		assert.deepEqual(
			((await runForOutput(httpRequest, { url: server.url })) as { data: unknown }).data,
			null,
		);
	});

	test("rejects invalid parameters", () => {
		const url = "https://example.com";
		const post = { url, method: "POST" };
		const cases: [unknown, RegExp][] = [
			[{ url: "example.com" }, /^url must start with https/],
			[{ url: "file:///etc/passwd" }, /^url must start with https/],
			[{ url: "https:///path" }, /^url must start with https/],
			[{ url, json: {} }, /^json cannot be sent with GET/],
			[{ ...post, json: {}, text: "" }, /^text cannot be combined with json/],
			[{ url, method: "get" }, /^method/],
			[{ url, method: "TRACE" }, /^method/],
			[{ url, headers: { "bad name": "x" } }, /^headers.bad name is not a valid header name/],
			[{ url, headers: { a: "x\r\nb: y" } }, /^headers.a must be one line/],
			[{ url, headers: { a: "日本" } }, /^headers.a must be one line/],
			[{ url, headers: { a: {} } }, /^headers.a must be text/],
			[{ url, headers: { a: "1", A: "2" } }, /^headers.A is set twice/],
			[{ url, expect: ["20x"] }, /expect/],
			[{ url, expect: [] }, /expect/],
			[{ url, attempts: 11 }, /attempts/],
			[{ url, paginate: { by: "link", what: 1 } }, /paginate/],
			[{ url, paginate: { by: "cursor", cursor: "a", items: "b" } }, /paginate.param or body must say/],
			[
				{ url, paginate: { by: "cursor", cursor: "a", items: "b", param: "c", body: "d" } },
				/set exactly one/,
			],
			[
				{ url, paginate: { by: "cursor", cursor: "__proto__.x", items: "b", param: "c" } },
				/cursor must be a path/,
			],
			[{ url, paginate: { by: "link", items: "a | first" } }, /items must be a path/],
			[{ url, paginate: { by: "link", items: "a}}{{b" } }, /items must be a path/],
			[{ url, paginate: { by: "link", items: "" } }, /items must be a path/],
			[{ url, paginate: { by: "page", param: "p", size_param: "s" } }, /size_param needs size/],
			[{ ...post, paginate: { by: "link" } }, /^method must be GET to follow links/],
			[{ url, response: "text", paginate: { by: "link" } }, /^response must be json/],
			[
				{ ...post, text: "x", paginate: { by: "cursor", cursor: "a", items: "b", body: "c" } },
				/^json must be an object, because paginate.body/,
			],
			[{ ...post, multipart: [{ name: "a" }] }, /multipart.0.text or base64 or file must hold/],
			[{ ...post, multipart: [] }, /multipart/],
		];
		for (const [params, problem] of cases) {
			assert.match(listProblems(params).join("\n"), problem, JSON.stringify(params));
		}
		assert.deepEqual(listProblems({ url }), []);
	});
});
