import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readlinkSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { folderBlobs } from "../src/blobs.folder.ts";
import { blobsContract } from "./contracts/blobs.ts";

const KEY = "Acme/someFile";
const NO_LIMIT = { maxBytes: Number.MAX_SAFE_INTEGER };
const WRITER = fileURLToPath(new URL("blobs-writer.ts", import.meta.url));

function createFolder(context: TestContext): string {
	const folder = mkdtempSync(join(tmpdir(), "tripline-blobs-"));
	context.after(() => rmSync(folder, { recursive: true }));
	return join(folder, "files");
}

const listFiles = (folder: string): string[] =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => !entry.isDirectory())
		.map((entry) => join(entry.parentPath, entry.name));

async function* zeros(count: number): AsyncGenerator<Uint8Array> {
	for (let nth = 0; nth < count; nth++) yield new Uint8Array(65_536);
}

/** Handles that this process has open below the folder. */
const listOpen = (folder: string): string[] =>
	readdirSync("/proc/self/fd").flatMap((fd) => {
		try {
			return [readlinkSync(`/proc/self/fd/${fd}`)].filter((path) => path.startsWith(folder));
		} catch {
			return [];
		}
	});

const hasProc = existsSync("/proc/self/fd");

describe("blobs in a folder", () => {
	for (const { name, run } of blobsContract) test(name, (context) => run(folderBlobs(createFolder(context))));

	test("nobody else can read the files and folders", async (context) => {
		const folder = createFolder(context);
		await folderBlobs(folder).put(KEY, zeros(1), NO_LIMIT);
		const [path = ""] = listFiles(folder);
		const modes = [path, dirname(path), folder].map((each) => statSync(each).mode & 0o777);
		assert.deepEqual(modes, [0o600, 0o700, 0o700]);
	});

	test("names do not depend on a file system that distinguishes letter case", async (context) => {
		const folder = createFolder(context);
		const blobs = folderBlobs(folder);
		const keys = ["acme/ab", "acme/Ab", "acme/aB", "acme/AB", "ACME/ab", "con/nul"];
		for (const key of keys) await blobs.put(key, zeros(1), NO_LIMIT);
		const names = listFiles(folder);
		assert.equal(new Set(names.map((name) => name.toLowerCase())).size, keys.length);
		// Windows reserves these, with any suffix that starts with a dot.
		assert.ok(!names.some((name) => /(?:^|[/\\])(?:con|nul)(?:[/\\.]|$)/.test(name)));
	});

	test("a write that failed leaves no file", async (context) => {
		const folder = createFolder(context);
		async function* failing() {
			yield* zeros(20);
			throw new Error("the sender left");
		}
		await assert.rejects(folderBlobs(folder).put(KEY, failing(), NO_LIMIT), /the sender left/);
		await assert.rejects(folderBlobs(folder).put(KEY, zeros(20), { maxBytes: 1_000_000 }), /at most 1000000/);
		assert.deepEqual(listFiles(folder), []);
	});

	test("a second write of a key fails while the first is under way, and does not disturb it", async (context) => {
		const folder = createFolder(context);
		const blobs = folderBlobs(folder);
		async function* overlapping() {
			yield new Uint8Array(1);
			await assert.rejects(blobs.put(KEY, zeros(1), NO_LIMIT), { code: "EEXIST" });
			yield new Uint8Array(1);
		}
		assert.deepEqual(await blobs.put(KEY, overlapping(), NO_LIMIT), { size: 2 });
		assert.equal(listFiles(folder).length, 1);
	});

	test("a blob deleted while it is written is not written", async (context) => {
		const folder = createFolder(context);
		const blobs = folderBlobs(folder);
		async function* deleting() {
			yield* zeros(3);
			await blobs.delete(KEY);
		}
		await assert.rejects(blobs.put(KEY, deleting(), NO_LIMIT), { code: "ENOENT" });
		assert.deepEqual(listFiles(folder), []);
	});

	test("a blob deleted while it is read is read to its end", async (context) => {
		const blobs = folderBlobs(createFolder(context));
		await blobs.put(KEY, zeros(10), NO_LIMIT);
		const found = await blobs.get(KEY);
		await blobs.delete(KEY);
		assert.equal((await new Response(found?.content).bytes()).length, 655_360);
	});

	test("a process killed while it writes leaves a part that is no blob and that delete removes", async (context) => {
		const folder = createFolder(context);
		const writer = spawn(process.execPath, [WRITER, folder, KEY], { stdio: ["ignore", "pipe", "inherit"] });
		await once(writer.stdout, "data");
		writer.kill("SIGKILL");
		await once(writer, "exit");
		assert.match(listFiles(folder).join(), /\.part$/);
		const blobs = folderBlobs(folder);
		assert.equal(await blobs.get(KEY), null);
		await blobs.delete(KEY);
		assert.deepEqual(listFiles(folder), []);
	});

	test("a file that may not grow further gives a clear error and leaves nothing", {
		skip: process.platform === "win32",
	}, (context) => {
		const folder = createFolder(context);
		const limited = `ulimit -f 2048; exec "$0" "$@"`;
		const { stdout } = spawnSync("sh", ["-c", limited, process.execPath, WRITER, folder, KEY], {
			encoding: "utf8",
		});
		assert.match(stdout, /PlatformUnavailable: the disk that keeps files takes no file of this size/);
		assert.deepEqual(listFiles(folder), []);
	});

	test("a full disk gives a clear error and leaves nothing", { skip: !mayMount() }, (context) => {
		const folder = createFolder(context);
		mkdirSync(folder);
		const mounted = `mount -t tmpfs -o size=2m tmpfs "$2" && "$0" "$@"; find "$2" -type f`;
		const { stdout } = spawnSync(
			"unshare",
			["--map-root-user", "--mount", "sh", "-c", mounted, process.execPath, WRITER, folder, KEY],
			{ encoding: "utf8" },
		);
		assert.match(stdout, /PlatformUnavailable: the disk that keeps files is full: free some space\n$/);
	});

	test("a link in the place of a blob is not followed", async (context) => {
		const folder = createFolder(context);
		const blobs = folderBlobs(folder);
		await blobs.put(KEY, zeros(1), NO_LIMIT);
		const [path = ""] = listFiles(folder);
		const outside = join(folder, "..", "outside");
		writeFileSync(outside, "secret");
		rmSync(path);
		symlinkSync(outside, path);
		await assert.rejects(blobs.get(KEY), { code: "ELOOP" });
		await blobs.delete(KEY);
		symlinkSync(outside, `${path}.part`);
		await assert.rejects(blobs.put(KEY, zeros(1), NO_LIMIT), { code: "EEXIST" });
		assert.equal(statSync(outside).size, 6);
	});

	test("no handle stays open after a stream ended or was cancelled", { skip: !hasProc }, async (context) => {
		const folder = createFolder(context);
		const blobs = folderBlobs(folder);
		await blobs.put(KEY, zeros(10), NO_LIMIT);
		await new Response((await blobs.get(KEY))?.content).bytes();
		await (await blobs.get(KEY))?.content.cancel();
		await blobs.get(KEY, { start: 10, end: 10 });
		const partly = (await blobs.get(KEY))?.content;
		for await (const _ of partly ?? []) break;
		const reader = (await blobs.get(KEY))?.content.getReader({ mode: "byob" });
		for (let view = new Uint8Array(50_000); ; ) {
			const { done, value } = (await reader?.read(view)) ?? assert.fail();
			if (done) break;
			view = new Uint8Array(value.buffer);
		}
		assert.deepEqual(listOpen(folder), []);
		const open = await blobs.get(KEY);
		assert.equal(listOpen(folder).length, 1);
		await open?.content.cancel();
	});

	test("no handle stays open after a file became shorter", { skip: !hasProc }, async (context) => {
		const folder = createFolder(context);
		const blobs = folderBlobs(folder);
		await blobs.put(KEY, zeros(10), NO_LIMIT);
		const found = await blobs.get(KEY);
		writeFileSync(listFiles(folder)[0] ?? "", "short");
		await assert.rejects(new Response(found?.content).bytes(), /shorter than it was/);
		assert.deepEqual(listOpen(folder), []);
	});
});

function mayMount(): boolean {
	const args = ["--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"];
	return spawnSync("unshare", args).status === 0;
}
