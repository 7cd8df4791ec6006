import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type DecodedSpan, decodeSpans } from "./otlp.ts";

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
		const body = await buffer(request);
		received.push({ headers: request.headers, body: body.toString() });
		try {
			if (request.method !== "POST" || request.url !== "/v1/traces") throw new Error(`${request.url}`);
			spans.push(...decodeSpans(body).spans.map(readSpan));
			response.setHeader("content-type", "application/x-protobuf").end();
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

function readSpan(span: DecodedSpan): CollectedSpan {
	return {
		traceId: span.traceId,
		id: span.spanId,
		parent: span.parentSpanId,
		state: span.traceState,
		name: span.name,
		kind: span.kind,
		isFailed: span.status !== undefined,
		attributes: span.attributes,
		startedAt: span.startTimeUnixNano,
		endedAt: span.endTimeUnixNano,
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
