import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { type Started, start, temporaryFolder } from "../../apps/node/test/process.ts";

const ROUNDS = 4;
const UPLOADS = 6;
const PIECES = 40;
const PIECE = new Uint8Array(65_536).fill(120);
const TENANT = { "x-service-api-key": "o" };

/** Uploads in pieces with pauses, so that a kill meets uploads in every state. */
function upload(service: Started): Promise<string | null> {
	const content = async function* () {
		for (let piece = 0; piece < PIECES; piece++) {
			yield PIECE;
			await wait(randomInt(4));
		}
	};
	const options = { method: "POST", headers: TENANT, body: ReadableStream.from(content()), duplex: "half" };
	return fetch(`${service.publicUrl}/files`, options as RequestInit)
		.then(async (response) => (response.ok ? ((await response.json()) as { id: string }).id : null))
		.catch(() => null);
}

const listBlobs = (cwd: string): string[] =>
	readdirSync(join(cwd, "data/files"), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => entry.name);

function readRows(context: TestContext, cwd: string) {
	const database = new DatabaseSync(join(cwd, "data/store.db"), { readOnly: true });
	context.after(() => database.close());
	const rows = database.prepare("select id, state, size from files").all();
	const counted = database
		.prepare("select value from counters where name = 'files' || char(10) || 'o'")
		.get();
	return { rows, counted: counted?.value };
}

async function eventually(check: () => void): Promise<void> {
	for (let tries = 0; ; tries++) {
		try {
			return check();
		} catch (error) {
			if (tries === 100) throw error;
		}
		await wait(100);
	}
}

test("kill -9 during uploads leaves no bytes without a file, no part and no row after the sweep", async (context) => {
	const cwd = temporaryFolder(context);
	const stored = new Set<string>();
	let parts = 0;
	for (let round = 0; round < ROUNDS; round++) {
		const service = await start(context, { LOG_LEVEL: "silent" }, cwd);
		const first = await upload(service);
		if (first !== null) stored.add(first);
		const uploads = Array.from({ length: UPLOADS }, () => upload(service));
		await wait(60 + randomInt(100));
		service.child.kill("SIGKILL");
		await service.exited();
		for (const id of await Promise.all(uploads)) if (id !== null) stored.add(id);
		parts += listBlobs(cwd).filter((name) => name.endsWith(".part")).length;
	}
	assert.ok(parts > 0, "no upload was interrupted");
	// The first tick of a new process sweeps.
	const service = await start(context, { LOG_LEVEL: "silent" }, cwd);
	await eventually(() => {
		const { rows, counted } = readRows(context, cwd);
		assert.deepEqual(
			rows.filter(({ state }) => state !== "stored"),
			[],
		);
		assert.equal(listBlobs(cwd).length, rows.length);
		assert.equal(
			counted,
			rows.reduce((sum, { size }) => sum + Number(size), 0),
		);
	});
	assert.deepEqual(
		listBlobs(cwd).filter((name) => name.endsWith(".part")),
		[],
	);
	for (const id of stored) {
		const response = await fetch(`${service.publicUrl}/files/${id}/content`, { headers: TENANT });
		assert.equal((await response.bytes()).length, PIECES * PIECE.length);
	}
	context.diagnostic(`${parts} interrupted uploads over ${ROUNDS} kills, ${stored.size} files stored`);
});

test("a file may be deleted, or expire, while it is downloaded", async (context) => {
	const service = await start(context, { LOG_LEVEL: "silent" }, temporaryFolder(context));
	const id = await upload(service);
	const path = `${service.publicUrl}/files/${id}`;
	const response = await fetch(`${path}/content`, { headers: TENANT });
	const reader = (response.body as ReadableStream<Uint8Array>).getReader();
	let length = (await reader.read()).value?.length ?? 0;
	const deleted = await fetch(path, { method: "DELETE", headers: TENANT });
	assert.equal(deleted.status, 200);
	for (let piece = await reader.read(); !piece.done; piece = await reader.read())
		length += piece.value.length;
	assert.equal(length, PIECES * PIECE.length);
	assert.equal((await fetch(`${path}/content`, { headers: TENANT })).status, 404);
	assert.equal((await fetch(`${service.publicUrl}/healthz`)).status, 200);
});
