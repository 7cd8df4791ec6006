import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { start } from "./process.ts";

const WRITER = fileURLToPath(new URL("../src/log-writer.ts", import.meta.url));
const REQUESTS = 12_000;
const AT_ONCE = 20;
/** The buffers of the writer, of the operating system's pipe and of the test's own reader. */
const MAX_KEPT_BYTES = 2 * 1024 * 1024;

describe("a stalled log reader", { concurrency: 1 }, () => {
	test("costs log lines, which are counted, but no requests", { timeout: 60_000 }, async (context) => {
		const { child, publicUrl, stderr } = await start(context, { LOG_LEVEL: "info" });
		child.stderr?.pause();
		const before = stderr().length;
		const slowest = await requestAll(context, publicUrl);
		assert.ok(slowest < 5000, `the slowest request took ${slowest} ms`);
		child.stderr?.resume();
		const dropped = await waitForLine(stderr, "log lines were dropped");
		assert.equal(dropped.level, "warn");
		assert.match(String(dropped.time), /^\d{4}-\d\d-\d\dT/);
		const told = countRequestLines(stderr()) + Number(dropped.count);
		assert.ok(told >= REQUESTS && told < REQUESTS + 10, `of ${REQUESTS} requests ${told} are accounted for`);
		assert.ok(stderr().length - before < MAX_KEPT_BYTES, `${stderr().length} characters were kept`);
		await fetch(`${publicUrl}/healthz`, { headers: { "x-request-id": "afterwards" } });
		await waitForLine(stderr, "afterwards");
		assert.equal(stderr().match(/log lines were dropped/g)?.length, 1, "told once");
	});

	test("does not keep the process from stopping", { timeout: 60_000 }, async (context) => {
		const { child, publicUrl, exited } = await start(context, { LOG_LEVEL: "info" });
		child.stderr?.pause();
		await requestAll(context, publicUrl);
		const asked = Date.now();
		child.kill("SIGTERM");
		assert.deepEqual(await exited(), { code: 0, signal: null });
		assert.ok(Date.now() - asked < 5000, `it took ${Date.now() - asked} ms`);
	});

	test("costs nothing if it resumes in time: the last lines are written at exit", async (context) => {
		const { child, publicUrl, stderr, exited } = await start(context, { LOG_LEVEL: "info" });
		child.stderr?.pause();
		for (let nth = 0; nth < 2000; nth += AT_ONCE) {
			await Promise.all(Array.from({ length: AT_ONCE }, () => fetch(`${publicUrl}/healthz`)));
		}
		child.kill("SIGTERM");
		await sleep(300);
		child.stderr?.resume();
		await exited();
		await waitForLine(stderr, "stopped");
		assert.equal(countRequestLines(stderr()), 2000);
		assert.doesNotMatch(stderr(), /dropped/);
	});

	test("does not block requests after a child process made the shared pipe blocking", async (context) => {
		// Like esbuild, which inherits stderr when it builds the console.
		const child = spawn(process.execPath, ["--input-type=module", "-e", FLOOD], {
			stdio: ["ignore", "pipe", "pipe"],
		});
		context.after(() => child.kill("SIGKILL"));
		child.stderr.pause();
		let stdout = "";
		child.stdout.on("data", (chunk) => {
			stdout += chunk;
		});
		const [code] = await Promise.race([once(child, "exit"), sleep(20_000, ["still running"])]);
		assert.equal(code, 0);
		assert.match(stdout, /^longest pause: \d{1,3} ms\n$/);
	});
});

const FLOOD = `
import { spawnSync } from "node:child_process";
import { stderrWriter } from ${JSON.stringify(WRITER)};
const writer = stderrWriter({ now: () => Date.now() });
const line = "x".repeat(1000) + "\\n";
let longest = 0;
let last = Date.now();
for (let nth = 0; nth < 100; nth++) {
	if (nth === 50) spawnSync(process.execPath, ["--version"], { stdio: ["ignore", "ignore", "inherit"] });
	last = Date.now();
	for (let each = 0; each < 50; each++) writer.write(line);
	await new Promise((resolve) => setTimeout(resolve, 5));
	longest = Math.max(longest, Date.now() - last);
}
console.log("longest pause: " + longest + " ms");
process.on("exit", writer.end);
`;

/** Duration of the slowest request in milliseconds. */
async function requestAll(context: TestContext, publicUrl: string): Promise<number> {
	const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
	context.after(() => agent.destroy());
	const headers = { "x-request-id": "r".repeat(128) };
	let slowest = 0;
	for (let nth = 0; nth < REQUESTS; nth += AT_ONCE) {
		const began = Date.now();
		await Promise.all(
			Array.from({ length: AT_ONCE }, async () => {
				const request = get(`${publicUrl}/healthz`, { agent, headers, timeout: 5000 });
				request.on("timeout", () => request.destroy(new Error(`request ${nth} was not answered`)));
				const [response] = await once(request, "response");
				assert.equal(response.statusCode, 200);
				await once(response.resume(), "end");
			}),
		);
		slowest = Math.max(slowest, Date.now() - began);
	}
	return slowest;
}

const countRequestLines = (log: string): number => log.match(/"message":"request"/g)?.length ?? 0;

async function waitForLine(stderr: () => string, text: string): Promise<Record<string, unknown>> {
	for (const began = Date.now(); Date.now() - began < 10_000; await sleep(50)) {
		const line = stderr()
			.split("\n")
			.find((each) => each.includes(text) && each.endsWith("}"));
		if (line !== undefined) return JSON.parse(line);
	}
	throw new Error(`the log has no line with ${text}`);
}
