import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { toLocalName } from "../src/files/local-name.ts";
import type { Io } from "../src/io.ts";
import { startWithoutService } from "./world.ts";

const { cli, place } = startWithoutService();
const ID = "a".repeat(22);

type Content = string | ReadableStream<Uint8Array>;

/** A service with one file, which may say anything about it. */
const serve = (
	file: { name?: string; type?: string; size?: number },
	content: Content | (() => Content) = "hello",
): Io["fetch"] => {
	const stored = {
		id: ID,
		name: "a.txt",
		type: "text/plain",
		size: 5,
		kept_as: null,
		execution_id: null,
		created_at: "2026-11-16T08:00:00.000Z",
		expires_at: "2026-11-17T08:00:00.000Z",
		...file,
	};
	return async ({ url }) => {
		const { pathname } = new URL(url);
		if (pathname === `/files/${ID}/content`)
			return new Response(typeof content === "function" ? content() : content);
		if (pathname === `/files/${ID}`) return Response.json(stored);
		if (pathname === "/files") return Response.json({ files: [stored], next_cursor: null });
		return Response.json({ error: "not found" }, { status: 404 });
	};
};

const listFolder = (cwd: string): string[] => readdirSync(cwd, { recursive: true }).map(String).sort();

for (const name of [
	"../../escaped.txt",
	"/tmp/tripline-escaped.txt",
	"..\\..\\escaped.txt",
	"..",
	"\u0000\u001b]0;title\u0007",
	".bashrc",
	"n".repeat(4000),
	"長".repeat(200),
]) {
	test(`a file named ${JSON.stringify(name.slice(0, 30))} is written into the working folder`, async () => {
		const at = place();
		const before = listFolder(dirname(at.cwd));
		const { code, out, err } = await cli(["files", "download", ID], { at, fetch: serve({ name }) });
		assert.equal(code, 0, err);
		const [written = "", ...others] = readdirSync(at.cwd);
		assert.deepEqual(others, []);
		assert.match(written, /^[^.\p{Cc}/\\][^\p{Cc}/\\]*$/u);
		assert.equal(readFileSync(join(at.cwd, written), "utf8"), "hello");
		assert.equal(listFolder(dirname(at.cwd)).length, before.length + 1);
		// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal.
		assert.doesNotMatch(out.trimEnd(), /[\u0000-\u001f\u007f-\u009f]/);
	});
}

test("names for Windows avoid its reserved names and characters", () => {
	assert.equal(toLocalName("nul.txt", "win32"), "_nul.txt");
	assert.equal(toLocalName("a:b?.txt", "win32"), "a_b_.txt");
	assert.equal(toLocalName("a. ", "win32"), "a_");
	assert.equal(toLocalName("a:b.txt", "linux"), "a:b.txt");
});

test("names from the service do not reach the terminal as commands", async () => {
	const fetch = serve({ name: "a\u001b[2J\u202ecod.exe", type: "x/\u001b[31m" });
	for (const argv of [
		["files", "list"],
		["files", "show", ID],
	]) {
		const { out } = await cli(argv, { fetch });
		// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal.
		assert.doesNotMatch(out, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
	}
});

test("a download replaces a file only with --force", async () => {
	const at = place();
	const files = { "a.txt": "mine" };
	const refused = await cli(["files", "download", ID], { at, files, fetch: serve({}) });
	assert.equal(refused.code, 1);
	assert.match(refused.err, /there is already a file a\.txt\n {2}--force replaces it/);
	assert.equal(readFileSync(join(at.cwd, "a.txt"), "utf8"), "mine");
	const forced = await cli(["files", "download", ID, "--force"], { at, fetch: serve({}) });
	assert.equal(forced.code, 0, forced.err);
	assert.equal(readFileSync(join(at.cwd, "a.txt"), "utf8"), "hello");
});

test("a file that appears during the download is not replaced", async () => {
	const at = place();
	const fetch = serve({}, () => {
		writeFileSync(join(at.cwd, "a.txt"), "mine");
		return "hello";
	});
	const { code, err } = await cli(["files", "download", ID], { at, fetch });
	assert.equal(code, 1);
	assert.match(err, /there is already a file/);
	assert.deepEqual(readdirSync(at.cwd), ["a.txt"]);
	assert.equal(readFileSync(join(at.cwd, "a.txt"), "utf8"), "mine");
});

test("a link in the folder is not followed", async () => {
	const at = place();
	const outside = join(at.home, "outside.txt");
	symlinkSync(outside, join(at.cwd, "a.txt"));
	const { code } = await cli(["files", "download", ID], { at, fetch: serve({}) });
	assert.equal(code, 1);
	assert.equal(existsSync(outside), false);
});

test("a download that breaks off leaves nothing behind", async () => {
	const at = place();
	const broken = () =>
		new ReadableStream<Uint8Array>({
			start: (controller) => controller.enqueue(new TextEncoder().encode("he")),
			pull: () => Promise.reject(new TypeError("terminated")),
		});
	const results = [
		await cli(["files", "download", ID], { at, fetch: serve({}, broken) }),
		await cli(["files", "download", ID], { at, fetch: serve({}, "he") }),
	];
	for (const { code, err } of results) {
		assert.equal(code, 1);
		assert.match(err, /the download broke off/);
	}
	assert.deepEqual(readdirSync(at.cwd), []);
});

test("--to takes a folder or a path, and makes its folders", async () => {
	const at = place();
	mkdirSync(join(at.cwd, "there"));
	await cli(["files", "download", ID, "--to", "there"], { at, fetch: serve({}) });
	await cli(["files", "download", ID, "--to", "new/folder/b.txt"], { at, fetch: serve({}) });
	assert.deepEqual(listFolder(at.cwd), ["new", "new/folder", "new/folder/b.txt", "there", "there/a.txt"]);
});

test("an id that is none is refused before a call", async () => {
	const fetch = () => Promise.reject(new Error("called"));
	for (const argv of [
		["files", "show", "../webhooks"],
		["files", "download", "x"],
		["files", "delete", ID, "x"],
	]) {
		const { code, err } = await cli(argv, { fetch });
		assert.equal(code, 2);
		assert.match(err, /is not the id of a file/);
	}
});

test("a long download shows its progress on a terminal only", async () => {
	let now = 0;
	const options = {
		fetch: serve({ size: 200_000 }, () => {
			let left = 20;
			return new ReadableStream<Uint8Array>({
				pull(controller) {
					now += 300;
					if (left-- > 0) controller.enqueue(new Uint8Array(10_000));
					else controller.close();
				},
			});
		}),
		now: () => now,
	};
	const shown = await cli(["files", "download", ID], { ...options, isTerminal: true });
	assert.match(shown.err, /downloading a\.txt 50% of 200 kB/);
	assert.ok(shown.err.endsWith("\r\u001b[K"));
	for (const flags of [["--quiet"], ["--json"]])
		assert.equal((await cli(["files", "download", ID, ...flags], { ...options, isTerminal: true })).err, "");
	assert.equal((await cli(["files", "download", ID], options)).err, "");
});
