import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { planFaults } from "./faults.ts";
import { startProxy, type TcpProxy } from "./proxy.ts";
import { Random } from "./random.ts";
import { findForeignMarks, TENANTS } from "./tenants.ts";

async function startEcho(context: TestContext): Promise<number> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on("error", () => {});
		socket.pipe(socket);
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	context.after(() => {
		server.close();
		for (const socket of sockets) socket.destroy();
	});
	return (server.address() as AddressInfo).port;
}

async function connectThrough(context: TestContext, proxy: TcpProxy): Promise<Socket> {
	const socket = connect(proxy.port, "127.0.0.1");
	await once(socket, "connect");
	context.after(() => {
		socket.destroy();
		proxy.close();
	});
	return socket;
}

describe("the proxy", () => {
	test("keeps the order of the data when the delay changes", async (context) => {
		const port = await startEcho(context);
		const proxy = await startProxy(() => [port]);
		const socket = await connectThrough(context, proxy);
		let received = "";
		socket.on("data", (chunk) => {
			received += chunk;
		});
		for (const [delayMs, text] of [
			[200, "one "],
			[0, "two "],
			[50, "three"],
		] as const) {
			proxy.delayMs = delayMs;
			socket.write(text);
			await wait(20);
		}
		const began = performance.now();
		while (received.length < "one two three".length) await wait(5);
		assert.equal(received, "one two three");
		assert.ok(performance.now() - began > 100, "nothing was delayed");
	});

	test("cuts connections with a reset", async (context) => {
		const port = await startEcho(context);
		const proxy = await startProxy(() => [port]);
		const socket = await connectThrough(context, proxy);
		socket.write("hello");
		await once(socket, "data");
		const lost = once(socket, "error");
		assert.equal(proxy.cut(), 1);
		const [error] = (await lost.catch((reason: unknown) => [reason])) as [NodeJS.ErrnoException];
		assert.equal(error.code, "ECONNRESET");
	});

	test("passes a connection on to the next port if one refuses it", async (context) => {
		const port = await startEcho(context);
		const proxy = await startProxy(() => [1, port]);
		const socket = await connectThrough(context, proxy);
		socket.write("hello");
		const [data] = await once(socket, "data");
		assert.equal(String(data), "hello");
	});
});

test("the clock of a process is shifted, and times that are given are not", () => {
	const print =
		"console.log(Date.now(), new Date().getTime(), new Date(5).getTime(), new Date() instanceof Date)";
	const output = execFileSync(
		process.execPath,
		[`--import=${new URL("skew.ts", import.meta.url)}`, "--input-type=module", "--eval", print],
		{
			env: { ...process.env, CLOCK_SKEW_MS: "-30000" },
			encoding: "utf8",
			stdio: ["ignore", "pipe", "ignore"],
		},
	);
	const [now = "", fresh = "", given, isDate] = output.trim().split(" ");
	for (const time of [now, fresh]) {
		const behind = Date.now() - Number(time);
		assert.ok(behind >= 30_000 && behind < 60_000, `${behind} ms behind`);
	}
	assert.deepEqual([given, isDate], ["5", "true"]);
});

test("the plan of a seed is always the same, and has as many faults as asked for", () => {
	const plan = (seed: number) => planFaults(new Random(seed), { kills: 20, crashes: 5 }, true);
	assert.deepEqual(plan(1), plan(1));
	assert.notDeepEqual(plan(1), plan(2));
	const counts = Map.groupBy(plan(1), ({ kind }) => kind);
	assert.deepEqual(
		["kill", "crash", "cut", "delay", "full disk"].map((kind) => counts.get(kind as "kill")?.length),
		[20, 5, 2, 2, 1],
	);
});

test("the mark of another tenant is found in whatever somebody sees", () => {
	const [one, other] = TENANTS.slice(0, 2) as [(typeof TENANTS)[0], (typeof TENANTS)[0]];
	assert.deepEqual(findForeignMarks(one.name, "GET /", `a ${one.mark} b`), []);
	const [found] = findForeignMarks(one.name, "GET /", `a ${other.mark} b`);
	assert.equal(found?.owner, other.name);
});
