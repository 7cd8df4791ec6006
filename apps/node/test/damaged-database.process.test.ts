import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { start, temporaryFolder } from "./process.ts";

const PAGES = 600;

describe("a damaged database", () => {
	test("gives 503, is logged once, and makes the service not ready", async (context) => {
		const cwd = temporaryFolder(context);
		const first = await start(context, {}, cwd);
		for (let from = 0; from < PAGES; from += 50) {
			await Promise.all(Array.from({ length: 50 }, (_, nth) => put(first.storeUrl, from + nth)));
		}
		first.child.kill("SIGTERM");
		await first.exited();
		damage(join(cwd, "data", "store.db"));

		const { publicUrl, storeUrl, stderr, child, exited } = await start(context, {}, cwd);
		const ready = async () =>
			Promise.all([publicUrl, storeUrl].map(async (url) => (await fetch(`${url}/readyz`)).status));
		const answers = [];
		for (let nth = 0; nth < PAGES; nth += 20) {
			const query = `owner_id=default&entry_type=note&page_name=page-${nth}`;
			answers.push(await fetch(`${storeUrl}/entries?${query}`));
		}
		answers.push(await fetch(`${storeUrl}/entries?owner_id=default&entry_type=note&limit=1000`));
		const statuses = answers.map(({ status }) => status);
		assert.deepEqual([...new Set(statuses)].sort(), [200, 503], String(statuses));
		for (const answer of answers.filter(({ status }) => status === 503)) {
			assert.equal(answer.headers.get("retry-after"), "60");
			assert.deepEqual(await answer.json(), {
				error: "the database is damaged: restore it from a backup",
			});
		}
		assert.deepEqual(await ready(), [503, 503]);
		assert.equal((await fetch(`${publicUrl}/healthz`)).status, 200);
		child.kill("SIGTERM");
		await exited();
		const lines = stderr()
			.trimEnd()
			.split("\n")
			.map((line) => JSON.parse(line) as Record<string, unknown>);
		const [told, ...more] = lines.filter(({ message }) => message === "the database is damaged");
		assert.equal(told?.level, "error");
		assert.match(String(told?.file), /data\/store\.db$/);
		assert.match(String(told?.error), /malformed/);
		assert.deepEqual(more, []);
		assert.ok(!lines.some(({ message }) => message === "request failed"));
	});
});

async function put(storeUrl: string, nth: number): Promise<void> {
	const entry = {
		owner_id: "default",
		entry_type: "note",
		page_name: `page-${nth}`,
		content: "x".repeat(3000),
	};
	const { status } = await fetch(`${storeUrl}/entries`, { method: "PUT", body: JSON.stringify(entry) });
	assert.equal(status, 201);
}

/** Overwrites pages in the middle, because the schema is at the beginning. */
function damage(path: string): void {
	const { size } = statSync(path);
	const file = openSync(path, "r+");
	for (let at = Math.floor(size / 2 / 4096) * 4096; at < size * 0.8; at += 4096) {
		writeSync(file, randomBytes(4096), 0, 4096, at);
	}
	closeSync(file);
}
