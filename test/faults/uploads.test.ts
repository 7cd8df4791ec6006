import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { FileValue } from "@tripline/contract/files";
import { type Started, start, temporaryFolder } from "../../apps/node/test/process.ts";

const QUIET = { LOG_LEVEL: "silent" };
const TENANT = { "x-service-api-key": "default" };
const MIB = 1024 * 1024;
const HEAD = '--b\r\ncontent-disposition: form-data; name="f"; filename="a.bin"\r\n\r\n';
const TAIL = "\r\n--b--\r\n";

/** A workflow that takes files, and the path of its trigger. */
async function createTrigger({ publicUrl }: Started): Promise<string> {
	const response = await fetch(`${publicUrl}/webhooks/named`, {
		method: "POST",
		headers: { ...TENANT, "content-type": "application/json" },
		body: JSON.stringify({
			name: "take",
			description: "",
			version: "1",
			triplets: ["input >> then >> only"],
			config: { only: { component: "set", values: { f: "{{input.f}}" } } },
			trigger: { type: "webhook", accept: ["files"], max_bytes: 100 * MIB },
		}),
	});
	assert.equal(response.status, 201);
	return "/webhooks/named/default/take/trigger";
}

/** Begins a form with a file of 10 MiB and sends this much of it. */
function beginUpload(service: Started, path: string, bytes: number) {
	const headers = {
		"content-type": "multipart/form-data; boundary=b",
		"content-length": HEAD.length + 10 * MIB + TAIL.length,
	};
	const sending = request(service.publicUrl + path, { method: "POST", headers });
	sending.on("error", () => {});
	sending.write(HEAD);
	sending.write(Buffer.alloc(bytes));
	return sending;
}

async function upload(service: Started, path: string, bytes: Buffer): Promise<FileValue> {
	const response = await fetch(service.publicUrl + path, {
		method: "POST",
		headers: { "content-type": "multipart/form-data; boundary=b" },
		body: Buffer.concat([Buffer.from(HEAD), bytes, Buffer.from(TAIL)]),
	});
	assert.equal(response.status, 200);
	return FileValue.parse(((await response.json()) as { data: { f: unknown } }).data.f);
}

/** The files in the folder of blobs, and the rows about them. */
function look(cwd: string): { blobs: number; rows: number } {
	const folder = join(cwd, "data", "files");
	const blobs = existsSync(folder)
		? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
		: 0;
	const database = new DatabaseSync(join(cwd, "data", "store.db"), { readOnly: true });
	try {
		return { blobs, rows: Number(database.prepare("select count(*) as n from files").get()?.n) };
	} finally {
		database.close();
	}
}

async function waitUntil(seconds: number, isDone: () => boolean): Promise<void> {
	for (const until = Date.now() + seconds * 1000; !isDone() && Date.now() < until; ) await wait(50);
}

describe("an upload that ends in the middle", () => {
	test("because the client is gone leaves nothing", async (context) => {
		const cwd = temporaryFolder(context);
		const service = await start(context, QUIET, cwd);
		const path = await createTrigger(service);
		const uploads = Array.from({ length: 5 }, () => beginUpload(service, path, 3 * MIB));
		await waitUntil(20, () => look(cwd).blobs === 5);
		assert.deepEqual(look(cwd), { blobs: 5, rows: 5 });
		for (const sending of uploads) sending.destroy();
		await waitUntil(20, () => look(cwd).rows === 0);
		assert.deepEqual(look(cwd), { blobs: 0, rows: 0 });
		await upload(service, path, Buffer.from("the service goes on"));
	});

	test("because it is longer than it may be leaves nothing", async (context) => {
		const cwd = temporaryFolder(context);
		const service = await start(context, { ...QUIET, MAX_FILE_BYTES: String(MIB) }, cwd);
		const path = await createTrigger(service);
		// Without a length, so that it is found out on the way.
		const sending = request(service.publicUrl + path, {
			method: "POST",
			headers: { "content-type": "multipart/form-data; boundary=b" },
		});
		sending.on("error", () => {});
		const answered = new Promise<number | undefined>((resolve) =>
			sending.on("response", ({ statusCode }) => resolve(statusCode)),
		);
		sending.write(HEAD);
		sending.write(Buffer.alloc(5 * MIB));
		assert.equal(await answered, 413);
		assert.deepEqual(look(cwd), { blobs: 0, rows: 0 });
		sending.destroy();
	});

	test("because the process was killed leaves nothing after a sweep, and what was acknowledged is intact", async (context) => {
		const cwd = temporaryFolder(context);
		const first = await start(context, QUIET, cwd);
		const path = await createTrigger(first);
		const bytes = randomBytes(2 * MIB);
		const kept = await upload(first, path, bytes);
		for (let nth = 0; nth < 5; nth++) beginUpload(first, path, 3 * MIB);
		await waitUntil(20, () => look(cwd).blobs === 6);
		assert.deepEqual(look(cwd), { blobs: 6, rows: 6 });
		first.child.kill("SIGKILL");
		await first.exited();
		const second = await start(context, QUIET, cwd);
		// The sweep follows a tick, of which there is one a minute.
		await waitUntil(90, () => look(cwd).rows === 1);
		assert.deepEqual(look(cwd), { blobs: 1, rows: 1 });
		const url = `${second.publicUrl}/files/${kept.$file}/content`;
		const content = Buffer.from(await (await fetch(url, { headers: TENANT })).arrayBuffer());
		const hash = (of: Buffer) => createHash("sha256").update(of).digest("hex");
		assert.equal(hash(content), hash(bytes));
	});
});
