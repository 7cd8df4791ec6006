import { Failed, invalid } from "@tripline/contract/failures";
import { type Json, MAX_JSON_DEPTH, nestsTooDeep } from "@tripline/contract/json";
import type { JsonObject, RunResult } from "@tripline/contract/workflows";
import type { Clock } from "@tripline/platform/clock";
import { readBody } from "@tripline/web/body";
import type { Incoming } from "@tripline/web/exchange";
import type { Reply } from "@tripline/web/route";
import type { RateLimit } from "../domain/rate-limit.ts";
import { verifySignature } from "../domain/signatures.ts";
import type { AcceptedRuns, Address } from "../runs/accepted.ts";
import type { Runs } from "../runs/admitted.ts";
import { newExecutionId, type RunRequest, type Trigger } from "../runs/execute.ts";
import type { Idempotency } from "../runs/idempotent.ts";
import type { Runnable } from "../runs/runnable.ts";
import type { Vault } from "../vault/vault.ts";

/** What a trigger's URL stands for. */
export interface Target {
	readonly runnable: Runnable;
	readonly workflow: string;
	readonly namespace: string | null;
	readonly trigger: Trigger;
	/** How to find it again. */
	readonly address: Address;
	/** The token or the namespace whose calls are counted. */
	readonly rateKey: string;
}

export interface TriggerDeps {
	readonly clock: Clock;
	readonly maxBodyBytes: number;
	readonly rate: RateLimit;
	readonly runs: Runs;
	readonly accepted: AcceptedRuns;
	readonly idempotency: Idempotency;
	readonly vault: Vault;
}

export type TriggerRun = ReturnType<typeof triggerRun>;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Everything between a trigger's URL and its answer. Order of checks: rate, size, signature, context, idempotency. */
export function triggerRun(deps: TriggerDeps) {
	return async (request: Incoming, target: Target): Promise<Reply> => {
		checkRate(deps.rate, target.rateKey);
		const body = await readBody(request, deps.maxBodyBytes);
		const { options } = target.runnable.plan;
		if (options.signature !== undefined) await checkSignature(request, body, target);
		const input = contextIn(body);
		checkInput(target.runnable, input);
		const executionId = newExecutionId(deps.clock);
		const started: RunRequest = { ...target, input, executionId, eventDepth: 0 };
		const answer = () =>
			wantsNoWait(request) ? accept(started, target) : run(started, wantsTrace(request.url));
		const key = deps.idempotency.keyOf(request.headers, options.signature?.scheme);
		return key === null ? answer() : deps.idempotency.once({ ...target, key, body, executionId, answer });
	};

	async function run(request: RunRequest, trace: boolean): Promise<Reply> {
		const { result } = await deps.runs.now(request);
		return resultReply(trace ? result : { ...result, nodes: undefined });
	}

	async function accept(request: RunRequest, target: Target): Promise<Reply> {
		await deps.accepted.accept(request, target.address);
		return {
			status: 202,
			body: { execution_id: request.executionId, status: "accepted" },
			headers: { location: `/executions/${request.executionId}` },
		};
	}

	async function checkSignature(
		request: Incoming,
		body: Uint8Array<ArrayBuffer>,
		target: Target,
	): Promise<void> {
		const { signature } = target.runnable.plan.options;
		if (signature === undefined) return;
		const fields =
			target.namespace === null ? null : await deps.vault.reveal(target.namespace, signature.credential);
		const secret = fields?.secret;
		const verdict =
			secret === undefined
				? "the workflow's signing credential does not exist or has no field secret"
				: await verifySignature({
						scheme: signature.scheme,
						secret,
						headers: request.headers,
						body,
						now: deps.clock.now(),
					});
		if (verdict !== true) throw new Failed({ kind: "unauthorized", message: `not signed: ${verdict}` });
	}
}

export const resultReply = (result: RunResult): Reply => ({
	status: result.success ? 200 : 500,
	body: result,
});

export function checkRate(rate: RateLimit, key: string): void {
	const wait = rate.take(key);
	if (wait === null) return;
	throw new Failed({ kind: "too_many", message: "too many calls, try again later", retryAfterSeconds: wait });
}

export function checkInput({ checkInput: check }: Runnable, input: JsonObject): void {
	const issues = check === null ? [] : check(input);
	if (issues.length > 0) throw invalid(issues);
}

export const contextOfRequest = async (request: Incoming, maxBytes: number): Promise<JsonObject> =>
	contextIn(await readBody(request, maxBytes));

/** A body that is absent, not JSON or not an object is an empty context. */
function contextIn(body: Uint8Array): JsonObject {
	if (body.length === 0) return {};
	let text: string;
	let value: Json;
	try {
		text = decoder.decode(body);
		value = JSON.parse(text) as Json;
	} catch {
		return {};
	}
	if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
	if (nestsTooDeep(text))
		throw new Failed({ kind: "bad_request", message: `json nests deeper than ${MAX_JSON_DEPTH} levels` });
	return value;
}

const wantsNoWait = (request: Incoming): boolean =>
	request.headers
		.get("prefer")
		?.split(",")
		.some((preference) => preference.trim().toLowerCase() === "respond-async") ?? false;

const wantsTrace = (url: string): boolean => !/[?&]trace=false(?:&|#|$)/.test(url);
