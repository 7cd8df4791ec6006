import type { RunResult } from "@tripline/contract/workflows";
import type { Incoming } from "@tripline/web/http-message";
import type { Reply } from "@tripline/web/route";
import type { AcceptedRuns } from "../runs/accepted.ts";
import type { Runs } from "../runs/admitted.ts";
import { newExecutionId, type RunRequest } from "../runs/execute.ts";
import type { Idempotency } from "../runs/idempotent.ts";
import type { RecordBuffer } from "../runs/record-buffer.ts";
import { type ContextDeps, checkInput, readContext } from "./context.ts";
import type { Target } from "./target.ts";

export interface TriggerDeps extends ContextDeps {
	readonly runs: Runs;
	readonly accepted: AcceptedRuns;
	readonly idempotency: Idempotency;
	readonly records: Pick<RecordBuffer, "settle">;
}

export type TriggerRun = ReturnType<typeof triggerRun>;

/** Handles a trigger request from its checks to its answer. */
export function triggerRun(deps: TriggerDeps) {
	return async (request: Incoming, target: Target): Promise<Reply> => {
		const { input, body } = await readContext(deps, request, target);
		const check = target.runnable.checkInput;
		if (check !== null) await checkInput(deps, target, check, input);
		const executionId = newExecutionId(deps.clock);
		const started: RunRequest = {
			...target,
			input,
			passedCheck: check,
			executionId,
			eventDepth: 0,
			// A webhook caller that disconnects cancels nothing; for an assistant, disconnecting is cancelling.
			...(target.trigger === "mcp" && request.signal !== undefined && { signal: request.signal }),
		};
		const answer = () =>
			wantsNoWait(request) ? accept(started, target) : run(started, wantsTrace(request.url));
		const key = deps.idempotency.readKey(request.headers, target.runnable.options.signature?.scheme);
		return key === null ? answer() : deps.idempotency.runOnce({ ...target, key, body, executionId, answer });
	};

	async function run(request: RunRequest, trace: boolean): Promise<Reply> {
		const { result } = await deps.runs.runNow(request);
		// An assistant reads the log next and must find this run. Other callers do not wait for the record.
		if (request.trigger === "mcp") await deps.records.settle(request.executionId);
		return toReply(trace ? result : { ...result, nodes: undefined });
	}

	async function accept(request: RunRequest, target: Target): Promise<Reply> {
		await deps.accepted.accept({ ...request, address: target.address, runs: [request] });
		return {
			status: 202,
			body: { execution_id: request.executionId, status: "accepted" },
			headers: { location: `/executions/${request.executionId}` },
		};
	}
}

const toReply = (result: RunResult): Reply => ({ status: result.success ? 200 : 500, body: result });

const wantsNoWait = (request: Incoming): boolean =>
	request.headers
		.get("prefer")
		?.split(",")
		.some((preference) => preference.trim().toLowerCase() === "respond-async") ?? false;

const wantsTrace = (url: string): boolean => !/[?&]trace=false(?:&|#|$)/.test(url);
