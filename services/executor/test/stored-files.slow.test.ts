import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { Failed } from "@tripline/contract/failures";
import type { Blobs } from "@tripline/platform/blobs";
import { folderBlobs } from "@tripline/platform/blobs.folder";
import { statement } from "@tripline/platform/sql";
import { createStore } from "@tripline/store/app";
import { storeClient } from "@tripline/store/client";
import { storeEnvironment, storeSettings } from "@tripline/store/settings";
import { storeMigrations } from "@tripline/store/storage/migrations";
import { temporaryFolder } from "../../../apps/node/test/process.ts";
import { manualClock } from "../../../packages/platform/test/contracts/contract.ts";
import { openMigrated } from "../../../packages/platform/test/open-migrated.ts";
import { storedFiles } from "../src/files/stored-files.ts";

const HOUR = 60 * 60_000;
const KIB = 1024;
const OWNER = "o";
const FILE = { name: "a.txt", type: "text/plain", executionId: null };

/** The real store on real SQLite and a real folder, each of which a test can make fail. */
async function openFiles(
	context: TestContext,
	limits: { maxFileBytes?: number; maxFilesBytes?: number } = {},
) {
	const sql = await openMigrated(storeMigrations);
	context.after(() => sql.close());
	const clock = manualClock();
	const folder = temporaryFolder(context);
	const log = () => {};
	const settings = storeSettings(storeEnvironment.parse({}));
	const store = createStore({ sql, clock, log, version: "test", settings });
	/** Paths of the store, and methods of blobs, that fail. */
	const broken = new Set<string>();
	const transport = {
		baseUrl: "http://store",
		async fetch(request: Request) {
			if (broken.has(new URL(request.url).pathname)) throw new Error("the store is away");
			return store.fetch(request);
		},
	};
	const real = folderBlobs(folder);
	const blobs: Blobs = {
		async put(key, content, options) {
			// Collected first, like a bucket that gets the bytes at the end: a sweep meanwhile finds nothing to delete.
			const collected: Uint8Array[] = [];
			for await (const piece of content) collected.push(piece.slice());
			const stored = await real.put(key, yieldAll(collected), options);
			if (broken.has("put")) throw new Error("the disk failed");
			return stored;
		},
		get: real.get,
		async delete(key) {
			if (broken.has("delete")) throw new Error("the disk failed");
			await real.delete(key);
		},
	};
	const create = (place: Blobs | null) =>
		storedFiles({
			blobs: place,
			store: storeClient(transport),
			log,
			settings: {
				maxFileBytes: 10 * KIB * KIB,
				maxFilesBytes: 100 * KIB * KIB,
				fileRetentionHours: 24,
				...limits,
			},
			startedAt: clock.now(),
		});
	return {
		clock,
		broken,
		create,
		files: create(blobs),
		rows: () => sql.read<{ state: string; size: number }>(statement("select state, size from files")),
		counted: async () =>
			(await sql.read<{ value: number }>(statement("select value from counters where name like 'files%'")))[0]
				?.value ?? 0,
		bytes: () =>
			readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length,
		async assertEmpty() {
			assert.deepEqual([await this.rows(), this.bytes(), await this.counted()], [[], 0, 0]);
		},
	};
}

async function* yieldAll(given: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
	yield* given;
}

async function* pieces(bytes: number, size = 64 * KIB): AsyncGenerator<Uint8Array> {
	for (let left = bytes; left > 0; left -= size) yield new Uint8Array(Math.min(left, size)).fill(120);
}

const NO_LIMIT = { maxBytes: Number.MAX_SAFE_INTEGER };

async function readAll(content: AsyncIterable<Uint8Array>): Promise<number> {
	let length = 0;
	for await (const piece of content) length += piece.length;
	return length;
}

const isFailed = (kind: string) => (error: unknown) => error instanceof Failed && error.failure.kind === kind;

test("a file is written and opened, as a whole and in part", async (context) => {
	const { files, rows, counted } = await openFiles(context);
	const value = await files.write(OWNER, FILE, pieces(3 * KIB * KIB), NO_LIMIT);
	assert.equal(value.size, 3 * KIB * KIB);
	assert.deepEqual(await rows(), [{ state: "stored", size: value.size }]);
	assert.equal(await counted(), value.size);
	const open = await files.open(OWNER, value.$file);
	assert.ok(open !== null);
	assert.deepEqual(open.value, value);
	assert.equal(await readAll(open.read()), value.size);
	assert.equal(await readAll(open.read({ start: 10, end: 30 })), 20);
	assert.equal(await files.open("other", value.$file), null);
});

test("whatever fails while a file is written, nothing of it remains", async (context) => {
	const opened = await openFiles(context, { maxFileBytes: KIB * KIB });
	const { files, broken } = opened;
	const failing = async function* () {
		yield* pieces(500 * KIB);
		throw new Error("the sender hung up");
	};
	await assert.rejects(files.write(OWNER, FILE, failing(), NO_LIMIT), /the sender hung up/);
	await opened.assertEmpty();
	await assert.rejects(files.write(OWNER, FILE, pieces(KIB * KIB + 1), NO_LIMIT), isFailed("too_large"));
	await opened.assertEmpty();
	await assert.rejects(files.write(OWNER, FILE, pieces(101), { maxBytes: 100 }), isFailed("too_large"));
	await opened.assertEmpty();
	for (const part of ["put", "/files/commit", "/files/extend"]) {
		broken.add(part);
		await assert.rejects(files.write(OWNER, FILE, pieces(KIB * KIB), NO_LIMIT));
		broken.clear();
		await opened.assertEmpty();
	}
});

