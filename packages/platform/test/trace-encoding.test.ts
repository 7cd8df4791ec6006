import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyCharacter } from "../../../test/any-character.ts";
import { decodeSpans } from "../../../test/otlp.ts";
import { SpanBatch } from "../src/trace-encoding.ts";
import { Bits64, TraceId } from "../src/trace-ids.ts";
import { Span, Trace } from "../src/tracing.ts";

const resource = { serviceName: "shop é", version: "1.2.3", instance: "i" };
const text = (maxLength: number, minLength = 0) => fc.string({ unit: anyCharacter, minLength, maxLength });
const hex = (digits: number) =>
	fc.string({
		unit: fc.constantFrom(..."0123456789abcdef"),
		minLength: digits,
		maxLength: digits,
	});
const spans = fc.record({
	traceId: hex(32),
	spanId: hex(16),
	parentId: fc.oneof(hex(16), fc.constant("")),
	state: fc.constantFrom("", "congo=t61rcWkgMzE"),
	name: text(60, 1),
	kind: fc.constantFrom("internal", "server", "client"),
	isFailed: fc.boolean(),
	// The year 2001 to the year 2247, with a fraction that a float can represent.
	startedAt: fc.integer({ min: 8e12, max: 7e13 }).map((eighths) => eighths / 8),
	attributes: fc.dictionary(text(20, 1), fc.oneof(text(60), fc.maxSafeNat()), {
		maxKeys: 5,
		noNullPrototype: true,
	}),
});

test("a decoder reads what was written", () => {
	fc.assert(
		fc.property(fc.array(spans, { minLength: 1, maxLength: 20 }), (given) => {
			const batch = new SpanBatch(resource, 128 * 1024);
			const expected = given.map((each) => {
				const trace = new Trace(TraceId.parse(each.traceId), each.state, true, true);
				const parent = each.parentId === "" ? null : Bits64.parse(each.parentId);
				const span = new Span(trace, Bits64.parse(each.spanId), parent, each.name, each.kind, true);
				for (const [name, value] of Object.entries(each.attributes)) span.set(name, value);
				span.endedAt = each.startedAt + 1.25;
				span.isFailed = each.isFailed;
				assert.ok(batch.add(Object.assign(span, { startedAt: each.startedAt })));
				return {
					traceId: each.traceId,
					spanId: each.spanId,
					...(each.parentId !== "" && { parentSpanId: each.parentId }),
					...(each.state !== "" && { traceState: each.state }),
					name: each.name.toWellFormed(),
					kind: ["internal", "server", "client"].indexOf(each.kind) + 1,
					startTimeUnixNano: toNanoseconds(each.startedAt),
					endTimeUnixNano: toNanoseconds(each.startedAt + 1.25),
					attributes: Object.fromEntries(
						Object.entries(each.attributes).map(([name, value]) => [
							name.toWellFormed(),
							String(value).toWellFormed(),
						]),
					),
					...(each.isFailed && { status: { code: 2 } }),
				};
			});
			const decoded = decodeSpans(batch.finish());
			assert.deepEqual(decoded.spans, expected.toReversed());
			assert.equal(decoded.resource["service.name"], "shop é");
		}),
	);
});

test("a full batch takes no more, and loses nothing", () => {
	const batch = new SpanBatch(resource, 16 * 1024);
	const trace = new Trace(TraceId.random(), "", true, true);
	let added = 0;
	for (;;) {
		const span = new Span(trace, Bits64.random(), null, `${added} ${"€".repeat(100)}`, "server", true);
		for (let nth = 0; nth < 6; nth++) span.set(`key ${nth}`, "€".repeat(100));
		span.endedAt = span.startedAt;
		if (!batch.add(span)) break;
		added++;
	}
	assert.ok(added > 3, String(added));
	assert.equal(batch.count, added);
	const names = decodeSpans(batch.finish()).spans.map(({ name }) => Number.parseInt(name, 10));
	assert.deepEqual(
		names,
		names.map((_, index) => added - 1 - index),
	);
});

const toNanoseconds = (milliseconds: number): bigint => {
	const whole = Math.floor(milliseconds);
	return BigInt(whole) * 1_000_000n + BigInt(Math.floor((milliseconds - whole) * 1e6));
};
