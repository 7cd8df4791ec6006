import type { OutboundHttp } from "./http.ts";
import type { Log } from "./log.ts";
import type { Sql, Statement } from "./sql.ts";
import type { Span, Tracing } from "./tracing.ts";

/** Adds `trace_id` to lines that are logged within a trace. */
export const tracedLog =
	(log: Log, tracing: Tracing): Log =>
	(level, message, fields) => {
		const span = tracing.current();
		if (span === undefined) log(level, message, fields);
		else log(level, message, { ...fields, trace_id: String(span.trace.id) });
	};

/** Records the kinds of statements; never their text or values. `name` is that of the database. */
export function tracedSql<Database extends Sql>(
	sql: Database,
	tracing: Tracing | null,
	name: string,
): Database {
	if (tracing === null) return sql;
	const system = sql.dialect === "postgres" ? "postgresql" : "sqlite";
	const start = (first: Statement | undefined, count: number): Span | null => {
		const span = tracing.startHere("", "client");
		if (span === null) return null;
		const kind = readKind(first?.text ?? "");
		span.name = `${kind} ${name}`;
		span.set("db.system.name", system);
		span.set("db.namespace", name);
		span.set("db.operation.name", kind);
		if (count > 1) span.set("db.operation.batch.size", count);
		return span;
	};
	return {
		...sql,
		read<R>(statement: Statement): Promise<R[]> {
			const span = start(statement, 1);
			return span === null ? sql.read<R>(statement) : follow(tracing, span, sql.read<R>(statement));
		},
		write(unit) {
			const span = start(unit[0], unit.length);
			return span === null ? sql.write(unit) : follow(tracing, span, sql.write(unit));
		},
	};
}

const readKind = (text: string): string => /^\s*([a-z]{1,16})/i.exec(text)?.[1]?.toUpperCase() ?? "OTHER";

/** Records outbound calls and tells the called services about the trace, unless the call has such a header already. */
export const tracedSend =
	(send: OutboundHttp["send"], tracing: Tracing): OutboundHttp["send"] =>
	(request, signal) => {
		const present = tracing.current();
		if (present === undefined) return send(request, signal);
		const span = tracing.startHere(readMethod(request.method), "client");
		const { headers } = request;
		const isAuthors = headers.traceparent !== undefined || headers.tracestate !== undefined;
		const sent = isAuthors
			? request
			: { ...request, headers: { ...headers, ...tracing.buildHeaders(span ?? present) } };
		if (span === null) return send(sent, signal);
		span.set("http.request.method", readMethod(request.method));
		// Not the address, which may come from an input.
		span.set("url.scheme", request.url.protocol.slice(0, -1));
		return follow(tracing, span, send(sent, signal), ({ status }) => setStatus(span, status, 400));
	};

export function setStatus(span: Span, status: number, failsFrom: number): void {
	span.set("http.response.status_code", status);
	if (status < failsFrom) return;
	span.isFailed = true;
	span.set("error.type", String(status));
}

const METHODS: ReadonlySet<string> = new Set([
	...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"],
]);

/** Others may be anything that a caller writes. */
export const readMethod = (method: string): string => (METHODS.has(method) ? method : "_OTHER");

/** Ends the span with the work. */
async function follow<Result>(
	tracing: Tracing,
	span: Span,
	work: Promise<Result>,
	onResult?: (result: Result) => void,
): Promise<Result> {
	try {
		const result = await work;
		onResult?.(result);
		return result;
	} catch (error) {
		span.isFailed = true;
		span.set("error.type", error instanceof Error ? error.name : "error");
		throw error;
	} finally {
		tracing.end(span);
	}
}
