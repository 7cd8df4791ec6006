import assert from "node:assert/strict";
import { connect, Socket } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { type Incoming, TooLong } from "@tripline/web/http-message";
import { BodyWatch } from "../src/body-watch.ts";
import { listen } from "../src/listen.ts";
import type { Answer } from "../src/node-message.ts";

const MiB = 1024 * 1024;
const text = (status: number, body: string) => ({ status, headers: {}, body });

async function serve(context: TestContext, answer: Answer): Promise<Socket> {
	const listener = await listen({
		answer,
		host: "127.0.0.1",
		port: 0,
		portSetting: "PORT",
		onError: () => {},
	});
	const socket = connect(Number(new URL(listener.url).port), "127.0.0.1");
	socket.on("error", () => {});
	context.after(async () => {
		socket.destroy();
		await listener.close();
	});
	return socket;
}

/** Collects what the socket receives, until it matches. */
function receive(socket: Socket, pattern: RegExp): Promise<string> {
	let received = "";
	return new Promise((resolve, reject) => {
		socket.on("close", () => reject(new Error(`closed after ${JSON.stringify(received)}`)));
		socket.on("data", function take(chunk: Buffer) {
			received += chunk.toString("latin1");
			if (!pattern.test(received)) return;
			socket.off("data", take);
			resolve(received);
		});
	});
}

const head = (more: string): string => `POST / HTTP/1.1\r\nhost: a\r\n${more}\r\n\r\n`;

async function count(request: Incoming, maxBytes: number) {
	let bytes = 0;
	let pieces = 0;
	for await (const piece of request.stream(maxBytes)) {
		bytes += piece.length;
		pieces++;
	}
	return { bytes, pieces };
}

describe("a streamed body", () => {
	test("arrives in full, and the connection serves the next request", async (context) => {
		const socket = await serve(context, async (request) =>
			text(200, `got ${(await count(request, 10 * MiB)).bytes}.`),
		);
		for (const size of [0, 1, 3 * MiB]) {
			const answered = receive(socket, /got \d+\./);
			socket.write(head(`content-length: ${size}`));
			socket.write(Buffer.alloc(size));
			assert.match(await answered, new RegExp(`got ${size}\\.`));
		}
	});

	test("of single bytes does not become a piece for each of them", async (context) => {
		const socket = await serve(context, async (request) => {
			const { bytes, pieces } = await count(request, MiB);
			return text(200, `got ${bytes} in ${pieces}.`);
		});
		const answered = receive(socket, /got/);
		socket.write(`${head("transfer-encoding: chunked")}${"1\r\nx\r\n".repeat(5_000)}0\r\n\r\n`);
		const [, pieces] = /got 5000 in (\d+)\./.exec(await answered) ?? [];
		assert.ok(Number(pieces) < 100, `${pieces} pieces`);
	});

	test("is not read faster than it is taken", async (context) => {
		const paused = Promise.withResolvers<void>();
		const resumed = Promise.withResolvers<void>();
		const socket = await serve(context, async (request) => {
			let bytes = 0;
			for await (const piece of request.stream(100 * MiB)) {
				if (bytes === 0) {
					paused.resolve();
					await resumed.promise;
				}
				bytes += piece.length;
			}
			return text(200, `got ${bytes}.`);
		});
		const answered = receive(socket, /got/);
		socket.write(head(`content-length: ${64 * MiB}`));
		socket.write(Buffer.alloc(64 * MiB));
		await paused.promise;
		await new Promise((resolve) => setTimeout(resolve, 200));
		const waiting = socket.writableLength;
		resumed.resolve();
		assert.match(await answered, new RegExp(`got ${64 * MiB}\\.`));
		assert.ok(waiting > 30 * MiB, `only ${waiting} bytes were held back`);
	});

	test("that is declared too long is refused before it is sent", async (context) => {
		const socket = await serve(context, refuseTooLong(1000));
		const answered = receive(socket, /413/);
		socket.write(head("content-length: 1001\r\nexpect: 100-continue"));
		assert.match(await answered, /^HTTP\/1\.1 413 (?:.*\r\n)*connection: close\r\n/i);
	});

	test("that turns out to be too long is refused", async (context) => {
		const socket = await serve(context, refuseTooLong(1000));
		const answered = receive(socket, /413/);
		socket.write(`${head("transfer-encoding: chunked")}800\r\n${"x".repeat(2048)}\r\n`);
		await answered;
	});

	test("fails if the client disconnects before its end", async (context) => {
		const failed = Promise.withResolvers<unknown>();
		const socket = await serve(context, async (request) => {
			await count(request, MiB).catch(failed.resolve);
			return text(400, "");
		});
		socket.write(`${head("content-length: 100")}half of it`, () => socket.destroy());
		assert.match(String(await failed.promise), /the client hung up/);
	});

	test("is asked for when it is read, if the client waits for that", async (context) => {
		const socket = await serve(context, async (request) =>
			text(200, `got ${(await count(request, MiB)).bytes}.`),
		);
		const asked = receive(socket, /100 Continue\r\n\r\n$/);
		socket.write(head("content-length: 3\r\nexpect: 100-continue"));
		await asked;
		const answered = receive(socket, /got/);
		socket.write("abc");
		assert.match(await answered, /got 3\./);
	});
});

