import type { Incoming } from "@tripline/web/http-message";
import type { Reply } from "@tripline/web/route";
import { buildRunAnswer } from "../domain/run-answer.ts";
import { toOwnersSettings } from "../domain/webhook-settings.ts";
import type { AcceptedRuns } from "../runs/accepted.ts";
import type { Runs } from "../runs/admitted.ts";
import { type Finished, newExecutionId, type RunRequest } from "../runs/execute.ts";
import type { Idempotency } from "../runs/idempotent.ts";
import type { RecordBuffer } from "../runs/record-buffer.ts";
import { checkInput, type Received, readContext } from "./context.ts";
import { addCorsHeaders } from "./cors.ts";
import { type ReceiveDeps, receive } from "./receive.ts";
import type { Target } from "./target.ts";

export interface TriggerDeps extends ReceiveDeps {
	readonly runs: Runs;
	readonly accepted: AcceptedRuns;
	readonly idempotency: Idempotency;
	readonly records: Pick<RecordBuffer, "settle">;
	/** Whether a page that answers this request may have a looser sandbox. */
	mayLoosenPages(request: Incoming): boolean;
}

export type TriggerRun = ReturnType<typeof triggerRun>;

/** Handles a trigger request from its checks to its answer. */
export function triggerRun(deps: TriggerDeps) {
	return (request: Incoming, target: Target): Promise<Reply> => {
		const { webhook } = target.runnable;
		// Assistants and the console call as the tenant's own, with JSON, and read the result.
		if (webhook === null || target.trigger === "mcp" || target.trigger === "console")
			return runReceived(request, target, readContext(deps, request, target), false);
		const settings = target.isOwners === true ? toOwnersSettings(webhook) : webhook;
		return addCorsHeaders(settings.cors, request, async () => {
			const received = await receive(deps, request, target, settings);
			if ("reply" in received) return received.reply;
			return runReceived(request, target, received, settings.answersByRespond);
		});
	};

	async function runReceived(
		request: Incoming,
		target: Target,
		received: Received | Promise<Received>,
		answersByRespond: boolean,
	): Promise<Reply> {
		const { input, body, root } = await received;
		const { checkInput: check, signature } = target.runnable;
		if (check !== null) await checkInput(deps, target, check, input);
		const executionId = newExecutionId(deps.clock);
		const started: RunRequest = {
			...target,
			input,
			...(root !== undefined && { request: root }),
			passedCheck: check,
			executionId,
			eventDepth: 0,
			// A webhook caller that disconnects cancels nothing; for an assistant, disconnecting is cancelling.
			...(target.trigger === "mcp" && request.signal !== undefined && { signal: request.signal }),
		};
		const answer = async (): Promise<Answered> => {
			if (wantsNoWait(request)) return { reply: await accept(started, target), isFinal: true };
			const finished = await deps.runs.runNow(started);
			// An assistant reads the log next and must find this run. Other callers do not wait for the record.
			if (target.trigger === "mcp") await deps.records.settle(executionId);
			return answersByRespond ? shape(finished, request) : toAnswered(finished, wantsTrace(request.url));
		};
		const key = deps.idempotency.readKey(request.headers, signature?.scheme);
		return key === null
			? (await answer()).reply
			: deps.idempotency.runOnce({ ...target, key, body, executionId, answer });
	}

	function shape({ result, answer }: Finished, request: Incoming): Answered {
		const { reply, result: sent } = buildRunAnswer(result, answer, {
			mayLoosen: deps.mayLoosenPages(request),
		});
		return { reply, isFinal: sent.success };
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

interface Answered {
	readonly reply: Reply;
	readonly isFinal: boolean;
}

function toAnswered({ result }: Finished, trace: boolean): Answered {
	const { success } = result;
	const body = trace ? result : { ...result, nodes: undefined };
	return { reply: { status: success ? 200 : 500, body }, isFinal: success };
}

const wantsNoWait = (request: Incoming): boolean =>
	request.headers
		.get("prefer")
		?.split(",")
		.some((preference) => preference.trim().toLowerCase() === "respond-async") ?? false;

const wantsTrace = (url: string): boolean => !/[?&]trace=false(?:&|#|$)/.test(url);
