import { randomToken } from "@tripline/contract/ids";
import { SPAN_KINDS, type Span } from "./tracing.ts";

/** What describes the process that sends spans. */
export interface TraceResource {
	readonly serviceName: string;
	readonly version: string;
	/** Tells processes of one service apart. */
	readonly instance: string;
}

export const randomInstance = (): string => randomToken(9);

/** The JSON encoding of OTLP: a head, the spans separated by commas, and a tail. */
export function createEncoding({ serviceName, version, instance }: TraceResource) {
	const resource = [
		encodeAttribute("service.name", serviceName),
		encodeAttribute("service.version", version),
		encodeAttribute("service.instance.id", instance),
	].join();
	const scope = `{"name":"tripline","version":${JSON.stringify(version)}}`;
	const head = `{"resourceSpans":[{"resource":{"attributes":[${resource}]},"scopeSpans":[{"scope":${scope},"spans":[`;
	return { head, tail: "]}]}]}" };
}

const FAILED = 2;

export function encodeSpan(span: Span): string {
	const { trace, id, parentId, name, kind, startedAt, endedAt, attributes, isFailed } = span;
	let encoded = "";
	for (let index = 0; index < attributes.length; index += 2) {
		if (index > 0) encoded += ",";
		encoded += encodeAttribute(attributes[index] as string, attributes[index + 1] as string | number);
	}
	const parent = parentId === "" ? "" : `"parentSpanId":"${parentId}",`;
	const state = trace.state === "" ? "" : `"traceState":${JSON.stringify(trace.state)},`;
	const status = isFailed ? `,"status":{"code":${FAILED}}` : "";
	return `{"traceId":"${trace.id}","spanId":"${id}",${parent}${state}"name":${encodeText(name)},"kind":${SPAN_KINDS[kind]},"startTimeUnixNano":"${toNanoseconds(startedAt)}","endTimeUnixNano":"${toNanoseconds(endedAt)}","attributes":[${encoded}]${status}}`;
}

const encodeAttribute = (name: string, value: string | number): string =>
	`{"key":"${name}","value":${typeof value === "number" ? `{"intValue":"${value}"}` : `{"stringValue":${encodeText(value)}}`}}`;

/** A half of a surrogate pair would make the whole batch invalid. */
const encodeText = (text: string): string =>
	PLAIN.test(text) ? `"${text}"` : JSON.stringify(text.toWellFormed());

/** Needs no escapes, as almost every text. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Too large for a number, so the digits are put together. */
function toNanoseconds(milliseconds: number): string {
	const whole = Math.floor(milliseconds);
	// The leading one keeps the zeros.
	return `${whole}${String(1e6 + Math.floor((milliseconds - whole) * 1e6)).slice(1)}`;
}

/** Of a span that waits: its object, and later its text, of which there may be two copies while it is sent. */
export function estimateBytes({ name, attributes }: Span): number {
	let bytes = SPAN_BYTES + 2 * name.length;
	for (const part of attributes) bytes += ATTRIBUTE_BYTES + (typeof part === "string" ? 2 * part.length : 0);
	return bytes;
}

const SPAN_BYTES = 600;
const ATTRIBUTE_BYTES = 24;