test("what cannot be deleted now is deleted by the sweep", async (context) => {
	const opened = await openFiles(context);
	const { files, broken, clock } = opened;
	const { $file } = await files.write(OWNER, FILE, pieces(10), NO_LIMIT);
	for (const part of ["delete", "/files/remove"]) {
		broken.add(part);
		await files.delete(OWNER, [$file]).catch(() => {});
		assert.equal(await files.find(OWNER, $file), null);
		assert.deepEqual(
			(await opened.rows()).map(({ state }) => state),
			["deleted"],
		);
	}
	broken.clear();
	clock.advance(60_000);
	assert.equal(await files.sweep(), 1);
	await opened.assertEmpty();
	assert.equal(await files.sweep(), 0);
});

test("a write that fails while the store is away is swept", async (context) => {
	const opened = await openFiles(context);
	const { files, broken, clock } = opened;
	broken.add("/files/commit").add("/files/mark");
	await assert.rejects(files.write(OWNER, FILE, pieces(10), NO_LIMIT));
	broken.clear();
	assert.equal(opened.bytes(), 1);
	assert.equal(await files.sweep(), 0);
	clock.advance(HOUR);
	assert.equal(await files.sweep(), 1);
	await opened.assertEmpty();
});

test("a file that was swept while it was written leaves no bytes", async (context) => {
	const opened = await openFiles(context);
	const { files, clock } = opened;
	const isSwept = async function* () {
		yield* pieces(10);
		clock.advance(HOUR);
		assert.equal(await files.sweep(), 1);
		assert.deepEqual(await opened.rows(), []);
	};
	await assert.rejects(files.write(OWNER, FILE, isSwept(), NO_LIMIT));
	await opened.assertEmpty();
});

test("a file is not swept while its bytes still come, however slowly", async (context) => {
	const opened = await openFiles(context, { maxFileBytes: 100 * KIB * KIB });
	const { files, clock } = opened;
	const slowly = async function* () {
		// 8 KiB a second, in steps of two minutes.
		for (let sent = 0; sent < 70 * KIB * KIB; sent += 960 * KIB) {
			yield new Uint8Array(960 * KIB);
			clock.advance(120_000);
			assert.equal(await files.sweep(), 0);
		}
	};
	await files.write(OWNER, FILE, slowly(), NO_LIMIT);
});

test("a process that starts knows what the one before was writing", async (context) => {
	const opened = await openFiles(context);
	opened.broken.add("/files/commit").add("/files/mark");
	await assert.rejects(opened.files.write(OWNER, FILE, pieces(10), NO_LIMIT));
	opened.broken.clear();
	opened.clock.advance(1000);
	const next = opened.create(null);
	await next.expireUnfinished();
	assert.equal(await opened.files.sweep(), 1);
	await opened.assertEmpty();
});

test("parallel writes never exceed the namespace's size together", async (context) => {
	const { files, counted } = await openFiles(context, { maxFilesBytes: 2 * KIB * KIB });
	const writes = Array.from({ length: 8 }, () => files.write(OWNER, FILE, pieces(700 * KIB), NO_LIMIT));
	const settled = await Promise.allSettled(writes);
	const failed = settled.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
	assert.ok(failed.every(({ reason }) => isFailed("too_large")(reason)));
	assert.ok((await counted()) <= 2 * KIB * KIB);
	assert.equal((await counted()) / (700 * KIB), 8 - failed.length);
	await files.write("other", FILE, pieces(700 * KIB), NO_LIMIT);
});

test("small files do not need the room of large ones", async (context) => {
	const { files } = await openFiles(context, { maxFilesBytes: 100 * KIB * KIB });
	await Promise.all(Array.from({ length: 100 }, () => files.write(OWNER, FILE, pieces(100), NO_LIMIT)));
});

test("without a place for bytes nothing can be written or found", async (context) => {
	const { create, files } = await openFiles(context);
	const { $file } = await files.write(OWNER, FILE, pieces(10), NO_LIMIT);
	const none = create(null);
	assert.equal(none.isAvailable, false);
	await assert.rejects(none.write(OWNER, FILE, pieces(1), NO_LIMIT), isFailed("unavailable"));
	assert.deepEqual(
		[await none.find(OWNER, $file), await none.findOwner($file), await none.sweep()],
		[null, null, 0],
	);
});

test("bytes that are gone are not found", async (context) => {
	const opened = await openFiles(context);
	const { $file } = await opened.files.write(OWNER, FILE, pieces(10), NO_LIMIT);
	const file = await opened.files.open(OWNER, $file);
	await opened.files.delete(OWNER, [$file]);
	assert.ok(file !== null);
	await assert.rejects(readAll(file.read()), isFailed("not_found"));
});
