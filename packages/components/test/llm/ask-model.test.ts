import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { describe, test } from "node:test";
import type { NodeCall } from "@tripline/engine/component";
import { parseAllowedHosts } from "@tripline/platform/addresses";
import { nodeHttp } from "@tripline/platform/http.node";
import { createTokens } from "../../src/auth/tokens.ts";
import type { Effects } from "../../src/effects.ts";
import { askModel } from "../../src/llm/ask-model.ts";
import type { ChatRequest } from "../../src/llm/chat.ts";
import { createOutbound } from "../../src/outbound/create.ts";
import { createPlaceholders } from "../../src/outbound/placeholders.ts";
import { secret, toAuthRecipe } from "../outbound/network.ts";
import { openServer } from "../outbound-effects.ts";

const KEY = "sk-test-key-of-the-model";
const clock = { now: () => Date.now() };

const REQUEST: ChatRequest = {
	model: "m",
	messages: [{ role: "user", content: "p" }],
	tools: [],
	toolChoice: undefined,
	schema: undefined,
	byTool: false,
	maxTokens: undefined,
	temperature: undefined,
	stop: undefined,
	stream: true,
	extra: {},
};

const chunk = (content: string, finish_reason: string | null = null) =>
	`data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason }] })}\n\n`;

/** Asks a model at the address through the whole way out, with a credential whose value is redacted. */
async function ask(url: string, onDelta?: (text: string) => void, request = REQUEST) {
	const port = nodeHttp({ allow: parseAllowedHosts("127.0.0.1") });
	const recipe = toAuthRecipe("key", {
		type: "bearer",
		fields: [secret("token")],
		hosts: [new URL(url).host],
	});
	const http = createOutbound({
		send: port.send,
		clock,
		tokens: createTokens({ clock, sharesPromises: true }),
		placeholders: createPlaceholders(),
		credential: async () => ({ recipe, fields: { token: KEY }, key: "k" }),
	});
	const node: Pick<NodeCall<Effects>, "effects" | "node" | "signal" | "log"> = {
		effects: { http, clock, sleep: async () => {} } as unknown as Effects,
		node: { id: "ask", credential: "key", timeoutMs: undefined },
		signal: new AbortController().signal,
		log() {},
	};
	const model = { base_url: url, attempts: 3, attempt_timeout_ms: 10_000 };
	try {
		return await askModel(node, model, request, onDelta);
	} finally {
		await port.close();
	}
}

const startStream = (response: ServerResponse) =>
	response.writeHead(200, { "content-type": "text/event-stream" });

describe("asking a model", () => {
	test("passes each delta on while the rest has not been sent, although a credential is redacted", async () => {
		let passOn = () => {};
		const deltas: string[] = [];
		await using server = await openServer(async (_request, response) => {
			startStream(response);
			for (const text of ["a", "b", `c ${KEY} d`]) {
				const isPassedOn = new Promise<void>((resolve) => {
					passOn = resolve;
				});
				response.write(chunk(text));
				// The next one is sent only after this one has arrived.
				await isPassedOn;
			}
			response.end(`${chunk("", "stop")}data: [DONE]\n\n`);
		});
		const reply = await ask(server.url, (text) => {
			deltas.push(text);
			passOn();
		});
		assert.deepEqual(deltas, ["a", "b", "c [redacted] d"]);
		assert.equal(reply.text, deltas.join(""));
		assert.equal(server.seen[0]?.headers.authorization, `Bearer ${KEY}`);
	});

	test("retries a stream that breaks before its first delta, and never after it", async () => {
		let parts = [""];
		await using server = await openServer((_request, response, number) => {
			startStream(response);
			if (number % 2 === 0) return response.end(chunk("ok", "stop"));
			response.flushHeaders();
			for (const part of parts) response.write(part);
			return setTimeout(() => response.destroy(), 50);
		});
		const deltas: string[] = [];
		const reply = await ask(server.url, (text) => deltas.push(text));
		assert.deepEqual([reply.text, deltas, server.seen.length], ["ok", ["ok"], 2]);

		parts = [chunk("one ")];
		await assert.rejects(
			ask(server.url, (text) => deltas.push(text)),
			Error,
		);
		assert.deepEqual([deltas, server.seen.length], [["ok", "one "], 3]);
	});

	test("starts the reply anew with each attempt", async () => {
		await using server = await openServer((_request, response, number) => {
			startStream(response);
			if (number > 1) return response.end(chunk("whole", "stop"));
			response.write(chunk("half "));
			return setTimeout(() => response.destroy(), 50);
		});
		const reply = await ask(server.url);
		assert.deepEqual([reply.text, server.seen.length], ["whole", 2]);
	});

	test("gives an answer that is not streamed in one delta", async () => {
		await using server = await openServer((_request, response) => {
			response.writeHead(200, { "content-type": "application/json" });
			response.end(JSON.stringify({ choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] }));
		});
		for (const stream of [true, false]) {
			const deltas: string[] = [];
			const reply = await ask(server.url, (text) => deltas.push(text), { ...REQUEST, stream });
			assert.deepEqual([reply.text, deltas], ["Hi", ["Hi"]]);
		}
	});

	test("fails with the provider's words if it refuses the request", async () => {
		await using server = await openServer((_request, response) => {
			response.writeHead(400, { "content-type": "application/json" });
			response.end(JSON.stringify({ error: { message: `no model for ${KEY}` } }));
		});
		await assert.rejects(ask(server.url), {
			message: "the provider answered 400 Bad Request: no model for [redacted]",
		});
	});
});
