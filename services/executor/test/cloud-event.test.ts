import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Failed, type Issue } from "@tripline/contract/failures";
import fc from "fast-check";
import * as z from "zod";
import { EventBody, parseEvent } from "../src/http/cloud-event.ts";

const bytes = (value: unknown) =>
	new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const parse = (value: unknown, headers: Record<string, string> = {}) =>
	parseEvent(new Headers(headers), bytes(value));

const event = { specversion: "1.0", id: "1", source: "/shop", type: "order.paid" };
const binary = { "ce-specversion": "1.0", "ce-id": "1", "ce-source": "/shop", "ce-type": "order.paid" };

function catchFailure(parsing: () => unknown): Failed["failure"] {
	try {
		parsing();
	} catch (error) {
		if (error instanceof Failed) return error.failure;
		throw error;
	}
	assert.fail("it was accepted");
}

function catchIssues(parsing: () => unknown): readonly Issue[] {
	const failure = catchFailure(parsing);
	assert.equal(failure.kind, "invalid");
	return failure.kind === "invalid" ? failure.issues : [];
}

describe("a CloudEvent as JSON", () => {
	test("is parsed into type, source, data and extensions", () => {
		const whole = {
			...event,
			time: "2026-01-02T03:04:05.678+02:00",
			subject: "order 7",
			datacontenttype: "application/json",
			dataschema: "https://example.com/order",
			traceparent: "00-ab",
			sampled: true,
			shard: 3,
			absent: null,
			data: { order: 7 },
		};
		assert.deepEqual(parse(whole, { "content-type": "application/cloudevents+json; charset=utf-8" }), {
			type: "order.paid",
			source: "/shop",
			id: "1",
			time: "2026-01-02T03:04:05.678+02:00",
			subject: "order 7",
			extensions: { traceparent: "00-ab", sampled: true, shard: 3 },
			data: { order: 7 },
			dedupKey: '["/shop","1"]',
		});
	});

	test("is recognised by its specversion with any content type, and may have no data", () => {
		for (const headers of [{}, { "content-type": "application/json" }]) {
			assert.deepEqual(parse(event, headers), {
				type: "order.paid",
				source: "/shop",
				id: "1",
				data: null,
				dedupKey: '["/shop","1"]',
			});
		}
	});

	test("source and id give a unique deduplication key", () => {
		const keys = [
			["/a", "b"],
			["/a,b", ""],
			["/a", "b,c"],
			['/a","b', "c"],
		].map(([source, id]) => parse({ ...event, source, id: `${id}!` }).dedupKey);
		assert.equal(new Set(keys).size, keys.length);
	});

	test("binary data is decoded by its type", () => {
		const base64 = (text: string) => Buffer.from(text).toString("base64");
		assert.deepEqual(parse({ ...event, data_base64: base64('{"a":1}') }).data, { a: 1 });
		const text = { ...event, datacontenttype: "text/plain", data_base64: base64("值") };
		assert.equal(parse(text).data, "值");
		const image = { ...event, datacontenttype: "image/png", data_base64: "iVBORw==" };
		assert.equal(parse(image).data, "iVBORw==");
	});

	test("lists every problem with its path", () => {
		const wrong = { specversion: "0.3", source: "a b", type: "order..paid", time: "yesterday", data: 1 };
		assert.deepEqual(
			catchIssues(() => parse(wrong))
				.map((issue) => issue.path)
				.sort(),
			["id", "source", "specversion", "time", "type"],
		);
	});

	test("extensions must have simple names and simple values", () => {
		for (const name of ["traceParent", "trace-parent", "__proto__", "constructor!", "", "值"]) {
			const text = `${JSON.stringify(event).slice(0, -1)},${JSON.stringify(name)}:"x"}`;
			assert.deepEqual(
				catchIssues(() => parse(text)).map((issue) => issue.path),
				[name],
			);
		}
		for (const value of [{}, [], 1.5]) {
			assert.equal(catchIssues(() => parse({ ...event, ext: value }))[0]?.path, "ext");
		}
	});

	test("data and data_base64 exclude each other, and base64 must be base64", () => {
		assert.equal(
			catchIssues(() => parse({ ...event, data: 1, data_base64: "AA==" }))[0]?.path,
			"data_base64",
		);
		assert.equal(catchIssues(() => parse({ ...event, data_base64: "%%" }))[0]?.path, "data_base64");
	});
});

