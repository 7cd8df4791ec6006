import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { createUser, ECHO, type FakeServer, startFakeServer, type User } from "./fake-server.ts";

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
