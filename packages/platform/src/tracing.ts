import { Bits64, TraceId } from "./trace-ids.ts";
import { type Sampler, traceSampler } from "./trace-sampler.ts";
import { formatTraceParent, parseTraceParent, readTraceState } from "./traceparent.ts";

/** The numbers of the OpenTelemetry protocol. */
export const SPAN_KINDS = { internal: 1, server: 2, client: 3 } as const;
export type SpanKind = keyof typeof SPAN_KINDS;

/** Beyond it further spans of a trace are dropped: a loop must not fill the buffer. */
const MAX_SPANS = 1_000;
const MAX_TEXT_LENGTH = 128;

/** What the spans of a trace in this process have in common. */
export class Trace {
	readonly id: TraceId;
	/** The caller's `tracestate`, or empty. */
	readonly state: string;
	/** False: its headers are passed on, and nothing is recorded. */
	readonly isRecorded: boolean;
	/** The flag of the headers. */
	readonly isSampled: boolean;
	/** The wall clock minus the monotonic one, when it began. */
	readonly offset: number;
	spansLeft = MAX_SPANS;
	/** Spans that have begun and not ended. */
	open = 0;
	/** Ended spans, where they are exported by trace. */
	ended: Span[] | null = null;

	constructor(id: TraceId, state: string, isRecorded: boolean, isSampled: boolean) {
		this.id = id;
		this.state = state;
		this.isRecorded = isRecorded;
		this.isSampled = isSampled;
		this.offset = Date.now() - performance.now();
	}

	/** Milliseconds since the Unix epoch. The monotonic clock is finer, and never goes back within a trace. */
	now(): number {
		return this.offset + performance.now();
	}
}

/** A piece of work in a trace, or the place in a trace from which this process was called. */
export class Span {
	readonly trace: Trace;
	readonly id: Bits64;
	/** Null if the trace begins with it. */
	readonly parentId: Bits64 | null;
	readonly kind: SpanKind;
	name: string;
	/** Milliseconds since the Unix epoch, with a fraction. */
	readonly startedAt: number;
	/** Zero until it has ended. */
	endedAt = 0;
	isFailed = false;
	/** False if it is only passed on. */
	readonly isRecorded: boolean;
	/** Names and values in turn. Never the values of inputs, outputs, headers or credentials. */
	readonly attributes: (string | number)[] = [];

	// One by one: an object with all of them would cost as much as the span.
	constructor(
		trace: Trace,
		id: Bits64,
		parentId: Bits64 | null,
		name: string,
		kind: SpanKind,
		isRecorded: boolean,
	) {
		this.trace = trace;
		this.id = id;
		this.parentId = parentId;
		this.kind = kind;
		this.name = truncate(name);
		this.startedAt = trace.now();
		this.isRecorded = isRecorded;
	}

	set(name: string, value: string | number): void {
		this.attributes.push(name, typeof value === "string" ? truncate(value) : value);
	}
}

