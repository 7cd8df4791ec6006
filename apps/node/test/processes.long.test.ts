import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { after, before, describe, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type PostgresServer, startPostgres } from "../../../test/postgres.ts";
import { type Started, start, temporaryFolder } from "./process.ts";

const WRITER = new URL("../src/log-writer.ts", import.meta.url).href;
const TIMEOUT_MS = 20_000;

let postgres: PostgresServer;
let schemas = 0;
before(async () => {
	postgres = await startPostgres();
});
after(() => postgres.stop());

const settings = (): Record<string, string> => ({
	DATABASE_URL: postgres.url,
	DATABASE_SCHEMA: `processes_${++schemas}`,
	DATABASE_CONNECTIONS: "8",
	MASTER_KEY: randomBytes(32).toString("base64"),
	MCP_OWNER_SECRET: "the owner's long secret",
});

async function startSeveral(context: TestContext, count: number, cwd?: string): Promise<Started> {
	const service = await start(context, { ...settings(), PROCESSES: String(count) }, cwd);
	await waitUntil(() => listPids(service).length === count, "the log says that all are ready");
	return service;
}

type Line = Readonly<Record<string, unknown>>;

const listLines = ({ stderr }: Started): Line[] =>
	stderr()
		.split("\n")
		.slice(0, -1)
		.map((line) => JSON.parse(line) as Line);

const listPids = (service: Started): number[] =>
	listLines(service)
		.filter(({ message }) => message === "a process is ready")
		.map(({ pid }) => Number(pid));

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

async function waitUntil(isTrue: () => boolean, what: string): Promise<void> {
	for (const began = Date.now(); Date.now() - began < TIMEOUT_MS; await sleep(20)) if (isTrue()) return;
	assert.fail(`not within ${TIMEOUT_MS} ms: ${what}`);
}

/** Sends a request on a connection of its own unless there is an agent. */
async function send(
	url: string,
	{ body = "", agent }: { body?: string; agent?: Agent } = {},
): Promise<{ status: number | undefined; text: string }> {
	const method = body === "" ? "GET" : "POST";
	const sent = request(url, { method, agent: agent ?? false, timeout: TIMEOUT_MS });
	sent.on("timeout", () => sent.destroy(new Error("no answer in time")));
	sent.end(body);
	try {
		const [response] = await once(sent, "response");
		let text = "";
		for await (const chunk of response) text += chunk;
		return { status: response.statusCode, text };
	} catch (error) {
		// The server may close a connection that is idle, and a client then opens another one.
		if (sent.reusedSocket && (error as NodeJS.ErrnoException).code === "ECONNRESET")
			return send(url, { body });
		throw error;
	}
}

/** A webhook whose run takes that long. */
async function createSlowWebhook({ publicUrl }: Started, ms: number): Promise<string> {
	const workflow = { triplets: ["input >> then >> pause"], config: { pause: { component: "wait", ms } } };
	const { status, text } = await send(`${publicUrl}/webhooks`, { body: JSON.stringify(workflow) });
	assert.equal(status, 201, text);
	const { pathname } = new URL((JSON.parse(text) as { webhook_url: string }).webhook_url);
	return publicUrl + pathname;
}

async function assertRefusesToStart(
	context: TestContext,
	variables: Record<string, string>,
	line: RegExp,
): Promise<void> {
	const service = await start(context, variables);
	assert.deepEqual(await service.exited(), { code: 2, signal: null });
	assert.match(service.stderr(), line);
	assert.equal(service.stderr().trimEnd().split("\n").length, 1, service.stderr());
}

