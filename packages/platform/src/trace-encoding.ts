import { randomToken } from "@tripline/contract/ids";
import { ProtobufWriter } from "./protobuf-writer.ts";
import { SPAN_KINDS, type Span } from "./tracing.ts";

/** What describes the process that sends spans. */
export interface TraceResource {
	readonly serviceName: string;
	readonly version: string;
	/** Tells processes of one service apart. */
	readonly instance: string;
}

export const randomInstance = (): string => randomToken(9);

/** The numbers of the fields in the definitions of OTLP, by message. */
const REQUEST = { resourceSpans: 1 };
const RESOURCE_SPANS = { resource: 1, scopeSpans: 2 };
const RESOURCE = { attributes: 1 };
const SCOPE_SPANS = { scope: 1, spans: 2 };
const SCOPE = { name: 1, version: 2 };
const SPAN = {
	...{ traceId: 1, spanId: 2, traceState: 3, parentSpanId: 4, name: 5, kind: 6 },
	...{ startTimeUnixNano: 7, endTimeUnixNano: 8, attributes: 9, status: 15 },
};
const STATUS = { code: 3 };
const KEY_VALUE = { key: 1, value: 2 };
const ANY_VALUE = { string: 1, int: 3 };

const FAILED = 2;
/** For the resource and the scope: their texts have at most 100 characters each. */
const HEAD_BYTES = 2048;
/** Ids, times, kind and status of a span, with their prefixes. */
const SPAN_BYTES = 128;
/** What is around the parts of an attribute, half for each, or an integer. */
const PART_BYTES = 10;
const MAX_BYTES_PER_CHARACTER = 3;

/**
 * Spans in the binary encoding of OTLP, the last one first: encoded as they end, so that what waits for the collector is
 * small and known.
 */
export class SpanBatch {
	count = 0;
	readonly #writer: ProtobufWriter;
	readonly #capacity: number;
	readonly #resource: TraceResource;

	constructor(resource: TraceResource, capacity: number) {
		this.#resource = resource;
		this.#capacity = capacity;
		this.#writer = new ProtobufWriter(capacity);
	}

	/** False if there is no room for it. */
	add(span: Span): boolean {
		const writer = this.#writer;
		if (writer.start - HEAD_BYTES < boundBytes(span)) return false;
		const { trace, parentId, attributes } = span;
		const end = writer.start;
		if (span.isFailed) {
			writer.writeInteger(STATUS.code, FAILED);
			writer.writePrefix(SPAN.status, end);
		}
		for (let index = attributes.length - 2; index >= 0; index -= 2)
			writeAttribute(writer, SPAN.attributes, attributes[index] as string, attributes[index + 1] as string);
		writer.writeNanoseconds(SPAN.endTimeUnixNano, span.endedAt);
		writer.writeNanoseconds(SPAN.startTimeUnixNano, span.startedAt);
		writer.writeInteger(SPAN.kind, SPAN_KINDS[span.kind]);
		writer.writeText(SPAN.name, span.name);
		if (parentId !== null) writer.writeBits(SPAN.parentSpanId, parentId);
		if (trace.state !== "") writer.writeText(SPAN.traceState, trace.state);
		writer.writeBits(SPAN.spanId, span.id);
		writer.writeBits(SPAN.traceId, trace.id.first, trace.id.second);
		writer.writePrefix(SCOPE_SPANS.spans, end);
		this.count++;
		return true;
	}

	/** The body of a request. Nothing can be added afterwards. */
	finish(): Uint8Array<ArrayBuffer> {
		const writer = this.#writer;
		const { serviceName, version, instance } = this.#resource;
		const scopeEnd = writer.start;
		writer.writeText(SCOPE.version, version);
		writer.writeText(SCOPE.name, "tripline");
		writer.writePrefix(SCOPE_SPANS.scope, scopeEnd);
		writer.writePrefix(RESOURCE_SPANS.scopeSpans, this.#capacity);
		const resourceEnd = writer.start;
		writeAttribute(writer, RESOURCE.attributes, "service.instance.id", instance);
		writeAttribute(writer, RESOURCE.attributes, "service.version", version);
		writeAttribute(writer, RESOURCE.attributes, "service.name", serviceName);
		writer.writePrefix(RESOURCE_SPANS.resource, resourceEnd);
		writer.writePrefix(REQUEST.resourceSpans, this.#capacity);
		return writer.finish();
	}
}

function writeAttribute(writer: ProtobufWriter, field: number, key: string, value: string | number): void {
	const end = writer.start;
	if (typeof value === "number") writer.writeInteger(ANY_VALUE.int, value);
	else writer.writeText(ANY_VALUE.string, value);
	writer.writePrefix(KEY_VALUE.value, end);
	writer.writeText(KEY_VALUE.key, key);
	writer.writePrefix(field, end);
}

/** At least as many bytes as the span has. */
function boundBytes({ name, attributes, trace }: Span): number {
	let characters = name.length + trace.state.length;
	for (const part of attributes) if (typeof part === "string") characters += part.length;
	return SPAN_BYTES + attributes.length * PART_BYTES + characters * MAX_BYTES_PER_CHARACTER;
}
