import assert from "node:assert/strict";
import { test } from "node:test";
import { choosePreview, MAX_IMAGE_BYTES, readAtMost } from "../../src/files/preview.ts";

test("only images of pixels are shown as images", () => {
	assert.deepEqual(choosePreview({ type: "image/PNG; a=b", size: 3 }), { kind: "image", type: "image/png" });
	assert.deepEqual(choosePreview({ type: "image/png", size: MAX_IMAGE_BYTES + 1 }), { kind: "none" });
	for (const type of ["application/pdf", "video/mp4", "image/x-unknown", "application/octet-stream"])
		assert.deepEqual(choosePreview({ type, size: 3 }), { kind: "none" }, type);
});

test("pages and SVG images are shown as their text", () => {
	for (const type of ["text/html", "image/svg+xml", "application/xhtml+xml", "text/csv; charset=utf-8"])
		assert.deepEqual(choosePreview({ type, size: 3 }), { kind: "text" }, type);
});

test("no more of a response is read than asked for", async () => {
	let pulled = 0;
	let isCancelled = false;
	const body = new ReadableStream<Uint8Array>(
		{
			pull(controller) {
				pulled++;
				controller.enqueue(new Uint8Array(100));
			},
			cancel() {
				isCancelled = true;
			},
		},
		{ highWaterMark: 0 },
	);
	assert.equal((await readAtMost(new Response(body), 250)).length, 250);
	assert.deepEqual([pulled, isCancelled], [3, true]);
	assert.equal((await readAtMost(new Response("abc"), 250)).length, 3);
});
