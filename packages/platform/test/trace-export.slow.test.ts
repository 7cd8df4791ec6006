import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { describe, mock, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { decodeSpans } from "../../../test/otlp.ts";
import { httpSpans } from "../src/trace-export.http.ts";
import { nodeSpans } from "../src/trace-export.node.ts";
import { bufferedExporter, invocationExporter, type SendSpans } from "../src/trace-export.ts";
import { createTracing, type Span, type SpanExporter } from "../src/tracing.ts";

interface Line {
	readonly message: string;
	readonly count: unknown;
}

const resource = { serviceName: "test", version: "1", instance: "i" };
const OK = { status: 200, retryAfter: null };

function createWorld(send: SendSpans) {
	const lines: Line[] = [];
	let now = 0;
	const exporter = bufferedExporter({
		resource,
		send,
		clock: { now: () => now },
		log: (_, message, fields) => void lines.push({ message, count: fields?.count }),
	});
	return {
		exporter,
		lines,
		addSpans: createSpans(exporter),
		passMinute() {
			now += 60_000;
		},
	};
}

function createSpans(exporter: SpanExporter) {
	const storage = new AsyncLocalStorage<Span | undefined>();
	const tracing = createTracing({ ratio: 1, storage, exporter });
	return (count: number, text = "x".repeat(40)) => {
		for (let index = 0; index < count; index++) {
			const span = tracing.begin("run") ?? assert.fail();
			for (const name of ["a", "b", "c", "d", "e"]) span.set(name, text);
			span.set("count", index);
			span.isFailed = index === 0;
			tracing.end(span);
		}
	};
}

const countSpans = (body: Uint8Array): number => decodeSpans(body).spans.length;

const measureMemory = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;

/** Time passes at once, as far as timers are concerned. */
async function pass(ms: number): Promise<void> {
	for (let left = ms; left >= 0; left -= 100) {
		mock.timers.tick(Math.min(100, left));
		for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
	}
}

describe("exporter", () => {
	for (const [by, create] of [
		["fetch", httpSpans],
		["node:http", nodeSpans],
	] as const)
		test(`sends OTLP to the collector by ${by}, with its headers`, async () => {
			let received: { url: unknown; headers: Record<string, unknown>; body: Buffer } | undefined;
			const server = createServer(async (request, response) => {
				received = { url: request.url, headers: request.headers, body: await buffer(request) };
				response.end();
			});
			server.listen(0, "127.0.0.1");
			await once(server, "listening");
			const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/otlp`;
			const { exporter, addSpans } = createWorld(create({ endpoint, headers: { "x-key": "k" } }));
			addSpans(2, 'quote " and half \ud800');
			await exporter.close();
			server.closeAllConnections();
			server.close();
			assert.equal(received?.url, "/otlp/v1/traces");
			assert.equal(received.headers["x-key"], "k");
			assert.equal(received.headers["content-type"], "application/x-protobuf");
			const { resource: sender, scope, spans } = decodeSpans(received.body);
			assert.deepEqual(sender, {
				"service.name": "test",
				"service.version": "1",
				"service.instance.id": "i",
			});
			assert.deepEqual(scope, { name: "tripline", version: "1" });
			const [second = assert.fail(), first = assert.fail()] = spans;
			assert.ok(first.endTimeUnixNano >= first.startTimeUnixNano);
			assert.ok(Math.abs(Number(first.startTimeUnixNano / 1_000_000n) - Date.now()) < 60_000);
			assert.deepEqual(first.status, { code: 2 });
			assert.equal(second.status, undefined);
			assert.equal(first.parentSpanId, undefined);
			assert.equal(first.attributes.a, 'quote " and half \ufffd');
			assert.equal(first.attributes.count, "0");
			assert.equal(second.attributes.count, "1");
			assert.deepEqual(exporter.readStats(), { exported: 2, dropped: 0, bufferedBytes: 0 });
		});

	test("sends batches, one at a time", async (t) => {
		mock.timers.enable({ apis: ["setTimeout"] });
		t.after(() => mock.timers.reset());
		const sizes: number[] = [];
		let underWay = 0;
		const { exporter, addSpans } = createWorld(async (body) => {
			assert.equal(++underWay, 1);
			await new Promise((resolve) => setImmediate(resolve));
			underWay--;
			sizes.push(countSpans(body));
			return OK;
		});
		addSpans(2300);
		assert.deepEqual(sizes, []);
		await pass(3000);
		const [first = 0, ...others] = sizes;
		assert.ok(first > 300 && first < 500, String(sizes));
		assert.ok(
			others.slice(0, -1).every((size) => Math.abs(size - first) < 5) && others.length === 5,
			String(sizes),
		);
		assert.deepEqual(exporter.readStats(), { exported: 2300, dropped: 0, bufferedBytes: 0 });
	});

	test("a collector that is unreachable for a while gets the spans later", async (t) => {
		mock.timers.enable({ apis: ["setTimeout"] });
		t.after(() => mock.timers.reset());
		let isUp = false;
		let tries = 0;
		const { exporter, addSpans } = createWorld(async () => {
			tries++;
			if (tries === 1) throw new Error("unreachable");
			return isUp ? OK : { status: 503, retryAfter: "7" };
		});
		addSpans(10);
		await pass(1000);
		assert.equal(tries, 1);
		await pass(1000);
		assert.equal(tries, 2);
		isUp = true;
		await pass(6000);
		assert.equal(tries, 2);
		await pass(2000);
		assert.deepEqual(exporter.readStats(), { exported: 10, dropped: 0, bufferedBytes: 0 });
	});

	test("what the collector refuses is dropped and reported once a minute", async (t) => {
		mock.timers.enable({ apis: ["setTimeout"] });
		t.after(() => mock.timers.reset());
		const { exporter, addSpans, lines, passMinute } = createWorld(async () => ({
			status: 400,
			retryAfter: null,
		}));
		addSpans(3);
		await pass(1000);
		addSpans(4);
		await pass(2000);
		assert.deepEqual(lines, [{ message: "spans were dropped", count: 3 }]);
		passMinute();
		addSpans(5);
		await pass(2000);
		assert.deepEqual(lines.slice(1), [{ message: "spans were dropped", count: 9 }]);
		assert.equal(exporter.readStats().dropped, 12);
	});

	test("a collector that never answers costs at most 10 MB, and drops are counted", async (t) => {
		setFlagsFromString("--expose-gc");
		const collectGarbage = runInNewContext("gc") as () => void;
		mock.timers.enable({ apis: ["setTimeout"] });
		t.after(() => mock.timers.reset());
		const bodies: Uint8Array[] = [];
		const { exporter, addSpans } = createWorld((body) => {
			bodies.push(body);
			return new Promise(() => {});
		});
		collectGarbage();
		const before = measureMemory();
		for (let round = 0; round < 100; round++) {
			addSpans(500);
			await pass(100);
		}
		collectGarbage();
		const bytes = measureMemory() - before;
		const { exported, dropped, bufferedBytes } = exporter.readStats();
		assert.equal(exported, 0);
		assert.equal(bodies.length, 1);
		assert.ok(dropped > 30_000 && dropped < 50_000, String(dropped));
		assert.ok(bufferedBytes < 10e6, String(bufferedBytes));
		assert.ok(bytes < 10e6, `${bytes} bytes are held`);
	});

	test("a span costs the same whether the collector answers or not", async () => {
		const measure = (world: ReturnType<typeof createWorld>) => {
			const began = performance.now();
			world.addSpans(20_000);
			return performance.now() - began;
		};
		measure(createWorld(async () => OK));
		const alive = measure(createWorld(async () => OK));
		const dead = measure(createWorld(() => new Promise(() => {})));
		assert.ok(dead < 3 * alive + 20, `${dead} ms instead of ${alive} ms`);
	});

	test("closing waits two seconds at most", async (t) => {
		mock.timers.enable({ apis: ["setTimeout"] });
		t.after(() => mock.timers.reset());
		const { exporter, addSpans, lines } = createWorld(
			(_, signal) =>
				new Promise((_resolve, reject) => {
					signal.addEventListener("abort", () => reject(signal.reason));
				}),
		);
		addSpans(7);
		let isClosed = false;
		const closed = exporter.close().then(() => {
			isClosed = true;
		});
		await pass(1800);
		assert.equal(isClosed, false);
		await pass(300);
		await closed;
		assert.deepEqual(lines, [{ message: "spans were dropped", count: 7 }]);
	});

	test("on Workers an invocation sends its spans when all of them have ended", async () => {
		const bodies: Uint8Array[] = [];
		const work: Promise<unknown>[] = [];
		let status = 200;
		const exporter = invocationExporter({
			resource,
			clock: { now: () => 0 },
			log() {},
			background: { run: (_, task) => void work.push(task()) },
			send: async (body) => {
				bodies.push(body);
				return { status, retryAfter: null };
			},
		});
		const storage = new AsyncLocalStorage<Span | undefined>();
		const tracing = createTracing({ ratio: 1, storage, exporter });
		const run = () => {
			const root = tracing.begin("request") ?? assert.fail();
			const child = tracing.start("run", "internal", root) ?? assert.fail();
			tracing.end(root);
			assert.equal(bodies.length, work.length);
			tracing.end(child);
			return Promise.all(work);
		};
		await run();
		assert.deepEqual(bodies.map(countSpans), [2]);
		status = 503;
		await run();
		assert.deepEqual(exporter.readStats(), { exported: 2, dropped: 2, bufferedBytes: 0 });
	});
});
