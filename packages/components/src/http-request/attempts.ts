import type { NodeCall } from "@tripline/engine/component";
import { TerminalError } from "@tripline/engine/terminal-error";
import * as z from "zod";
import type { Effects } from "../effects.ts";
import type { OutboundAnswer, OutboundCall } from "../outbound/call.ts";
import { describeStatus } from "./status.ts";

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 60_000;

export const DEFAULT_ATTEMPTS = 3;

/** Parameters shared by all components that make outbound calls. */
export const attemptParams = {
	attempts: z.int().min(1).max(10).default(DEFAULT_ATTEMPTS).meta({
		description: "Maximum attempts for temporary errors",
	}),
	attempt_timeout_ms: z
		.int()
		.min(1)
		.max(600_000)
		.optional()
		.meta({ description: "Timeout of one attempt in milliseconds, including reading the response" }),
};

export interface Attempts {
	readonly max: number;
	isTemporary(status: number): boolean;
	/** Whether the request may be sent twice. A request without a response may have been processed. */
	readonly isRepeatable: boolean;
}

/** Retries temporary failures, honouring Retry-After. Returns the first final response, or the last one. */
export async function sendWithRetries(
	node: Pick<NodeCall<Effects>, "effects" | "signal" | "log">,
	call: OutboundCall,
	attempts: Attempts,
): Promise<OutboundAnswer> {
	const { effects, signal } = node;
	for (let attempt = 1; ; attempt++) {
		const isLast = attempt >= attempts.max;
		let wait: number;
		let problem: string;
		try {
			const answer = await effects.http(call, signal);
			if (isLast || !attempts.isTemporary(answer.status)) return answer;
			const asked = parseRetryAfter(answer.headers["retry-after"], effects.clock.now());
			wait = asked ?? computeBackoff(attempt);
			problem = `the response was ${describeStatus(answer.status)}`;
		} catch (error) {
			const isFinal = error instanceof TerminalError || !attempts.isRepeatable;
			if (isLast || isFinal || signal.aborted) throw error;
			wait = computeBackoff(attempt);
			problem = error instanceof Error ? error.message : "no answer";
		}
		node.log(`attempt ${attempt} of ${attempts.max}: ${problem}; next in ${Math.ceil(wait)} ms`);
		await effects.sleep(wait, signal);
	}
}

/** The delay in milliseconds that the header asks for, at most a minute; undefined if there is none. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
	if (header === undefined) return undefined;
	const text = header.trim();
	const until = /^\d+$/.test(text)
		? Number(text) * 1000
		: / GMT$/.test(text)
			? Date.parse(text) - now
			: Number.NaN;
	return Number.isNaN(until) ? undefined : Math.min(Math.max(until, 0), MAX_WAIT_MS);
}

/** Exponential backoff with jitter: up to half of the delay is taken off at random, so that clients spread out. */
const computeBackoff = (attempt: number): number =>
	Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS) * (1 - Math.random() / 2);