describe("a streamed answer", () => {
	const SIZE = 3 * MiB + 5;

	/** Its bytes tell their position; `onCancel` is called if it is not read to its end. */
	function count256(type: "bytes" | "any", onCancel = () => {}): ReadableStream<Uint8Array> {
		let at = 0;
		const pull = (controller: ReadableByteStreamController | ReadableStreamDefaultController) => {
			const length = Math.min(50_000, SIZE - at);
			controller.enqueue(Uint8Array.from({ length }, (_, index) => (at + index) % 251));
			at += length;
			if (at === SIZE) controller.close();
		};
		return type === "bytes"
			? new ReadableStream({ type, pull, cancel: onCancel }, { highWaterMark: 0 })
			: new ReadableStream({ pull, cancel: onCancel }, { highWaterMark: 0 });
	}

	for (const type of ["bytes", "any"] as const) {
		test(`arrives unchanged (stream of ${type})`, async (context) => {
			const headers = { "content-length": String(SIZE) };
			const socket = await serve(context, async () => ({ status: 200, headers, body: count256(type) }));
			socket.write("GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
			const pieces: Buffer[] = [];
			for await (const piece of socket) pieces.push(piece as Buffer);
			const whole = Buffer.concat(pieces);
			const body = whole.subarray(whole.indexOf("\r\n\r\n") + 4);
			assert.equal(body.length, SIZE);
			assert.ok(body.every((byte, index) => byte === index % 251));
		});

		test(`is no longer read when the client is gone (stream of ${type})`, async (context) => {
			const cancelled = Promise.withResolvers<void>();
			const headers = { "content-length": String(1000 * MiB) };
			const body = new ReadableStream<Uint8Array>({
				...(type === "bytes" && ({ type } as object)),
				pull: (controller) => controller.enqueue(new Uint8Array(100_000)),
				cancel: () => cancelled.resolve(),
			});
			const socket = await serve(context, async () => ({ status: 200, headers, body }));
			socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
			await receive(socket, /200 OK/);
			socket.destroy();
			await cancelled.promise;
		});
	}
});

describe("an answer before the body was read", () => {
	test("leaves the connection usable once a short rest has arrived", async (context) => {
		const socket = await serve(context, async ({ url }) => text(401, `refused ${url.slice(-1)}.`));
		const refused = receive(socket, /refused/);
		socket.write(head(`content-length: ${2 * MiB}`));
		await refused;
		socket.write(Buffer.alloc(2 * MiB));
		const next = receive(socket, /refused 2/);
		socket.write("GET /2 HTTP/1.1\r\nhost: a\r\n\r\n");
		await next;
	});

	test("ends the connection if the rest has no end", async (context) => {
		const socket = await serve(context, async () => text(401, "refused."));
		const refused = receive(socket, /refused/);
		const closed = new Promise((resolve) => socket.on("close", resolve));
		socket.write(head("transfer-encoding: chunked"));
		const block = Buffer.from(`100000\r\n${"x".repeat(MiB)}\r\n`);
		const send = () => {
			while (!socket.destroyed && socket.write(block));
		};
		socket.on("drain", send);
		send();
		await refused;
		await closed;
	});
});

describe("a client that sends a body slowly", () => {
	const watched = (values: { receivedBytes?: number; waitedMs?: number; waitingSince?: number | null }) => {
		const watch = new BodyWatch();
		const connection = new Socket();
		let isEnded = false;
		watch.watch(connection);
		watch.begin(connection, {
			receivedBytes: 0,
			waitedMs: 0,
			waitingSince: 0,
			...values,
			giveUp: () => {
				isEnded = true;
			},
		});
		return (seconds: number) => {
			watch.sweep(seconds * 1000);
			watch.close();
			return isEnded;
		};
	};

	test("may take five minutes", () => {
		assert.equal(watched({})(299), false);
		assert.equal(watched({})(301), true);
	});

	test("may take longer while it makes progress", () => {
		const waitedMs = 3_600_000;
		assert.equal(watched({ receivedBytes: 40 * MiB, waitedMs })(10), false);
		assert.equal(watched({ receivedBytes: 20 * MiB, waitedMs })(10), true);
	});

	test("may pause for a minute", () => {
		assert.equal(watched({ receivedBytes: MiB })(59), false);
		assert.equal(watched({ receivedBytes: MiB })(61), true);
	});

	test("is not blamed for time in which the service does not read", () => {
		assert.equal(watched({ receivedBytes: 1, waitedMs: 1000, waitingSince: null })(10_000), false);
	});

	test("gets 408", async (context) => {
		context.mock.timers.enable({ apis: ["setInterval"] });
		const now = performance.now();
		const reading = Promise.withResolvers<void>();
		const socket = await serve(context, async (request) => {
			const body = request.bytes(100);
			reading.resolve();
			return text(200, String((await body).length));
		});
		const answered = receive(socket, /^HTTP\/1\.1 408 /);
		socket.write(`${head("content-length: 100")}ab`);
		await reading.promise;
		context.mock.method(performance, "now", () => now + 400_000);
		context.mock.timers.tick(5_000);
		await answered;
	});
});

const refuseTooLong =
	(maxBytes: number): Answer =>
	async (request) => {
		try {
			await count(request, maxBytes);
			return text(200, "");
		} catch (error) {
			assert.ok(error instanceof TooLong);
			return text(413, "");
		}
	};
