import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import manifest from "../package.json" with { type: "json" };
import { start } from "./process.ts";

test("--version is the manifest's", async (context) => {
	const running = start(context, ["--version"]);
	assert.deepEqual(await running.waitForExit(), { code: 0, signal: null });
	assert.equal(running.stdout(), `${manifest.version}\n`);
	assert.equal(running.stderr(), "");
});

test("the exit code is that of the command", async (context) => {
	assert.equal((await start(context, ["nosuch"]).waitForExit()).code, 2);
});

test("a closed pipe is not an error", async (context) => {
	const running = start(context, ["--help"]);
	running.child.stdout?.destroy();
	assert.deepEqual(await running.waitForExit(), { code: 0, signal: null });
	assert.equal(running.stderr(), "");
});

test("Ctrl-C ends it at once, which a shell reports as 130", async (context) => {
	const silent = createServer();
	await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
	const { port } = silent.address() as { port: number };
	const running = start(context, ["mcp-setup", "--verify"], {
		env: { SERVICE_MCP_URL: `http://127.0.0.1:${port}` },
	});
	await running.waitForText("connecting to");
	running.child.kill("SIGINT");
	assert.deepEqual(await running.waitForExit(), { code: null, signal: "SIGINT" });
	silent.close();
});