describe("a CloudEvent in headers", () => {
	test("has its attributes in ce- headers and its data as the body", () => {
		const headers = { ...binary, "ce-subject": "caf%C3%A9%20%2F%25", "ce-shard": "3" };
		assert.deepEqual(parse({ order: 7 }, { ...headers, "content-type": "application/json" }), {
			type: "order.paid",
			source: "/shop",
			id: "1",
			subject: "café /%",
			extensions: { shard: "3" },
			data: { order: 7 },
			dedupKey: '["/shop","1"]',
		});
	});

	test("its body is decoded by its content type, and an empty body is no data", () => {
		assert.equal(parse("", binary).data, null);
		assert.equal(parse("hello", { ...binary, "content-type": "text/plain" }).data, "hello");
		assert.equal(parse("hello", { ...binary, "content-type": "application/octet-stream" }).data, "aGVsbG8=");
		assert.deepEqual(parse("[1]", { ...binary, "content-type": "application/vnd.x+json" }).data, [1]);
		const headers = { ...binary, "content-type": "application/json" };
		assert.equal(catchFailure(() => parse("{", headers)).message, "invalid json");
	});

	test("missing, invalid and misplaced attributes are refused", () => {
		const { "ce-id": _, ...without } = binary;
		assert.equal(catchIssues(() => parse("1", without))[0]?.path, "id");
		assert.equal(catchIssues(() => parse("1", { ...binary, "ce-subject": "50%" }))[0]?.path, "ce-subject");
		assert.equal(catchIssues(() => parse("1", { ...binary, "ce-data": "x" }))[0]?.path, "ce-data");
		assert.equal(catchIssues(() => parse("1", { ...binary, "ce-__proto__": "x" }))[0]?.path, "__proto__");
	});

	test("repeated attributes are refused", () => {
		const headers = new Headers(binary);
		headers.append("ce-type", "order.paid");
		assert.equal(catchIssues(() => parseEvent(headers, bytes("1")))[0]?.path, "type");
	});
});

describe("the short form", () => {
	test("is a type and data, without deduplication", () => {
		assert.deepEqual(parse({ type: "order.paid", data: { a: 1 } }), {
			type: "order.paid",
			data: { a: 1 },
			dedupKey: null,
		});
		assert.equal(parse({ type: "a" }).data, null);
	});

	test("refuses other fields", () => {
		assert.deepEqual(
			catchIssues(() => parse({ type: "a", id: "1" })),
			[{ path: "id", message: "unknown field" }],
		);
	});

	test("types are dotted words of any script, up to 128 characters", () => {
		for (const type of ["a", "order.paid", "訂單.付款", "a_b-c.d2", "x".repeat(128)]) {
			assert.equal(parse({ type }).type, type);
		}
		for (const type of ["", ".", "a.", ".a", "a..b", "a b", "order.*", "x".repeat(129), "a\n", 1, null]) {
			assert.equal(catchIssues(() => parse({ type }))[0]?.path, "type");
		}
	});
});

describe("invalid events", () => {
	test("invalid JSON, invalid UTF-8 and batches give 400", () => {
		assert.equal(catchFailure(() => parse("")).kind, "bad_request");
		assert.equal(catchFailure(() => parse("{")).kind, "bad_request");
		const invalidUtf8 = new Uint8Array([0x22, 0xff, 0x22]);
		assert.equal(catchFailure(() => parseEvent(new Headers(), invalidUtf8)).kind, "bad_request");
		const batch = { "content-type": "application/cloudevents-batch+json" };
		assert.match(catchFailure(() => parse([event], batch)).message, /one event/);
		assert.match(
			catchFailure(() => parse(`{"type":"a","data":${"[".repeat(70)}${"]".repeat(70)}}`)).message,
			/deep/,
		);
	});

	test("any JSON is either an event or fails with a reason", () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.boolean(), (value, isBinary) => {
				try {
					parse(value, isBinary ? { "content-type": "application/cloudevents+json" } : {});
				} catch (error) {
					assert.ok(error instanceof Failed);
				}
			}),
		);
	});
});

test("the schema can be converted to JSON Schema", () => {
	const schema = z.toJSONSchema(EventBody, { unrepresentable: "any" });
	assert.equal(schema.anyOf?.length, 2);
});
