import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readServerEvents } from "../../src/pages/workflow/run/server-sent-events.ts";

async function readEvents(...chunks: readonly (string | Uint8Array)[]): Promise<string> {
	const encoder = new TextEncoder();
	const bytes = chunks.map((chunk) => (typeof chunk === "string" ? encoder.encode(chunk) : chunk));
	const stream = new ReadableStream<Uint8Array>({
		start(controller) {
			for (const part of bytes) controller.enqueue(part);
			controller.close();
		},
	});
	const found: string[] = [];
	for await (const { event, data } of readServerEvents(stream)) found.push(`${event}=${data}`);
	return found.join(" ");
}

describe("server-sent events", () => {
	it("are parsed in order", async () =>
		assert.equal(await readEvents("event: a\ndata: 1\n\nevent: b\ndata: 2\n\n"), "a=1 b=2"));

	it("may arrive in pieces", async () =>
		assert.equal(await readEvents("eve", "nt: a\nda", "ta: 1\n", "\nevent: b\ndata: 2\n\n"), "a=1 b=2"));

	it("may be split within a character", async () => {
		const bytes = new TextEncoder().encode("data: 節點\n\n");
		assert.equal(await readEvents(bytes.slice(0, 8), bytes.slice(8)), "message=節點");
	});

	it("may use LF or CRLF", async () =>
		assert.equal(await readEvents("event: a\r", "\ndata: 1\r\n\r\n"), "a=1"));

	it("exclude comments", async () =>
		assert.equal(await readEvents(": the run goes on\n\ndata: 1\n\n"), "message=1"));

	it("join several lines of data", async () =>
		assert.equal(await readEvents("data: 1\ndata: 2\n\n"), "message=1\n2"));

	it("are dropped when incomplete", async () => assert.equal(await readEvents("data: 1\n"), ""));
});