describe("several processes", { concurrency: 1, timeout: 240_000 }, () => {
	test("share both ports and get connections in turn", async (context) => {
		const service = await startSeveral(context, 3);
		assert.equal(new Set(listPids(service)).size, 3);
		assert.equal(service.stdout().match(/is ready/g)?.length, 1);
		for (const url of [service.publicUrl, service.storeUrl]) {
			const before = listLines(service).length;
			for (let nth = 0; nth < 12; nth++) assert.equal((await send(`${url}/healthz`)).status, 200);
			const listProcesses = () =>
				listLines(service)
					.slice(before)
					.filter(({ message }) => message === "request")
					.map(({ process }) => process);
			await waitUntil(() => listProcesses().length === 12, "12 requests in the log");
			// One that is late to accept a connection is left out once.
			for (const number of [1, 2, 3]) {
				const count = listProcesses().filter((each) => each === number).length;
				assert.ok(count >= 3 && count <= 5, `process ${number} got ${count} of 12`);
			}
		}
	});

	test("a scrape of one shows the numbers of all", async (context) => {
		const service = await startSeveral(context, 2);
		for (let sent = 0; sent < 8; sent++) await send(`${service.publicUrl}/q/nobody/nothing`);
		const count = async () => {
			const { text } = await send(`${service.storeUrl}/metrics`);
			const requests = text.matchAll(
				/^tripline_http_requests_total\{.*"\/q\/\{.*"4xx",process="(.)"\} (\d+)$/gm,
			);
			assert.equal(text.match(/^tripline_files /gm)?.length, 1);
			return new Map([...requests].map(([, number = "", value]) => [number, Number(value)]));
		};
		// Each scrape reaches the other one.
		for (const counted of [await count(), await count()]) {
			assert.deepEqual([...counted.keys()].sort(), ["1", "2"]);
			assert.equal(
				[...counted.values()].reduce((sum, value) => sum + value),
				8,
			);
		}
	});

	test("one that is killed is replaced, and the others go on serving", async (context) => {
		const service = await startSeveral(context, 2);
		const [killed = 0, other = 0] = listPids(service);
		process.kill(killed, "SIGKILL");
		// At this moment a connection may be on its way to the process.
		await waitUntil(() => service.stderr().includes("started again"), "it is noticed");
		while (listPids(service).length < 3) {
			assert.equal((await send(`${service.publicUrl}/readyz`)).status, 200);
			await sleep(10);
		}
		const ended = listLines(service).find(({ pid, signal }) => pid === killed && signal === "SIGKILL");
		assert.equal(ended?.pause_ms, 0);
		assert.equal(ended?.process, 1);
		assert.ok(isAlive(other));
		const answers = await Promise.all(Array.from({ length: 6 }, () => send(`${service.publicUrl}/readyz`)));
		for (const { status } of answers) assert.equal(status, 200);
	});

	test("one that cannot start again for a while is started when it can", async (context) => {
		const service = await startSeveral(context, 2);
		const [killed = 0] = listPids(service);
		await postgres.crash();
		try {
			process.kill(killed, "SIGKILL");
			await waitUntil(
				() => /"error":"the database of DATABASE_URL .*"pause_ms":1000/.test(service.stderr()),
				"the log says why it cannot start",
			);
		} finally {
			await postgres.restart();
		}
		await waitUntil(() => listPids(service).length === 3, "it is ready again");
		assert.equal(service.child.exitCode, null);
	});

	for (const signal of ["SIGTERM", "SIGINT"] as const) {
		test(`${signal} lets runs finish in all of them, then exits 0`, async (context) => {
			const service = await startSeveral(context, 2);
			const url = await createSlowWebhook(service, 1500);
			const runs = Promise.all(Array.from({ length: 4 }, () => send(url, { body: "{}" })));
			await sleep(500);
			service.child.kill(signal);
			for (const { status } of await runs) assert.equal(status, 200);
			assert.deepEqual(await service.exited(), { code: 0, signal: null });
			assert.deepEqual(listPids(service).filter(isAlive), []);
			const stopped = listLines(service).filter(({ message }) => message === "stopped");
			assert.deepEqual(stopped.map(({ process }) => process ?? 0).sort(), [0, 1, 2]);
		});
	}

	test("a second signal ends all of them at once", async (context) => {
		const service = await startSeveral(context, 2);
		const url = await createSlowWebhook(service, 15_000);
		const run = send(url, { body: "{}" }).catch(() => null);
		await sleep(500);
		const asked = Date.now();
		service.child.kill("SIGTERM");
		await waitUntil(() => service.stderr().includes('"stopping"'), "the first signal is noticed");
		service.child.kill("SIGTERM");
		assert.deepEqual(await service.exited(), { code: 1, signal: null });
		await run;
		await waitUntil(() => !listPids(service).some(isAlive), "all have ended");
		assert.ok(Date.now() - asked < 5000);
	});

	test("end by themselves if the supervisor is killed, after their runs", async (context) => {
		const service = await startSeveral(context, 2);
		const url = await createSlowWebhook(service, 1500);
		const runs = Promise.all(Array.from({ length: 4 }, () => send(url, { body: "{}" })));
		await sleep(500);
		service.child.kill("SIGKILL");
		for (const { status } of await runs) assert.equal(status, 200);
		await waitUntil(() => !listPids(service).some(isAlive), "all have ended");
	});

	test("SIGHUP replaces one after another while all requests are answered", async (context) => {
		const service = await startSeveral(context, 2);
		const before = listPids(service);
		const agent = new Agent({ keepAlive: true, maxSockets: 4 });
		context.after(() => agent.destroy());
		const url = await createSlowWebhook(service, 30);
		let isOver = false;
		let count = 0;
		const callAgain = async (options: { agent?: Agent }) => {
			for (; !isOver; count++) {
				const { status, text } = await send(url, { body: "{}", ...options });
				assert.equal(status, 200, text);
			}
		};
		const calls = Promise.all([{ agent }, { agent }, { agent }, {}, {}, {}].map(callAgain));
		service.child.kill("SIGHUP");
		await Promise.race([
			calls,
			waitUntil(() => service.stderr().includes("all processes were restarted"), "the restart is over"),
		]);
		isOver = true;
		await calls;
		assert.ok(count > 20, `${count} calls`);
		assert.deepEqual(before.filter(isAlive), []);
		assert.equal(listPids(service).filter(isAlive).length, 2);
		const restarted = listLines(service).filter(
			({ message }) => message === "stopped" || message === "a process is ready",
		);
		assert.deepEqual(
			restarted.slice(2).map(({ message, process }) => `${process} ${message}`),
			["1 a process is ready", "1 stopped", "2 a process is ready", "2 stopped"],
		);
	});

	test("after SIGHUP the settings of .env count, unless they are wrong", async (context) => {
		const cwd = temporaryFolder(context);
		const service = await startSeveral(context, 2, cwd);
		const before = listPids(service);
		writeFileSync(join(cwd, ".env"), "RUN_TIMEOUT_MS=soon\n");
		service.child.kill("SIGHUP");
		await waitUntil(() => service.stderr().includes("the old one goes on"), "the restart has failed");
		assert.match(service.stderr(), /"error":"RUN_TIMEOUT_MS must be/);
		assert.deepEqual(before.filter(isAlive), before);
		writeFileSync(join(cwd, ".env"), "STORE_INTERNAL_TOKEN=token-from-the-file\n");
		service.child.kill("SIGHUP");
		await waitUntil(() => service.stderr().includes("all processes were restarted"), "the restart is over");
		assert.equal((await send(`${service.storeUrl}/entries?owner_id=default`)).status, 401);
	});

	test("keep the lines of their log whole", async (context) => {
		const service = await startSeveral(context, 2);
		const agent = new Agent({ keepAlive: true, maxSockets: 20 });
		context.after(() => agent.destroy());
		const before = listLines(service).length;
		for (let nth = 0; nth < 2000; nth += 20)
			await Promise.all(Array.from({ length: 20 }, () => send(`${service.publicUrl}/healthz`, { agent })));
		const countRequests = () =>
			listLines(service)
				.slice(before)
				.filter(({ message }) => message === "request").length;
		await waitUntil(() => countRequests() >= 2000, "all requests are in the log");
		assert.equal(countRequests(), 2000);
	});

	test("which are longer than a pipe takes at once stay whole too", async (context) => {
		const child = spawn(process.execPath, ["--input-type=module", "-e", FORWARD], {
			stdio: ["ignore", "ignore", "pipe"],
		});
		context.after(() => child.kill("SIGKILL"));
		let stderr = "";
		child.stderr.on("data", (text) => {
			stderr += text;
		});
		await once(child, "close");
		const lines = stderr.trimEnd().split("\n");
		assert.equal(lines.length, 30);
		for (const line of lines) assert.match(line, /^([abc])\1{69999}$/);
	});
});

describe("a failed start of several processes", { concurrency: 1, timeout: 120_000 }, () => {
	test("without PostgreSQL: one line, exit 2", (context) =>
		assertRefusesToStart(context, { PROCESSES: "2" }, /^tripline: PROCESSES is 2, .*: set DATABASE_URL /));

	test("a database that does not answer: one line, exit 2", (context) =>
		assertRefusesToStart(
			context,
			{ ...settings(), PROCESSES: "2", DATABASE_URL: "postgres://postgres@127.0.0.1:1/postgres" },
			/^tripline: the database of DATABASE_URL cannot be used: /,
		));

	test("a port in use: one line, exit 2", async (context) => {
		const taken = createServer().listen(0, "127.0.0.1");
		await once(taken, "listening");
		context.after(() => taken.close());
		const port = String((taken.address() as AddressInfo).port);
		await assertRefusesToStart(
			context,
			{ ...settings(), PROCESSES: "2", PORT: port },
			new RegExp(`^tripline: PORT ${port} is in use: `),
		);
	});
});

/** Three processes that write long lines at the same time. */
const FORWARD = `
import { spawn } from "node:child_process";
import { forwardLines, stderrWriter } from ${JSON.stringify(WRITER)};
const clock = { now: () => Date.now() };
const letter = process.env.LETTER;
const writer = stderrWriter(clock);
process.on("exit", writer.end);
if (letter !== undefined) {
	for (let nth = 0; nth < 10; nth++) {
		writer.write(letter.repeat(70_000) + "\\n");
		await new Promise((resolve) => setTimeout(resolve, 30));
	}
} else {
	for (const LETTER of ["a", "b", "c"]) {
		const child = spawn(process.execPath, process.execArgv, {
			env: { LETTER },
			stdio: ["ignore", "ignore", "pipe"],
		});
		forwardLines(child.stderr, writer.write);
	}
}
`;