const truncate = (text: string): string =>
	text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH - 1)}…` : text;

/** The place of a run in a trace, as it is stored with the run. */
export interface StoredTrace {
	/** As in the header. */
	readonly parent: string;
	readonly state?: string;
	/** Otherwise it is only passed on. */
	readonly is_recorded?: true;
}

export interface TraceStats {
	/** Spans that the collector has accepted. */
	readonly exported: number;
	/** Spans that were lost: the buffer was full, or the collector refused them. */
	readonly dropped: number;
	/** Memory for spans that wait or are being sent. */
	readonly bufferedBytes: number;
}

/** Takes ended spans. It never waits and never throws. */
export interface SpanExporter {
	add(span: Span): void;
	/** Counts a span that is not recorded, because its trace has too many. */
	drop(): void;
	/** The trace has no open span. */
	rest?(trace: Trace): void;
	readStats(): TraceStats;
}

/** Keeps a value along a chain of calls and promises: the `AsyncLocalStorage` of the platform. */
export interface SpanStorage {
	getStore(): Span | undefined;
	run<Result>(span: Span | undefined, work: () => Result): Result;
}

interface ReceivedHeaders {
	get(name: string): string | null;
}

export type Tracing = ReturnType<typeof createTracing>;

/** Records what requests and runs do as spans. Whoever uses it has null instead if tracing is off. */
export function createTracing(deps: {
	readonly ratio: number;
	readonly storage: SpanStorage;
	readonly exporter: SpanExporter;
	readonly sampler?: Sampler;
}) {
	const { storage, exporter, sampler = traceSampler(deps.ratio) } = deps;

	return {
		/** The span that the calling code belongs to. */
		current: (): Span | undefined => storage.getStore(),

		/** Undefined: the work belongs to no trace. */
		within: <Result>(span: Span | undefined, work: () => Result): Result => storage.run(span, work),

		/** For work that is started later, possibly on behalf of others. */
		bind<Result>(work: () => Result): () => Result {
			const span = storage.getStore();
			return () => storage.run(span, work);
		},

		/** Begins the span of a request from outside. Null if it belongs to no trace. */
		startRequest(headers: ReceivedHeaders, mayBegin: boolean): Span | null {
			const parent = parseTraceParent(headers.get("traceparent"));
			if (parent === null) return mayBegin && sampler.begins() ? beginTrace("request", "server") : null;
			const isRecorded = sampler.continues(parent.isSampled);
			const received = receive(parent, readTraceState(headers.get("tracestate")), isRecorded);
			return startSpan("request", "server", received) ?? received;
		},

		/** Begins the span of a request from another part of the deployment, whose decision is trusted. */
		startInternalRequest(headers: ReceivedHeaders): Span | null {
			const parent = storage.getStore() ?? readTrusted(headers.get("traceparent"), headers.get("tracestate"));
			return parent === null ? null : startChild("request", "server", parent);
		},

		/** Begins the first span of a trace. Null if it is not sampled. */
		begin: (name: string): Span | null => (sampler.begins() ? beginTrace(name, "internal") : null),

		/** Begins a span also if its parent has ended. Null if the trace is not recorded. */
		start: startSpan,

		/** Begins a span within the present one. Null if there is none, or it has ended: then the work belongs to others too. */
		startHere(name: string, kind: SpanKind): Span | null {
			const parent = storage.getStore();
			return parent === undefined ? null : startChild(name, kind, parent);
		},

		end,

		/** Headers that tell a service elsewhere about the trace. */
		buildHeaders: (span: Span): Record<string, string> => toHeaders(span, span.trace.isSampled),

		/**
		 * Headers that tell another part of the deployment about the present trace; null if there is none. They are trusted,
		 * so their flag says what is recorded, and not what a caller wanted.
		 */
		buildInternalHeaders(): Record<string, string> | null {
			const span = storage.getStore();
			return span === undefined ? null : toHeaders(span, span.trace.isRecorded);
		},

		/** Undefined if there is no trace at present. */
		store(): StoredTrace | undefined {
			const span = storage.getStore();
			if (span === undefined) return undefined;
			const { state, isSampled, isRecorded } = span.trace;
			return {
				parent: toParentText(span, isSampled),
				...(isRecorded && { is_recorded: true }),
				...(state !== "" && { state }),
			};
		},

		/** Where a stored run goes on in its trace. Null if what is stored is unusable. */
		resume: ({ parent, state, is_recorded }: StoredTrace): Span | null =>
			readTrusted(parent, state, is_recorded === true),

		readStats: (): TraceStats => exporter.readStats(),
	};

	function readTrusted(
		text: string | null,
		state: string | null | undefined,
		isRecorded?: boolean,
	): Span | null {
		const parent = parseTraceParent(text);
		if (parent === null) return null;
		return receive(parent, readTraceState(state), isRecorded ?? parent.isSampled);
	}

	/** The caller's span, which is not recorded here. */
	function receive(
		{ traceId: id, spanId, isSampled }: NonNullable<ReturnType<typeof parseTraceParent>>,
		state: string,
		isRecorded: boolean,
	): Span {
		const trace = new Trace(TraceId.parse(id), state, isRecorded, isSampled);
		return new Span(trace, Bits64.parse(spanId), null, "", "server", false);
	}

	function beginTrace(name: string, kind: SpanKind): Span {
		return createSpan(new Trace(TraceId.random(), "", true, true), null, name, kind);
	}

	function startChild(name: string, kind: SpanKind, parent: Span): Span | null {
		return parent.endedAt === 0 ? startSpan(name, kind, parent) : null;
	}

	function startSpan(name: string, kind: SpanKind, { trace, id }: Span): Span | null {
		if (!trace.isRecorded) return null;
		if (trace.spansLeft === 0) {
			exporter.drop();
			return null;
		}
		return createSpan(trace, id, name, kind);
	}

	function createSpan(trace: Trace, parentId: Bits64 | null, name: string, kind: SpanKind): Span {
		trace.spansLeft -= 1;
		trace.open += 1;
		return new Span(trace, Bits64.random(), parentId, name, kind, true);
	}

	function end(span: Span): void {
		if (!span.isRecorded || span.endedAt !== 0) return;
		const { trace } = span;
		span.endedAt = trace.now();
		trace.open -= 1;
		exporter.add(span);
		if (trace.open === 0) exporter.rest?.(trace);
	}
}

const toParentText = ({ trace, id }: Span, isSampled: boolean): string =>
	formatTraceParent({ traceId: String(trace.id), spanId: String(id), isSampled });

function toHeaders(span: Span, isSampled: boolean): Record<string, string> {
	const { state } = span.trace;
	const traceparent = toParentText(span, isSampled);
	return state === "" ? { traceparent } : { traceparent, tracestate: state };
}
