import assert from "node:assert/strict";
import { FileLink, type FileValue, StoredFile } from "@tripline/contract/files";
import { RunResult } from "@tripline/contract/workflows";
import { ERAS } from "../../../mcp/wire.ts";
import type { Scenario } from "../../scenario.ts";
import { echo, save } from "../executor/saving.ts";
import { callForResult, callTool } from "./asking.ts";
import { openConsole, openOthersConsole } from "./console.ts";
import { OPEN } from "./settings.ts";

const LARGE_BYTES = 5_000_000;

export const mcpFiles: readonly Scenario[] = [
	{
		name: "a run through MCP takes a file and answers with a link to it, whose resource can be read",
		cites: ["MCP-ENDPOINT", "MCP-EXPOSES-TENANT-DATA"],
		environment: OPEN,
		async run(world) {
			await save(world, echo("echo"));
			for (const era of ERAS) {
				const options = { era };
				const given = { name: "茶.md", content: "# Tea", type: "text/markdown" };
				const { value } = await callTool<{ value: FileValue }>(world, "save_file", given, options);
				const uri = `tripline://files/${value.$file}`;
				const result = await callForResult(world, world.owner, era, "tools/call", {
					name: "run_workflow",
					arguments: { name: "echo", input: { file: value } },
				});
				const [text, ...attached] = result.content as { type: string; text: string }[];
				assert.deepEqual(JSON.parse(text?.text ?? ""), result.structuredContent);
				assert.deepEqual(attached, [
					{ type: "resource_link", uri, name: "茶.md", mimeType: "text/markdown", size: 5 },
					{ type: "resource", resource: { uri, mimeType: "text/markdown", text: "# Tea" } },
				]);
				const read = await callForResult(world, world.owner, era, "resources/read", { uri });
				assert.deepEqual(read.contents, [{ uri, mimeType: "text/markdown", text: "# Tea" }]);
				const got = await callTool<{ content: string; download_url: string }>(
					world,
					"get_file",
					{ id: value.$file },
					options,
				);
				assert.equal(got.content, "# Tea");
				assert.equal(await (await fetch(got.download_url)).text(), "# Tea");
			}
		},
	},
	{
		name: "the console uploads a large file, reads it, runs with it, and makes a link that needs no login",
		cites: ["MCP-GUI-AUTH", "MCP-THIN-SHELL"],
		environment: OPEN,
		async run(world) {
			await save(world, echo("echo"));
			const console = openConsole(world);
			const bytes = new Uint8Array(LARGE_BYTES).map((_, nth) => (nth * 7) % 251);
			const file = await console.expect(201, StoredFile, "POST", "/files?name=a%2Fb.bin", {
				raw: bytes,
				headers: { "content-type": "application/zip" },
			});
			assert.deepEqual([file.name, file.type, file.size], ["b.bin", "application/zip", LARGE_BYTES]);
			const value = { $file: file.id, name: file.name, type: file.type, size: file.size };
			const run = await console.expect(200, RunResult, "POST", "/workflows/echo/run", { body: { value } });
			assert.deepEqual(JSON.stringify(run.data).includes(file.id), true);
			const { url } = await console.expect(200, FileLink, "POST", `/files/${file.id}/link`);
			const linked = await fetch(url);
			assert.equal(linked.status, 200);
			assert.match(linked.headers.get("content-disposition") ?? "", /^attachment/);
			assert.deepEqual(new Uint8Array(await linked.arrayBuffer()), bytes);
			const other = openOthersConsole(world);
			await other.refuse(404, "GET", `/files/${file.id}`);
			await other.refuse(404, "GET", `/files/${file.id}/content`);
			await other.refuse(404, "DELETE", `/files/${file.id}`);
			const deleted = await console.call("DELETE", `/files/${file.id}`);
			assert.equal(deleted.status, 200);
			assert.equal((await fetch(url)).status, 404);
			await console.refuse(404, "GET", `/files/${file.id}/content`);
		},
	},
];
