import assert from "node:assert/strict";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, test } from "node:test";
import type { Incoming } from "@tripline/web/http-message";
import { requestListener } from "../src/node-message.ts";

describe("requests whose bodies arrive in the same turn of the event loop", () => {
	test("go on together, each step of one beside the same step of the others", async () => {
		assert.deepEqual(await answerThree({}), ["read", "read", "read", "answer", "answer", "answer"]);
	});

	test("go on one by one where a benchmark asks for it", async () => {
		const steps = await answerThree({ answersTogether: false });
		assert.deepEqual(steps, ["read", "answer", "read", "answer", "read", "answer"]);
	});
});

/** The steps of three requests, in the order in which they happen. */
async function answerThree(options: { answersTogether?: boolean }): Promise<string[]> {
	const steps: string[] = [];
	const answered = Promise.withResolvers<void>();
	const listener = requestListener(
		async (request: Incoming) => {
			await request.bytes(100);
			steps.push("answer");
			if (steps.length === 6) answered.resolve();
			return { status: 204, headers: {}, body: null };
		},
		answered.reject,
		options,
	);
	const messages = Array.from({ length: 3 }, () => new IncomingMessage(new Socket()));
	for (const message of messages) listener(message, new ServerResponse(message));
	for (const message of messages) {
		message.on("end", () => steps.push("read"));
		// As sockets do: in the same turn of the event loop, each in a callback of its own.
		setImmediate(() => {
			message.complete = true;
			message.push("{}");
			message.push(null);
		});
	}
	await answered.promise;
	return steps;
}
