import { Failed, invalid } from "@tripline/contract/failures";
import type { Incoming } from "@tripline/web/http-message";
import type { Reply } from "@tripline/web/route";
import { buildRunAnswer } from "../domain/run-answer.ts";
import { toOwnersSettings } from "../domain/webhook-settings.ts";
import type { AcceptedRuns } from "../runs/accepted.ts";
import { type Finished, isOwnCall, newExecutionId, type RunRequest } from "../runs/execute.ts";
import type { Idempotency } from "../runs/idempotent.ts";
import type { RecordBuffer } from "../runs/record-buffer.ts";
import { RunContinues, type WaitedRuns } from "../runs/waited.ts";
import { checkInput, type Received, readContext } from "./context.ts";
import { addCorsHeaders } from "./cors.ts";
import { findMislabelled } from "./file-contents.ts";
import { type ReceiveDeps, receive } from "./receive.ts";
import type { Target } from "./target.ts";
import type { Upload } from "./upload.ts";

export interface TriggerDeps extends ReceiveDeps {
	readonly runs: WaitedRuns;
	readonly accepted: AcceptedRuns;
	readonly idempotency: Idempotency;
	readonly records: Pick<RecordBuffer, "settle">;
	/** Whether a page that answers this request may have a looser sandbox. */
	mayLoosenPages(request: Incoming): boolean;
}

export type TriggerRun = ReturnType<typeof triggerRun>;

/** Handles a trigger request from its checks to its answer. */
export function triggerRun(deps: TriggerDeps) {
	/** `given`: the context, if it was read already. */
	return (request: Incoming, target: Target, given?: Received): Promise<Reply> => {
		const { webhook } = target.runnable;
		if (webhook?.chat != null && target.isOwners !== true && !isOwnCall(target.trigger))
			throw new Failed({ kind: "forbidden", message: "this workflow is called by its chat" });
		if (webhook === null || isOwnCall(target.trigger))
			return runReceived(request, target, given ?? readContext(deps, request, target), false);
		const settings = target.isOwners === true ? toOwnersSettings(webhook) : webhook;
		return addCorsHeaders(settings.cors, request, async () => {
			const received = await receive(deps, request, target, settings);
			if ("reply" in received) return received.reply;
			const run = () => runReceived(request, target, received, settings.answersByRespond);
			return received.upload === undefined ? run() : received.upload.settle(run);
		});
	};

	async function runReceived(
		request: Incoming,
		target: Target,
		received: Received | Promise<Received>,
		answersByRespond: boolean,
	): Promise<Reply> {
		const { input, body, root, upload } = await received;
		const { checkInput: check, signature } = target.runnable;
		if (check !== null) await checkInput(deps, target, check, input);
		if (upload !== undefined) checkContents(target, upload);
		const executionId = upload?.executionId ?? newExecutionId(deps.clock);
		const started: RunRequest = {
			...target,
			input,
			inputBytes: body.length,
			...(root !== undefined && { request: root }),
			files: upload?.ids,
			passedCheck: check,
			executionId,
			calledUrl: request.url,
			eventDepth: 0,
			// A webhook caller that disconnects cancels nothing; for an assistant, disconnecting is cancelling.
			...(target.trigger === "mcp" && request.signal !== undefined && { signal: request.signal }),
		};
		// An accepted run is found again by its workflow's name, which is not its draft.
		const isTest = target.trigger === "test";
		const isAccepting = wantsNoWait(request) && !isTest;
		const answer = async (): Promise<Answered> => {
			if (isAccepting) {
				const reply = await accept(started, target);
				upload?.setRun();
				return { reply, isFinal: true };
			}
			let finished: Finished | null = null;
			try {
				finished = await deps.runs.runNow(started);
			} catch (error) {
				if (!(error instanceof RunContinues)) throw error;
			}
			upload?.setRun();
			if (finished === null) return { reply: buildAccepted(executionId), isFinal: false, isUnfinished: true };
			// An assistant reads the log next and must find this run. Other callers do not wait for the record.
			if (target.trigger === "mcp") await deps.records.settle(executionId);
			return answersByRespond ? shape(finished, request) : toAnswered(finished, wantsTrace(request.url));
		};
		const key = isTest ? null : deps.idempotency.readKey(request.headers, signature?.scheme);
		return key === null
			? (await answer()).reply
			: deps.idempotency.runOnce({ ...target, key, body, executionId, isAccepting, answer });
	}

	function shape({ result, answer }: Finished, request: Incoming): Answered {
		const { reply, result: sent } = buildRunAnswer(result, answer, {
			mayLoosen: deps.mayLoosenPages(request),
		});
		return { reply, isFinal: sent.success };
	}

	async function accept(request: RunRequest, target: Target): Promise<Reply> {
		await deps.accepted.accept({ ...request, address: target.address, runs: [request] });
		return buildAccepted(request.executionId);
	}
}

const buildAccepted = (execution_id: string): Reply => ({
	status: 202,
	body: { execution_id, status: "accepted" },
	headers: { location: `/executions/${execution_id}` },
});

function checkContents({ runnable }: Target, { files }: Upload): void {
	const issues = findMislabelled(runnable.options?.input_schema, files);
	if (issues.length > 0) throw invalid(issues);
}

interface Answered {
	readonly reply: Reply;
	readonly isFinal: boolean;
	readonly isUnfinished?: true;
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
