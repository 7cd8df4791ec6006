import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { EventStream } from "../src/event-stream.ts";

function readAll(bytes: Uint8Array, size: number): string[] {
	const stream = new EventStream(1_000);
	const events: string[] = [];
	for (let at = 0; at < bytes.length; at += size) events.push(...stream.push(bytes.subarray(at, at + size)));
	return events;
}

test("an event stream is read the same however it is cut, with any ends of lines", () => {
	const text = fc.string({ unit: fc.constantFrom("a", "é", "😀", ":", " ", "{") });
	const events = fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), { maxLength: 4 });
	const end = fc.constantFrom("\n", "\r\n", "\r");
	fc.assert(
		fc.property(events, end, fc.integer({ min: 1, max: 9 }), (given, newline, size) => {
			const lines = given.flatMap((data) => [
				": a comment",
				"event: message",
				"id: 1",
				...data.map((line) => `data: ${line}`),
				"",
			]);
			const bytes = new TextEncoder().encode(lines.map((line) => line + newline).join(""));
			assert.deepEqual(
				readAll(bytes, size),
				given.map((data) => data.join("\n")),
			);
		}),
	);
});

test("an event that does not end is an error once it is too long", () => {
	const endless = new EventStream(100);
	assert.throws(() => {
		for (let piece = 0; piece < 50; piece++) endless.push(new TextEncoder().encode("data: xxxx\n"));
	}, RangeError);
	assert.throws(() => new EventStream(100).push(new TextEncoder().encode("x".repeat(101))), RangeError);
});
