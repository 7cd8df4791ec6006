import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import type { Json } from "@tripline/contract/json";
import { memoryFiles } from "./memory-files.ts";
import { memoryFolders } from "./memory-folders.ts";
import { runForOutput, runNode } from "./run-node.ts";

describe("folder", () => {
	let disk: Map<string, string>;
	let kept: ReturnType<typeof memoryFiles>;
	beforeEach(() => {
		disk = new Map([
			["/srv/a.csv", "id\n1\n"],
			["/srv/b.bin", "xyz"],
			["/srv/c.txt", ""],
		]);
		kept = memoryFiles();
	});
	const getEffects = () => ({ folders: memoryFolders(disk), files: kept.files });
	const run = (params: { [name: string]: Json }, input = {}) =>
		runForOutput("folder", params, { input, effects: getEffects() });
	const fail = async (params: { [name: string]: Json }) => {
		const outcome = await runNode("folder", params, { effects: getEffects() });
		return "error" in outcome ? outcome.error : assert.fail("it did not fail");
	};

	test("lists a folder page by page", async () => {
		const first = (await run({ action: "list", path: "/srv/", limit: 2 })) as never as {
			entries: { path: string }[];
			next: string;
		};
		assert.deepEqual(first.entries[0], {
			name: "a.csv",
			path: "/srv/a.csv",
			kind: "file",
			size: 5,
			modified_at: "2026-03-01T00:00:00.000Z",
		});
		assert.equal(first.next, "b.bin");
		const rest = (await run({ action: "list", path: "/srv", after: first.next })) as never as typeof first;
		assert.deepEqual([rest.entries.map(({ path }) => path), rest.next], [["/srv/c.txt"], null]);
	});

	test("reads a file, whose type follows from its suffix unless it is set", async () => {
		const file = (await run({ action: "read", path: "/srv/a.csv" })) as never as Parameters<
			typeof kept.bytes
		>[0];
		assert.deepEqual({ ...file, $file: "" }, { $file: "", name: "a.csv", type: "text/csv", size: 5 });
		assert.equal(new TextDecoder().decode(kept.bytes(file)), "id\n1\n");
		const types = [
			await run({ action: "read", path: "/srv/b.bin" }),
			await run({ action: "read", path: "/srv/b.bin", type: "image/png" }),
		].map((each) => (each as never as { type: string }).type);
		assert.deepEqual(types, ["application/octet-stream", "image/png"]);
	});

	test("writes a file or a text", async () => {
		const file = kept.add("report.pdf", "application/pdf", "%PDF");
		assert.deepEqual(await run({ action: "write", path: "/srv/new.pdf", file: "{{input.file}}" }, { file }), {
			path: "/srv/new.pdf",
			size: 4,
		});
		await run({ action: "write", path: "/srv/c.txt", text: "häh", overwrite: true });
		assert.deepEqual([disk.get("/srv/new.pdf"), disk.get("/srv/c.txt")], ["%PDF", "häh"]);
	});

	test("does not replace a file unless it is told to", async () => {
		const exists = "a file exists at this path: set overwrite to replace it";
		assert.equal(await fail({ action: "write", path: "/srv/a.csv", text: "" }), exists);
		assert.equal(await fail({ action: "move", path: "/srv/b.bin", to: "/srv/a.csv" }), exists);
		assert.equal(disk.get("/srv/a.csv"), "id\n1\n");
	});

	test("writes nothing if the file may not be opened", async () => {
		const stranger = { $file: "A".repeat(22), name: "x", type: "text/plain", size: 1 };
		assert.equal(await fail({ action: "write", path: "/srv/x", file: stranger }), "file not found");
		assert.equal(disk.has("/srv/x"), false);
	});

	test("says at save which parameters an action has", async () => {
		for (const [params, problem] of [
			[{ action: "write", path: "/srv/x" }, /"action" is write, which needs file or text/],
			[
				{ action: "write", path: "/srv/x", text: "", file: "{{input.f}}" },
				/"text" must be left out, or file/,
			],
			[{ action: "move", path: "/srv/x" }, /"to" is required/],
			[{ action: "read", path: "/srv/x", overwrite: true }, /"overwrite" is only for write and move/],
			[{ action: "delete", path: "" }, /"path" must be at least 1/],
			[{ action: "chmod", path: "/srv/x" }, /"action"/],
		] as const)
			assert.match(await fail(params as never), problem);
	});

	test("without a folder that is open to workflows it fails and says how to open one", async () => {
		const outcome = await runNode("folder", { action: "list", path: "/srv" }, { effects: { folders: null } });
		assert.match(
			"error" in outcome ? outcome.error : "",
			/^no folder is open to workflows: name it in ALLOW_FOLDERS/,
		);
	});
});
