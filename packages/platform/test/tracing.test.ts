import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { describe, test } from "node:test";
import type { HttpRequest } from "../src/http.ts";
import type { Sql } from "../src/sql.ts";
import { traceSampler } from "../src/trace-sampler.ts";
import { tracedLog, tracedSend, tracedSql } from "../src/traced.ts";
import { formatTraceParent, parseTraceParent, readTraceState } from "../src/traceparent.ts";
import { createTracing, type Span, type SpanExporter } from "../src/tracing.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

describe("traceparent", () => {
	test("is read and written", () => {
		const text = `00-${TRACE}-${PARENT}-01`;
		const parsed = parseTraceParent(text);
		assert.deepEqual(parsed, { traceId: TRACE, spanId: PARENT, isSampled: true });
		assert.equal(formatTraceParent(parsed ?? assert.fail()), text);
		assert.equal(parseTraceParent(`00-${TRACE}-${PARENT}-00`)?.isSampled, false);
		assert.equal(parseTraceParent(`00-${TRACE}-${PARENT}-02`)?.isSampled, false);
		assert.equal(parseTraceParent(` 00-${TRACE}-${PARENT}-03 `)?.isSampled, true);
	});

	test("a later version is read as far as it is known", () => {
		assert.equal(parseTraceParent(`cc-${TRACE}-${PARENT}-01-what-the-future-brings`)?.spanId, PARENT);
		assert.equal(parseTraceParent(`cc-${TRACE}-${PARENT}-01`)?.traceId, TRACE);
	});

	for (const [what, text] of [
		["absent", null],
		["empty", ""],
		["something else", "on"],
		["the forbidden version", `ff-${TRACE}-${PARENT}-01`],
		["too long for its version", `00-${TRACE}-${PARENT}-01-more`],
		["upper case", `00-${TRACE.toUpperCase()}-${PARENT}-01`],
		["a trace of zeros", `00-${"0".repeat(32)}-${PARENT}-01`],
		["a span of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
		["a short trace", `00-${TRACE.slice(1)}-${PARENT}-01`],
		["a flag that is no number", `00-${TRACE}-${PARENT}-0x`],
		["sent twice", `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`],
		["very long", `cc-${TRACE}-${PARENT}-01-${"x".repeat(1000)}`],
	] as const) {
		test(`is ignored if it is ${what}`, () => assert.equal(parseTraceParent(text), null));
	}

	test("tracestate is passed on unless it is too long or unprintable", () => {
		assert.equal(readTraceState("congo=t61rcWkgMzE,rojo=00f067"), "congo=t61rcWkgMzE,rojo=00f067");
		assert.equal(readTraceState("x".repeat(513)), "");
		assert.equal(readTraceState("a=\u00e9"), "");
		assert.equal(readTraceState(null), "");
	});
});

describe("sampler", () => {
	const countTaken = (times: number, decide: () => boolean) =>
		Array.from({ length: times }, decide).filter(Boolean).length;

	test("takes its share of the traces that begin here", () => {
		assert.equal(
			countTaken(1000, () => traceSampler(1).begins()),
			1000,
		);
		assert.equal(
			countTaken(1000, () => traceSampler(0).begins()),
			0,
		);
		let next = 0;
		const sampler = traceSampler(0.1, () => (next++ % 100) / 100);
		assert.equal(countTaken(1000, sampler.begins), 100);
	});

	test("a caller cannot cause more samples than the share", () => {
		const sampler = traceSampler(0.1);
		const taken = countTaken(1000, () => sampler.continues(true));
		assert.ok(taken >= 99 && taken <= 110, String(taken));
		assert.equal(
			countTaken(1000, () => traceSampler(0).continues(true)),
			0,
		);
	});

	test("what a caller samples is taken while it is within the share", () => {
		const sampler = traceSampler(0.1);
		let call = 0;
		assert.equal(
			countTaken(1000, () => sampler.continues(++call % 10 === 0)),
			100,
		);
		assert.equal(
			countTaken(1000, () => traceSampler(1).continues(true)),
			1000,
		);
	});

	test("what a caller does not sample is not sampled", () => {
		assert.equal(
			countTaken(100, () => traceSampler(1).continues(false)),
			0,
		);
	});

	test("callers do not take the share of the traces that begin here", () => {
		let next = 0;
		const sampler = traceSampler(0.1, () => (next++ % 100) / 100);
		let begun = 0;
		for (let call = 0; call < 1000; call++) {
			for (let other = 0; other < 9; other++) sampler.continues(true);
			if (sampler.begins()) begun++;
		}
		assert.equal(begun, 100);
	});
});

interface World {
	readonly tracing: ReturnType<typeof createTracing>;
	readonly ended: Span[];
	readonly dropped: () => number;
}

function createWorld(ratio = 1): World {
	const ended: Span[] = [];
	let dropped = 0;
	const exporter: SpanExporter = {
		add: (span) => void ended.push(span),
		drop: () => void dropped++,
		readStats: () => ({ exported: 0, dropped, bufferedBytes: 0 }),
	};
	const tracing = createTracing({ ratio, storage: new AsyncLocalStorage<Span | undefined>(), exporter });
	return { tracing, ended, dropped: () => dropped };
}

const NONE = new Headers();

describe("spans", () => {
	test("a request continues the trace of its caller", () => {
		const { tracing, ended } = createWorld();
		const headers = new Headers({ traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: "a=b" });
		const span = tracing.startRequest(headers, true) ?? assert.fail();
		assert.equal(String(span.trace.id), TRACE);
		assert.equal(String(span.parentId), PARENT);
		assert.deepEqual(tracing.buildHeaders(span), {
			traceparent: `00-${TRACE}-${span.id}-01`,
			tracestate: "a=b",
		});
		tracing.end(span);
		tracing.end(span);
		assert.deepEqual(ended, [span]);
		assert.ok(span.endedAt >= span.startedAt && Math.abs(span.startedAt - Date.now()) < 5_000);
	});

	test("an invalid traceparent begins a trace, without the tracestate", () => {
		const { tracing } = createWorld();
		const headers = new Headers({ traceparent: `ff-${TRACE}-${PARENT}-01`, tracestate: "a=b" });
		const span = tracing.startRequest(headers, true) ?? assert.fail();
		assert.notEqual(String(span.trace.id), TRACE);
		assert.equal(span.parentId, null);
		assert.equal(span.trace.state, "");
	});

	test("a trace that is not sampled is passed on as it came", () => {
		const { tracing, ended } = createWorld();
		const traceparent = `00-${TRACE}-${PARENT}-00`;
		const span = tracing.startRequest(new Headers({ traceparent }), true) ?? assert.fail();
		tracing.within(span, () => {
			assert.equal(tracing.startHere("child", "internal"), null);
			assert.deepEqual(tracing.buildInternalHeaders(), { traceparent });
			assert.deepEqual(tracing.store(), { parent: traceparent });
		});
		tracing.end(span);
		assert.deepEqual(ended, []);
	});

	test("a trace that is sampled beyond the share keeps its caller's flag", () => {
		const { tracing } = createWorld(0);
		const traceparent = `00-${TRACE}-${PARENT}-01`;
		const span = tracing.startRequest(new Headers({ traceparent }), true) ?? assert.fail();
		assert.equal(span.isRecorded, false);
		assert.deepEqual(tracing.buildHeaders(span), { traceparent });
		tracing.within(span, () => {
			// Neither another part of the deployment nor a run that starts later records it.
			assert.deepEqual(tracing.buildInternalHeaders(), { traceparent: `00-${TRACE}-${PARENT}-00` });
			const resumed = tracing.resume(tracing.store() ?? assert.fail()) ?? assert.fail();
			assert.equal(tracing.start("run", "internal", resumed), null);
			assert.deepEqual(tracing.buildHeaders(resumed), { traceparent });
		});
	});

	test("nothing is passed on without a trace", () => {
		const { tracing } = createWorld(0);
		assert.equal(tracing.startRequest(NONE, true), null);
		assert.equal(createWorld(1).tracing.startRequest(NONE, false), null);
		assert.equal(tracing.buildInternalHeaders(), null);
		assert.equal(tracing.store(), undefined);
	});

	test("a stored run continues its trace whatever the share", () => {
		const { tracing } = createWorld(0);
		const stored = { parent: `00-${TRACE}-${PARENT}-01`, state: "a=b", is_recorded: true } as const;
		const parent = tracing.resume(stored) ?? assert.fail();
		const span = tracing.start("run", "internal", parent) ?? assert.fail();
		assert.equal(String(span.parentId), PARENT);
		assert.equal(span.trace.state, "a=b");
		assert.equal(tracing.resume({ parent: "nonsense" }), null);
	});

	test("work after the end of a span does not belong to it", () => {
		const { tracing } = createWorld();
		const span = tracing.startRequest(NONE, true) ?? assert.fail();
		tracing.within(span, () => {
			assert.notEqual(tracing.startHere("before", "client"), null);
			tracing.end(span);
			assert.equal(tracing.startHere("after", "client"), null);
			assert.equal(tracing.startInternalRequest(NONE), null);
		});
		assert.notEqual(tracing.start("run", "internal", span), null);
	});

	test("work that waits keeps its own trace", () => {
		const { tracing } = createWorld();
		const span = tracing.startRequest(NONE, true) ?? assert.fail();
		const other = tracing.startRequest(NONE, true) ?? assert.fail();
		const bound = tracing.within(span, () => tracing.bind(() => tracing.current()));
		const outside = tracing.bind(() => tracing.current());
		tracing.within(other, () => {
			assert.equal(bound(), span);
			assert.equal(outside(), undefined);
		});
	});

	test("a trace has a thousand spans at most, and the others are counted", () => {
		const { tracing, dropped } = createWorld();
		const span = tracing.startRequest(NONE, true) ?? assert.fail();
		const children = Array.from({ length: 1500 }, () => tracing.start("node", "internal", span));
		assert.equal(children.filter((child) => child !== null).length, 999);
		assert.equal(dropped(), 501);
	});

	test("names and attributes are bounded, and ids are distinct", () => {
		const { tracing } = createWorld();
		const spans = Array.from({ length: 1000 }, () => tracing.begin("x".repeat(1000)) ?? assert.fail());
		assert.equal(new Set(spans.map(({ id }) => id)).size, 1000);
		assert.equal(new Set(spans.map(({ trace }) => String(trace.id))).size, 1000);
		assert.ok(
			spans.every(
				({ id, trace, name }) =>
					/^[0-9a-f]{16}$/.test(String(id)) && /^[0-9a-f]{32}$/.test(String(trace.id)) && name.length === 128,
			),
		);
		const [span = assert.fail()] = spans;
		span.set("text", "y".repeat(1000));
		assert.equal(String(span.attributes[1]).length, 128);
	});
});

describe("what is traced", () => {
	const request = (headers: Record<string, string>): HttpRequest => ({
		method: "GET",
		url: new URL("https://example.com/secret?key=secret"),
		headers,
		body: null,
		timeoutMs: 1000,
		maxBytes: 1000,
	});
	const answer = { status: 503, headers: {}, body: new Uint8Array() };

	test("an outbound call has its own span, and the called service is told", async () => {
		const { tracing, ended } = createWorld();
		const sent: HttpRequest[] = [];
		const send = tracedSend(async (given) => {
			sent.push(given);
			return answer;
		}, tracing);
		const { signal } = new AbortController();
		await send(request({}), signal);
		const span = tracing.begin("run") ?? assert.fail();
		await tracing.within(span, () => send(request({ accept: "*/*" }), signal));
		assert.deepEqual(sent[0]?.headers, {});
		const [call = assert.fail()] = ended;
		assert.equal(call.parentId, span.id);
		assert.equal(call.isFailed, true);
		assert.deepEqual(sent[1]?.headers, {
			accept: "*/*",
			traceparent: `00-${span.trace.id}-${call.id}-01`,
		});
		assert.doesNotMatch(JSON.stringify([call.name, call.attributes]), /secret|example/);
	});

	test("headers that the author has set are sent as they are", async () => {
		const { tracing } = createWorld();
		const sent: HttpRequest[] = [];
		const send = tracedSend(async (given) => {
			sent.push(given);
			return answer;
		}, tracing);
		const span = tracing.begin("run") ?? assert.fail();
		const own = { traceparent: "mine" };
		await tracing.within(span, () => send(request(own), new AbortController().signal));
		assert.deepEqual(sent[0]?.headers, own);
	});

	test("statements show their kind only", async () => {
		const { tracing, ended } = createWorld();
		const sql: Sql = {
			read: async () => [],
			write: async () => {
				throw new RangeError("canary");
			},
			compact: async () => {},
			size: async () => null,
		};
		const traced = tracedSql(sql, tracing, "store");
		const statement = { text: "  insert into entries values (?1, 'canary')", values: ["canary"] };
		await traced.read(statement);
		assert.equal(ended.length, 0);
		await tracing.within(tracing.begin("run") ?? assert.fail(), async () => {
			await traced.read({ text: "select 'canary'", values: [] });
			await assert.rejects(traced.write([statement, statement]), RangeError);
		});
		assert.deepEqual(
			ended.map(({ name, isFailed }) => [name, isFailed]),
			[
				["SELECT store", false],
				["INSERT store", true],
			],
		);
		assert.doesNotMatch(JSON.stringify(ended.map(({ attributes }) => attributes)), /canary|entries/);
		assert.equal(tracedSql(sql, null, "store"), sql);
	});

	test("log lines carry the trace", () => {
		const { tracing } = createWorld();
		const lines: unknown[] = [];
		const log = tracedLog((...line) => void lines.push(line), tracing);
		log("info", "outside", { a: 1 });
		const span = tracing.begin("run") ?? assert.fail();
		tracing.within(span, () => log("info", "inside", { a: 1 }));
		assert.deepEqual(lines, [
			["info", "outside", { a: 1 }],
			["info", "inside", { a: 1, trace_id: String(span.trace.id) }],
		]);
	});
});
