import assert from "node:assert/strict";
import protobuf from "protobufjs";
import * as z from "zod";

/** As far as spans use the protocol's definitions. */
const { root } = protobuf.parse(`
	syntax = "proto3";
	message Request { repeated ResourceSpans resource_spans = 1; }
	message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
	message Resource { repeated KeyValue attributes = 1; }
	message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
	message Scope { string name = 1; string version = 2; }
	message Span {
		bytes trace_id = 1;
		bytes span_id = 2;
		string trace_state = 3;
		bytes parent_span_id = 4;
		string name = 5;
		int32 kind = 6;
		fixed64 start_time_unix_nano = 7;
		fixed64 end_time_unix_nano = 8;
		repeated KeyValue attributes = 9;
		Status status = 15;
	}
	message Status { string message = 2; int32 code = 3; }
	message KeyValue { string key = 1; AnyValue value = 2; }
	message AnyValue { oneof value { string string_value = 1; int64 int_value = 3; } }
`);
const Request = root.lookupType("Request");

const hex = (bytes: number) =>
	z.instanceof(Uint8Array).transform((id) => {
		assert.equal(id.length, bytes);
		return Buffer.from(id).toString("hex");
	});
const Value = z.union([
	z.strictObject({ stringValue: z.string().max(200) }),
	z.strictObject({ intValue: z.string() }),
]);
const Attributes = z
	.array(z.strictObject({ key: z.string().min(1), value: Value }))
	.transform((attributes) =>
		Object.fromEntries(
			attributes.map(({ key, value }) => [key, "intValue" in value ? value.intValue : value.stringValue]),
		),
	);
const Nanoseconds = z
	.string()
	.regex(/^\d{19}$/)
	.transform(BigInt);
const Span = z.strictObject({
	traceId: hex(16),
	spanId: hex(8),
	parentSpanId: hex(8).optional(),
	traceState: z.string().optional(),
	name: z.string().min(1).max(128),
	kind: z.int().min(1).max(3),
	startTimeUnixNano: Nanoseconds,
	endTimeUnixNano: Nanoseconds,
	attributes: Attributes,
	status: z.strictObject({ code: z.literal(2) }).optional(),
});
const Sent = z.strictObject({
	resourceSpans: z.tuple([
		z.strictObject({
			resource: z.strictObject({ attributes: Attributes }),
			scopeSpans: z.tuple([
				z.strictObject({
					scope: z.strictObject({ name: z.string(), version: z.string() }),
					spans: z.array(Span).min(1),
				}),
			]),
		}),
	]),
});

/** What a request to a collector contains. Throws if it is not encoded as the protocol says. */
export function decodeSpans(body: Uint8Array) {
	const decoded = Request.decode(body);
	// Also tells of fields that are unknown, and of lengths that are longer than they need be.
	assert.ok(Buffer.from(body).equals(Request.encode(decoded).finish()), "it is encoded differently");
	const [{ resource, scopeSpans }] = Sent.parse(
		Request.toObject(decoded, { longs: String, arrays: true }),
	).resourceSpans;
	const [{ scope, spans }] = scopeSpans;
	return { resource: resource.attributes, scope, spans };
}

export type DecodedSpan = ReturnType<typeof decodeSpans>["spans"][number];
