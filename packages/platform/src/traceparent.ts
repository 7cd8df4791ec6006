/** What a request says of the trace that it belongs to: https://www.w3.org/TR/trace-context/ */
export interface TraceParent {
	/** 32 hexadecimal digits. */
	readonly traceId: string;
	/** Of the span that it comes from: 16 hexadecimal digits. */
	readonly spanId: string;
	readonly isSampled: boolean;
}

const TRACE_PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** Longer than any version so far, and short enough to be read without a limit. */
const MAX_PARENT_LENGTH = 256;
/** Receivers have to pass on at least so many characters. */
const MAX_STATE_LENGTH = 512;
const TRACE_STATE = /^[\x20-\x7e]+$/;
const SAMPLED = 1;

/** Null if there is none, or it is invalid: then it counts as absent. */
export function parseTraceParent(text: string | null | undefined): TraceParent | null {
	if (text === null || text === undefined || text.length > MAX_PARENT_LENGTH) return null;
	const [, version, traceId = "", spanId = "", flags = "", rest] = TRACE_PARENT.exec(text.trim()) ?? [];
	if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) return null;
	if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
	return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

export const formatTraceParent = ({ traceId, spanId, isSampled }: TraceParent): string =>
	`00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;

/** Empty if it cannot be passed on. It is never interpreted. */
export const readTraceState = (text: string | null | undefined): string =>
	text !== null && text !== undefined && text.length <= MAX_STATE_LENGTH && TRACE_STATE.test(text)
		? text
		: "";
