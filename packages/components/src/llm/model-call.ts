import type { JsonObject } from "@tripline/contract/workflows";
import type { NodeCall } from "@tripline/engine/component";
import * as z from "zod";
import type { Effects } from "../effects.ts";
import { type Attempts, attemptParams, sendWithRetries } from "../http-request/attempts.ts";
import { WebAddress } from "../http-request/params.ts";
import type { OutboundAnswer, OutboundSink } from "../outbound/call.ts";
import { anyObject } from "../schemas.ts";
import { toProviderError } from "./failure.ts";

const TIMEOUT_MS = 120_000;
export const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Parameters shared by all components that call a model. */
export const modelParams = {
	model: z
		.string()
		.min(1, "must not be empty")
		.max(200)
		.meta({ description: "The provider's name of the model" }),
	base_url: WebAddress.refine((url) => URL.canParse(url), "must be an address").optional(),
	extra: anyObject()
		.default({})
		.meta({ description: "Additional request fields, with the provider's names" }),
	...attemptParams,
	attempt_timeout_ms: attemptParams.attempt_timeout_ms
		.unwrap()
		.default(TIMEOUT_MS)
		.meta({ description: "Timeout of one attempt in milliseconds, including reading the response" }),
};

interface ModelCall {
	readonly url: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly value: JsonObject;
	readonly attempts: number;
	readonly timeoutMs: number;
	/** Takes the body of a successful response. */
	readonly sink?: OutboundSink;
	/** Asked after a failure; by default the call has no side effects. */
	isRepeatable?(): boolean;
}

/** Calls a model. Temporary failures are retried. */
export async function callModel(node: NodeCall<Effects>, call: ModelCall): Promise<OutboundAnswer> {
	const { url, headers = {}, value, timeoutMs } = call;
	const request = {
		method: "POST",
		url,
		headers,
		body: { kind: "json", value },
		credential: node.node.credential,
		timeoutMs,
		maxBytes: MAX_RESPONSE_BYTES,
		...(call.sink === undefined ? {} : { sink: call.sink }),
	} as const;
	const attempts: Attempts = {
		max: call.attempts,
		get isRepeatable() {
			return call.isRepeatable?.() ?? true;
		},
		isTemporary,
	};
	const answer = await sendWithRetries(node, request, attempts);
	if (!isSuccess(answer.status)) throw toProviderError(answer);
	return answer;
}

export const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

const isTemporary = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/** Appends the path to the base URL, unless the base already ends with it. The query is kept. */
export function buildEndpoint(base: URL, path: string, end = path): string {
	const url = new URL(base);
	const own = url.pathname.replace(/\/+$/, "");
	url.pathname = own.endsWith(end) ? own : own + path;
	return url.href;
}
