import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { createMcpComponents } from "@tripline/components/mcp/component";
import {
	answer,
	createUser,
	ECHO,
	type FakeServer,
	startFakeServer,
	toText,
	type User,
} from "./fake-server.ts";

describe("a session with an MCP server", () => {
	let fake: FakeServer;
	let user: User;

	before(async () => {
		fake = await startFakeServer();
	});
	beforeEach(() => {
		user = createUser();
	});
	afterEach(async () => {
		fake.tools = [ECHO];
		fake.misbehave = () => undefined;
		fake.received.length = 0;
		await user.close();
	});
	after(() => fake?.stop());

	const count = (method: string) => fake.received.filter((message) => message.method === method).length;

	test("is opened once for calls that start together, and one that leaves does not end it", async () => {
		const server = await user.add(fake.url);
		fake.received.length = 0;
		const other = createUser();
		try {
			const control = new AbortController();
			const left = other.call(server, { text: "left" }, { signal: control.signal });
			const calls = Array.from({ length: 10 }, (_, index) => other.call(server, { text: String(index) }));
			control.abort(new Error("left"));
			await assert.rejects(left, /left/);
			assert.deepEqual(
				await Promise.all(calls),
				Array.from({ length: 10 }, (_, index) => String(index)),
			);
			assert.deepEqual([count("initialize"), count("tools/list"), count("tools/call")], [1, 1, 10]);
		} finally {
			await other.close();
		}
	});

	/** Lets calls end without an answer after an event; what comes after it is answered by `resume`. */
	const endCalls = (
		event: string,
		resume: (response: ServerResponse, asked: IncomingMessage, id: number) => void,
	) => {
		let called = 0;
		fake.misbehave = (message, response, request) => {
			if (request.method === "GET") {
				resume(response, request, called);
				return true;
			}
			if (message.method !== "tools/call") return undefined;
			called = message.id ?? 0;
			response.writeHead(200, { "content-type": "text/event-stream" }).end(event);
			return true;
		};
	};

	test("resumes a stream that ends without the answer, after the time that the server wants", async () => {
		const server = await user.add(fake.url);
		const asked: { id: unknown; at: number; version: unknown }[] = [];
		endCalls("id: first\nretry: 200\ndata: \n\n", (response, { headers }, id) => {
			asked.push({
				id: headers["last-event-id"],
				at: performance.now(),
				version: headers["mcp-protocol-version"],
			});
			response.writeHead(200, { "content-type": "text/event-stream" });
			// Once more without an answer, and the connection is cut.
			if (asked.length === 1) response.write("id: second\ndata: \n\n", () => response.destroy());
			else response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result: toText("late") })}\n\n`);
		});
		const startedAt = performance.now();
		assert.equal(await user.call(server, { text: "a" }), "late");
		assert.deepEqual(
			asked.map(({ id, version }) => [id, version]),
			[
				["first", "2025-11-25"],
				["second", "2025-11-25"],
			],
		);
		assert.ok((asked[0]?.at ?? 0) - startedAt >= 195);
		assert.ok((asked[1]?.at ?? 0) - (asked[0]?.at ?? 0) >= 195);
		assert.equal(count("tools/call"), 1);
	});

	test("does not resume what the server cannot, nor beyond the time of the call", async () => {
		const server = await user.add(fake.url);
		let asked = 0;
		const fails = async (event: string, timeoutMs: number | undefined, times: number) => {
			asked = 0;
			endCalls(event, (response) => {
				asked++;
				response.writeHead(405).end();
			});
			const call = user.call(server, { text: "a" }, timeoutMs === undefined ? {} : { timeoutMs });
			await assert.rejects(call, /ended its response without an answer/);
			assert.equal(asked, times, event);
		};
		await fails("id: 1\nretry: 1\ndata: \n\n", undefined, 1);
		await fails("retry: 1\ndata: \n\n", undefined, 0);
		await fails("id: \u00e9\nretry: 1\ndata: \n\n", undefined, 0);
		await fails("id: 1\nretry: 5000\ndata: \n\n", 2_000, 0);
		await fails("id: 1\nretry: 999999999999\ndata: \n\n", undefined, 0);
	});

	test("keeps images beside structured content", async () => {
		const outputSchema = {
			...{ type: "object", properties: { sum: { type: "number" } } },
			additionalProperties: false,
		};
		fake.tools = [{ ...ECHO, outputSchema }];
		const server = await user.add(fake.url);
		const image = { type: "image", mimeType: "image/png", data: Buffer.from([1, 2, 3]).toString("base64") };
		const text = { type: "text", text: '{"sum":3}' };
		const give = (structuredContent: unknown, ...content: object[]) => {
			fake.misbehave = (message, response) =>
				message.method === "tools/call"
					? answer(response, message, { structuredContent, content })
					: undefined;
			return user.call(server, { text: "a" });
		};
		assert.deepEqual(await give({ sum: 3 }, text), { sum: 3 });
		const { _contents, ...rest } = (await give({ sum: 3 }, text, image)) as Record<string, unknown>;
		assert.deepEqual(rest, { sum: 3 });
		const [{ type, file }] = _contents as [{ type: string; file: Record<string, unknown> }];
		assert.deepEqual([type, file.name, file.type, file.size], ["image", "image.png", "image/png", 3]);
		const [component] = createMcpComponents(server);
		assert.deepEqual(Object.keys(component?.schemas?.output.properties ?? {}), ["sum", "_contents"]);
	});

	test("falls back to a handshake, however a server refuses to do without", async () => {
		for (const [status, type, body] of [
			[400, "text/plain", "Bad Request: Server not initialized"],
			[404, "text/html", "<h1>not found</h1>"],
			[405, "application/json", ""],
			[500, "application/json", "{}"],
			[200, "application/json", '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}'],
			[200, "application/json", '{"jsonrpc":"2.0","id":"server","result":{}}'],
			[200, "text/html", "<h1>hello</h1>"],
			[202, "text/plain", ""],
		] as const) {
			fake.misbehave = (message, response) => {
				if (message.method !== "server/discover") return undefined;
				response.writeHead(status, { "content-type": type }).end(body);
				return true;
			};
			const fresh = createUser();
			assert.equal((await fresh.list(fake.url)).tools.length, 1, `${status} ${type}`);
			await fresh.close();
		}
	});

	test("does without a handshake once a server has no other protocol", async () => {
		const server = await user.add(fake.url);
		assert.equal(server.protocol_version, "2025-11-25");
		fake.misbehave = (message, response) => {
			if (message.method !== "server/discover" && message.method !== "initialize") return undefined;
			const result = { supportedVersions: ["2026-07-28"], capabilities: {} };
			const error = { code: -32601, message: "unknown method" };
			response.writeHead(message.method === "initialize" ? 404 : 200, { "content-type": "application/json" });
			const answer = message.method === "initialize" ? { error } : { result };
			response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answer }));
			return true;
		};
		const later = createUser();
		assert.equal(await later.call(server, { text: "hello" }), "hello");
		await later.close();
	});

	test("survives a server that forgets it, once for each call", async () => {
		let sessions = 0;
		let known = "";
		fake.misbehave = (message, response, { headers }) => {
			if (message.method === "initialize") {
				known = `session-${++sessions}`;
				response.setHeader("mcp-session-id", known);
			} else if (message.method !== "server/discover" && headers["mcp-session-id"] !== known) {
				response.writeHead(404).end();
				return true;
			}
			return undefined;
		};
		const server = await user.add(fake.url);
		assert.equal(await user.call(server, { text: "one" }), "one");
		known = "";
		assert.equal(await user.call(server, { text: "two" }), "two");
		assert.equal(sessions, 2);
		const forgetful = fake.misbehave;
		fake.misbehave = (message, response, request) => {
			if (message.method === "tools/call") known = "";
			return forgetful(message, response, request);
		};
		await assert.rejects(user.call(server, { text: "three" }), /has ended the session/);
		assert.equal(sessions, 3);
	});
});
