import assert from "node:assert/strict";
import { test } from "node:test";
import { start } from "./process.ts";

const FREE_PORTS = { PORT: "0", STORE_PORT: "0" };

test("serve runs the service until it is told to stop", async (context) => {
	const running = start(context, ["serve"], { env: FREE_PORTS });
	await running.waitForText("Try it:");
	const url = /service +(http:\/\/\S+)/.exec(running.stdout())?.[1];
	assert.equal((await fetch(`${url}/healthz`)).status, 200);
	running.child.kill("SIGTERM");
	assert.deepEqual(await running.waitForExit(), { code: 0, signal: null });
	assert.match(running.stderr(), /"stopped"/);
});

test("the service's exit code and message are passed on", async (context) => {
	const running = start(context, ["serve"], { env: { PORT: "nonsense" } });
	assert.deepEqual(await running.waitForExit(), { code: 2, signal: null });
	assert.match(running.stderr(), /^tripline: .*PORT/);
});

test("with --json only the outcome is on stdout", async (context) => {
	const running = start(context, ["serve", "--json"], { env: FREE_PORTS });
	await running.waitForText("Try it:");
	running.child.kill("SIGINT");
	await running.waitForExit();
	assert.deepEqual(JSON.parse(running.stdout()), { exit_code: 0 });
});
