import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ERAS, LEGACY, MODERN } from "../../../../test/mcp/wire.ts";
import { createAsking } from "./asking.ts";

describe("the transport", () => {
	for (const method of ["GET", "DELETE", "PUT", "HEAD"]) {
		test(`${method} gets 405 with Allow`, async () => {
			const { status, headers } = await createAsking().post("", { httpMethod: method });
			assert.equal(status, 405);
			assert.equal(headers.get("allow"), "POST");
		});
	}

	for (const type of ["text/plain", "application/jsonx", "application/x-www-form-urlencoded", ""]) {
		test(`a body of the type "${type}" gets 415`, async () => {
			const { status, error, id } = await createAsking().post("{}", { headers: { "content-type": type } });
			assert.equal(status, 415);
			assert.equal(id, null);
			assert.match(error.message, /application\/json/);
		});
	}

	test("accepts a content type with parameters and upper case", async () => {
		const headers = { "content-type": "Application/JSON; charset=utf-8" };
		assert.equal((await createAsking().ask("tools/list", {}, { headers })).status, 200);
	});

	test("a body over the limit gets 413 without an id", async () => {
		const { status, error, id } = await createAsking().post(JSON.stringify({ long: "x".repeat(10_000) }));
		assert.equal(status, 413);
		assert.equal(id, null);
		assert.match(error.message, /larger than 10000 bytes/);
	});

	test("a body that is nested too deeply gets 400", async () => {
		const deep = `${"[".repeat(100)}${"]".repeat(100)}`;
		const { status, error } = await createAsking().post(
			`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${deep}}}`,
		);
		assert.equal(status, 400);
		assert.equal(error.code, -32600);
	});

	for (const body of ["", "{", "nonsense", "\u0000"]) {
		test(`the body ${JSON.stringify(body)} gets 400 with a parse error`, async () => {
			const { status, error, id } = await createAsking().post(body);
			assert.equal(status, 400);
			assert.equal(error.code, -32700);
			assert.equal(id, null);
		});
	}

	for (const body of ["[]", "null", "7", '"text"', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]']) {
		test(`the body ${body} gets 400: one message per request`, async () => {
			const { status, error } = await createAsking().post(body);
			assert.equal(status, 400);
			assert.equal(error.code, -32600);
		});
	}

	for (const body of [
		"{}",
		'{"jsonrpc":"1.0","id":1,"method":"ping"}',
		'{"jsonrpc":"2.0","id":{},"method":"ping"}',
	]) {
		test(`the object ${body} is not a message and gets 400`, async () => {
			assert.equal((await createAsking().post(body)).status, 400);
		});
	}

	for (const accept of [undefined, "*/*", "application/json", "text/html"]) {
		test(`clients that accept ${accept} are served in both eras`, async () => {
			const { ask } = createAsking();
			for (const era of ERAS) {
				const headers: Record<string, string> = accept === undefined ? {} : { accept };
				assert.equal((await ask("tools/list", {}, { era, headers })).status, 200, era);
			}
		});
	}

	test("ignores a session id and issues none", async () => {
		const { ask } = createAsking();
		for (const era of ERAS) {
			const { status, headers } = await ask(
				"tools/list",
				{},
				{ era, headers: { "mcp-session-id": "made-up" } },
			);
			assert.equal(status, 200);
			assert.equal(headers.get("mcp-session-id"), null);
		}
	});

	test("a notification gets 202 without a body", async () => {
		const { post } = createAsking();
		const body = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
		assert.equal((await post(body, { headers: { "mcp-protocol-version": LEGACY } })).status, 202);
	});

	test("an unknown method gets 404 with -32601 in the modern era", async () => {
		const { ask } = createAsking();
		for (const method of ["no/such", "constructor", "__proto__", "logging/setLevel", "resources/subscribe"]) {
			const { status, error, id } = await ask(method, {}, { id: "a" });
			assert.deepEqual([status, error.code, id], [404, -32601, "a"], method);
		}
	});

	test("an unknown method gets -32601 in the legacy era", async () => {
		const { ask } = createAsking();
		for (const method of ["no/such", "logging/setLevel", "resources/subscribe"])
			assert.equal((await ask(method, {}, { era: LEGACY })).error.code, -32601, method);
	});

	test("an unknown revision gets 400 with the supported ones", async () => {
		const version = "2099-01-01";
		const { status, error } = await createAsking().ask(
			"server/discover",
			{},
			{
				headers: { "mcp-protocol-version": version },
				meta: { "io.modelcontextprotocol/protocolVersion": version },
			},
		);
		assert.equal(status, 400);
		assert.equal(error.code, -32022);
		assert.deepEqual(error.data, { supported: [MODERN], requested: version });
	});

	test("headers that disagree with the body get 400 with -32020", async () => {
		const { ask } = createAsking();
		for (const headers of [{ "mcp-method": "prompts/list" }, { "mcp-protocol-version": LEGACY }]) {
			const { status, error } = await ask("tools/list", {}, { headers });
			assert.deepEqual([status, error.code], [400, -32020]);
		}
	});

	test("concurrent requests with the same id are kept apart", async () => {
		const { ask } = createAsking({
			tools: [],
			findTenantTool: async (name, { namespace }) => ({
				name,
				title: name,
				description: name,
				hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
				inputSchema: { type: "object" },
				outputSchema: { type: "object" },
				call: async (args) => {
					await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
					return { structured: { namespace, args } };
				},
			}),
		});
		await Promise.all(
			Array.from({ length: 50 }, async (_, index) => {
				const namespace = `tenant-${index}`;
				const params = { name: "whoami", arguments: { index } };
				const { result } = await ask("tools/call", params, {
					namespace,
					era: index % 2 === 0 ? MODERN : LEGACY,
				});
				assert.deepEqual(result.structuredContent, { namespace, args: { index } });
			}),
		);
	});
});

describe("the server's self-description", () => {
	const served = { tools: {}, resources: {}, prompts: {}, completions: {} };

	test("server/discover returns the revision, the capabilities and the instructions", async () => {
		const { result } = await createAsking().ask("server/discover");
		assert.deepEqual(result.supportedVersions, [MODERN]);
		assert.deepEqual(result.capabilities, served);
		assert.equal(result.instructions, "Ask for tools.");
		assert.deepEqual(result._meta["io.modelcontextprotocol/serverInfo"], {
			name: "tripline",
			title: "Tripline",
			version: "1.2.3",
		});
	});

	for (const asked of [LEGACY, "2025-06-18", "2025-03-26", "1999-01-01"]) {
		test(`initialize for ${asked} agrees on a revision`, async () => {
			const { result } = await createAsking().ask(
				"initialize",
				{ protocolVersion: asked, capabilities: {}, clientInfo: { name: "test", version: "1" } },
				{ era: LEGACY },
			);
			assert.equal(result.protocolVersion, asked === "1999-01-01" ? LEGACY : asked);
			assert.deepEqual(result.capabilities, served);
			assert.equal(result.serverInfo.name, "tripline");
			assert.equal(result.instructions, "Ask for tools.");
		});
	}

	test("serves no requests after it is closed", async () => {
		const { ask, protocol } = createAsking();
		await ask("tools/list");
		await protocol.close();
		await assert.rejects(ask("tools/list"), /closed/);
	});
});
