import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { forwardLines } from "../src/log-writer.ts";

test("lines of another process are passed on whole, wherever a read cuts them", async () => {
	const text = `${["short", "一條記錄 \u2028 with é", "", "x".repeat(9000)].join("\n")}\ncut off`;
	const bytes = Buffer.from(text);
	for (const size of [1, 2, 7, 4096, bytes.length]) {
		const from = new PassThrough();
		const lines: string[] = [];
		forwardLines(from, (line) => lines.push(line));
		for (let start = 0; start < bytes.length; start += size) from.write(bytes.subarray(start, start + size));
		from.end();
		while (!from.readableEnded) await nextTurn();
		assert.deepEqual(
			lines,
			text.split("\n").map((line) => `${line}\n`),
			`${size} bytes at a time`,
		);
	}
});
