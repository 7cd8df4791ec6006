import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startWorker } from "../../../test/workerd.ts";

test("a vault works on workerd and D1: put, reveal, delete, rotate, re-key", async (context) => {
	const { miniflare, url } = await startWorker({
		entry: fileURLToPath(new URL("credentials.worker.ts", import.meta.url)),
		d1: ["DB"],
	});
	context.after(() => miniflare.dispose());
	const response = await fetch(url);
	assert.equal(response.status, 200, await response.text());
});
