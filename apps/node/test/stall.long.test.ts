import assert from "node:assert/strict";
import { connect } from "node:net";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "@tripline/platform/clock";
import { createApp } from "@tripline/web/app";
import { type Method, reply, route } from "@tripline/web/route";
import { watchStalls } from "../src/stall-watch.ts";
import { type Started, start } from "./process.ts";

interface Line {
	readonly level: string;
	readonly message: string;
	readonly ms?: number;
	readonly route?: string;
}

const STALL_MS = 1300;

describe("an event loop that stalls for more than a second", () => {
	test("is logged with the route being handled", async (context) => {
		const service = await start(context, {});
		const socket = connect(Number(new URL(service.storeUrl).port), "127.0.0.1");
		context.after(() => socket.destroy());
		socket.write(
			"PUT /entries HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n",
		);
		await new Promise((resolve) => socket.once("data", resolve));
		await pauseProcess(service);
		const line = (await waitForStalls(service)).at(-1);
		assert.equal(line?.level, "warn");
		assert.ok((line?.ms ?? 0) >= 1000 && (line?.ms ?? 0) < 10_000, `${line?.ms} ms`);
		assert.equal(line?.route, "/entries");
	});

	test("is logged without a route that was answered long before", async (context) => {
		const service = await start(context, {});
		assert.equal((await fetch(`${service.publicUrl}/healthz`)).status, 200);
		await sleep(500);
		await pauseProcess(service);
		const line = (await waitForStalls(service)).at(-1);
		assert.equal(line?.message, "the event loop stalled");
		assert.equal(line?.route, undefined);
	});

	test("is logged with the route that blocked it, not with those that arrived meanwhile", async (context) => {
		const lines: Line[] = [];
		const log = (level: string, message: string, fields?: object) =>
			lines.push({ level, message, ...fields });
		const app = createStallApp(log, { "/held": () => block(STALL_MS), "/other": () => {} });
		const watch = watchStalls({ clock: systemClock, log });
		context.after(() => watch.stop());
		await sleep(250);
		await app.fetch(new Request("http://localhost/other"));
		const held = app.fetch(new Request("http://localhost/held"));
		await Promise.all([held, app.fetch(new Request("http://localhost/other"))]);
		await sleep(250);
		const [stall, ...more] = lines.filter(({ message }) => message === "the event loop stalled");
		assert.equal(stall?.route, "/held");
		assert.deepEqual(more, []);
	});

	test("is not logged for a shorter pause", async (context) => {
		const lines: Line[] = [];
		const log = (level: string, message: string, fields?: object) =>
			lines.push({ level, message, ...fields });
		const watch = watchStalls({ clock: systemClock, log });
		context.after(() => watch.stop());
		await sleep(150);
		block(600);
		await sleep(250);
		assert.deepEqual(lines, []);
	});
});

function createStallApp(log: Parameters<typeof createApp>[0]["log"], handlers: Record<string, () => void>) {
	return createApp<undefined>({
		title: "test",
		version: "test",
		routes: Object.entries(handlers).map(([path, handle]) =>
			route({
				method: "GET" satisfies Method,
				path,
				tag: "test",
				open: true,
				summary: "test",
				responses: {},
				handle() {
					handle();
					return reply(200, {});
				},
			}),
		),
		authenticate: () => undefined,
		ready: async () => true,
		clock: systemClock,
		log,
		maxBodyBytes: 1024,
	});
}

function block(milliseconds: number): void {
	for (const until = performance.now() + milliseconds; performance.now() < until; );
}

async function pauseProcess({ child }: Started): Promise<void> {
	// Wait until the watch has started.
	await sleep(300);
	child.kill("SIGSTOP");
	await sleep(STALL_MS);
	child.kill("SIGCONT");
}

async function waitForStalls(service: Started): Promise<Line[]> {
	for (let tries = 0; tries < 100 && !service.stderr().includes("stalled"); tries++) await sleep(50);
	await sleep(300);
	return service
		.stderr()
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line) as Line)
		.filter(({ message }) => message === "the event loop stalled");
}
