import assert from "node:assert/strict";
import { closeSync, openSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, type TestContext, test } from "node:test";
import { systemClock } from "@tripline/platform/clock";
import { isMigrated, migrate } from "@tripline/platform/migrations";
import { SqlUnavailable, statement } from "@tripline/platform/sql";
import { openSqlite } from "@tripline/platform/sql.sqlite";
import { createStore } from "@tripline/store/app";
import { storeEnvironment, storeSettings } from "@tripline/store/settings";
import { storeMigrations } from "@tripline/store/storage/migrations";
import { temporaryFolder } from "../../apps/node/test/process.ts";

async function openStore(context: TestContext) {
	const path = join(temporaryFolder(context), "store.db");
	const sql = openSqlite(path);
	context.after(() => sql.close());
	await migrate(sql, storeMigrations);
	const store = createStore({
		sql,
		clock: systemClock,
		log: () => {},
		version: "0.0.0-test",
		settings: storeSettings(storeEnvironment.parse({})),
	});
	const put = (page_name: string, content: string) =>
		store.fetch(
			new Request("http://store/entries", {
				method: "PUT",
				body: JSON.stringify({ owner_id: "o", entry_type: "note", page_name, content }),
			}),
		);
	const pages = async () => {
		const response = await store.fetch(new Request("http://store/entries?owner_id=o"));
		const { entries } = (await response.json()) as { entries: { page_name: string }[] };
		return entries.map((entry) => entry.page_name);
	};
	return { path, sql, put, pages };
}

describe("a failing disk", () => {
	test("a full database gives 503 with Retry-After, keeps its data and recovers", async (context) => {
		const { sql, put, pages } = await openStore(context);
		assert.equal((await put("before", "small")).status, 201);
		const [row] = await sql.read<{ page_count: number }>(statement("pragma page_count"));
		await sql.read(statement(`pragma max_page_count = ${row?.page_count}`));
		const refused = await put("too-much", "x".repeat(500_000));
		assert.equal(refused.status, 503);
		assert.equal(refused.headers.get("retry-after"), "1");
		assert.deepEqual(await pages(), ["before"]);
		await sql.read(statement("pragma max_page_count = 1000000"));
		assert.equal((await put("after", "x".repeat(500_000))).status, 201);
		assert.deepEqual(await pages(), ["after", "before"]);
	});

	test("only the write that does not fit fails among writes that share a commit", async (context) => {
		const { sql, put, pages } = await openStore(context);
		await put("before", "small");
		const [row] = await sql.read<{ page_count: number }>(statement("pragma page_count"));
		await sql.read(statement(`pragma max_page_count = ${(row?.page_count ?? 0) + 4}`));
		const answers = await Promise.all([put("one", "1"), put("huge", "x".repeat(500_000)), put("two", "2")]);
		const statuses = answers.map((answer) => answer.status);
		assert.equal(statuses[1], 503);
		const kept = await pages();
		for (const [index, page] of ["one", "huge", "two"].entries()) {
			assert.equal(kept.includes(page), statuses[index] === 201, `${page}: ${statuses[index]}`);
		}
	});

	test("stays ready after one I/O error; several in a row make it not ready until a write succeeds", {
		skip: process.platform !== "linux",
	}, async (context) => {
		const { path, sql, put, pages } = await openStore(context);
		const isReady = () => isMigrated(sql, storeMigrations).catch(() => false);
		assert.equal((await put("before", "small")).status, 201);
		const mend = breakFile(`${path}-wal`);
		for (const readiness of [true, true, false]) {
			assert.equal((await put("lost", "small")).status, 503);
			assert.equal(await isReady(), readiness);
		}
		mend();
		assert.deepEqual(await pages(), ["before"]);
		assert.equal((await put("after", "small")).status, 201);
		assert.equal(await isReady(), true);
	});

	test("a database locked for too long by another process gives SqlUnavailable, not a wrong answer", async (context) => {
		const { path, sql } = await openStore(context);
		await sql.read(statement("pragma busy_timeout = 50"));
		const holder = new DatabaseSync(path);
		context.after(() => holder.close());
		holder.exec("begin immediate");
		await assert.rejects(sql.write([statement("delete from entries")]), SqlUnavailable);
		holder.exec("rollback");
		await sql.write([statement("delete from entries")]);
	});
});

/** Replaces SQLite's open file, so that reads and writes are I/O errors, and returns a function that restores it. */
function breakFile(path: string): () => void {
	const held = readdirSync("/proc/self/fd").filter((fd) => {
		try {
			return readlinkSync(`/proc/self/fd/${fd}`) === path;
		} catch {
			return false;
		}
	});
	assert.equal(held.length, 1);
	const fd = Number(held[0]);
	// At once, before another file gets the descriptor. It is opened read-only.
	reopenAs(fd, "/dev/null", "r");
	return () => reopenAs(fd, path, "r+");
}

function reopenAs(fd: number, path: string, flags: string): void {
	closeSync(fd);
	const lower: number[] = [];
	for (let opened = openSync(path, flags); opened !== fd; opened = openSync(path, flags)) lower.push(opened);
	for (const each of lower) closeSync(each);
}
