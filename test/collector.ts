import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import * as z from "zod";

const Value = z.union([
	z.strictObject({ stringValue: z.string().max(200) }),
	z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
]);
const Attributes = z.array(z.strictObject({ key: z.string().min(1), value: Value }));
const Nanoseconds = z.string().regex(/^\d{19}$/);
const SpanId = z.string().regex(/^[0-9a-f]{16}$/);
const Span = z.strictObject({
	traceId: z.string().regex(/^[0-9a-f]{32}$/),
	spanId: SpanId,
	parentSpanId: SpanId.optional(),
	traceState: z.string().optional(),
	name: z.string().min(1).max(128),
	kind: z.int().min(1).max(3),
	startTimeUnixNano: Nanoseconds,
	endTimeUnixNano: Nanoseconds,
	attributes: Attributes,
	status: z.strictObject({ code: z.literal(2) }).optional(),
});
/** As far as the protocol's JSON form is used. */
const Exported = z.strictObject({
	resourceSpans: z.array(
		z.strictObject({
			resource: z.strictObject({ attributes: Attributes }),
			scopeSpans: z.array(
				z.strictObject({
					scope: z.strictObject({ name: z.string(), version: z.string() }),
					spans: z.array(Span).min(1),
				}),
			),
		}),
	),
});

export interface CollectedSpan {
	readonly traceId: string;
	readonly id: string;
	/** Undefined if the trace begins with it. */
	readonly parent: string | undefined;
	readonly state: string | undefined;
	readonly name: string;
	readonly kind: number;
	readonly isFailed: boolean;
	readonly attributes: Readonly<Record<string, string>>;
	readonly startedAt: bigint;
	readonly endedAt: bigint;
}

/** A collector of spans on this machine. What it does not understand, it refuses and remembers as a problem. */
export async function openCollector() {
	const spans: CollectedSpan[] = [];
	const received: { readonly headers: NodeJS.Dict<string | string[]>; readonly body: string }[] = [];
	const problems: string[] = [];
	const server = createServer(async (request, response) => {
		const body = await text(request);
		received.push({ headers: request.headers, body });
		try {
			if (request.method !== "POST" || request.url !== "/v1/traces") throw new Error(`${request.url}`);
			for (const { scopeSpans } of Exported.parse(JSON.parse(body)).resourceSpans)
				for (const scope of scopeSpans) spans.push(...scope.spans.map(readSpan));
			response.setHeader("content-type", "application/json").end("{}");
		} catch (error) {
			problems.push(String(error));
			response.writeHead(400).end();
		}
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		spans,
		received,
		problems,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function readSpan(span: z.output<typeof Span>): CollectedSpan {
	return {
		traceId: span.traceId,
		id: span.spanId,
		parent: span.parentSpanId,
		state: span.traceState,
		name: span.name,
		kind: span.kind,
		isFailed: span.status !== undefined,
		attributes: Object.fromEntries(
			span.attributes.map(({ key, value }) => [
				key,
				"intValue" in value ? value.intValue : value.stringValue,
			]),
		),
		startedAt: BigInt(span.startTimeUnixNano),
		endedAt: BigInt(span.endTimeUnixNano),
	};
}

/** The spans of a trace as an indented list, each below its parent, in the order of their start. */
export function renderTrace(spans: readonly CollectedSpan[], mayShow = (_: CollectedSpan) => true): string[] {
	const ids = new Set(spans.map(({ id }) => id));
	const lines: string[] = [];
	const add = (parent: string | undefined, indent: string) => {
		const children = spans.filter((span) =>
			parent === undefined ? span.parent === undefined || !ids.has(span.parent) : span.parent === parent,
		);
		for (const span of children.toSorted((a, b) => Number(a.startedAt - b.startedAt))) {
			if (mayShow(span)) lines.push(`${indent}${span.name}${span.isFailed ? " failed" : ""}`);
			add(span.id, `${indent}  `);
		}
	};
	add(undefined, "");
	return lines;
}
