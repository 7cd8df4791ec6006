import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TooLong, toIncoming } from "../src/http-message.ts";

const send = (body: ReadableStream<Uint8Array> | string, headers: Record<string, string> = {}) =>
	toIncoming(new Request("http://a.test/", { method: "POST", body, headers, duplex: "half" } as RequestInit));

async function count(pieces: AsyncIterable<Uint8Array>): Promise<number> {
	let length = 0;
	for await (const piece of pieces) length += piece.length;
	return length;
}

function pieces(
	type: "bytes" | "any",
	sizes: readonly number[],
	cancel = () => {},
): ReadableStream<Uint8Array> {
	let next = 0;
	const pull = (controller: ReadableByteStreamController | ReadableStreamDefaultController) => {
		const size = sizes[next++];
		if (size !== undefined) return controller.enqueue(new Uint8Array(size));
		controller.close();
		// A reader that waits with its own buffer is told in this way.
		if ("byobRequest" in controller) controller.byobRequest?.respond(0);
	};
	return type === "bytes"
		? new ReadableStream({ type, pull, cancel }, { highWaterMark: 0 })
		: new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}

describe("a web-standard request as a stream", () => {
	for (const type of ["bytes", "any"] as const) {
		test(`gives the whole body (stream of ${type})`, async () => {
			assert.equal(await count(send(pieces(type, [1, 100_000, 5])).stream(100_006)), 100_006);
			assert.equal(await count(send("abc").stream(3)), 3);
		});

		test(`ends and frees a body that is too long (stream of ${type})`, async () => {
			let isCancelled = false;
			const body = pieces(type, [4, 4, 4, 4], () => {
				isCancelled = true;
			});
			await assert.rejects(count(send(body).stream(10)), TooLong);
			assert.ok(isCancelled);
		});
	}

	test("refuses a declared length before it reads", async () => {
		let isRead = false;
		const body = new ReadableStream<Uint8Array>(
			{
				pull() {
					isRead = true;
				},
			},
			{ highWaterMark: 0 },
		);
		await assert.rejects(count(send(body, { "content-length": "11" }).stream(10)), TooLong);
		assert.equal(isRead, false);
	});
});
