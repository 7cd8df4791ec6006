import { readReply } from "@tripline/contract/chat-reply";
import type { FileValue } from "@tripline/contract/files";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Background } from "@tripline/platform/background";
import type { Turns } from "@tripline/platform/turns";
import { completeText, listWriters, TokenCount } from "../domain/chat.ts";
import { checkInput } from "../http/context.ts";
import type { Target } from "../http/target.ts";
import type { RunRequest } from "../runs/execute.ts";
import { RunContinues, type WaitedRuns } from "../runs/waited.ts";
import type { ChatBudgets } from "./budget.ts";
import type { BegunTurn } from "./turns.ts";

/** What a workflow is told. */
interface Said {
	readonly conversation: string;
	readonly message: string;
	/** With the message as the last one. */
	readonly messages: readonly JsonObject[];
	readonly files: readonly FileValue[];
	/** Files of earlier messages that the run may open too. */
	readonly earlierFiles?: readonly string[];
}

export interface TalkRequest {
	readonly target: Target;
	readonly said: Said;
	readonly executionId: string;
	readonly calledUrl: string;
	readonly signal: AbortSignal;
	/** Called with the pieces of the reply while it is written. */
	onText(text: string): void;
}

/** `continues`: the run waits for something, and goes on by itself. */
export interface Talked {
	readonly status: "answered" | "failed" | "stopped" | "continues";
	/** The reply, or what there was of it. */
	readonly text: string;
	/** What follows the pieces so that the reply is complete. */
	readonly rest: string;
	/** Null if it is not known. */
	readonly usage: { readonly input: number; readonly output: number } | null;
	/** For the owner: it may say what others must not read. */
	readonly error: string | null;
}

export type Talks = ReturnType<typeof talks>;

/** Runs workflows that answer messages. */
export function talks(deps: {
	readonly runs: WaitedRuns;
	readonly turns: Turns;
	readonly budgets: ChatBudgets;
	readonly background: Background;
}) {
	/**
	 * Checks everything that may be refused; what it returns runs the workflow. A run that may go on without its caller
	 * first waits for the turn that its reply completes.
	 */
	return async ({
		target,
		said,
		...request
	}: TalkRequest): Promise<(turn?: Promise<BegunTurn>) => Promise<Talked>> => {
		const { namespace, workflow, runnable } = target;
		const { earlierFiles = [], files, ...told } = said;
		const input = { ...told, files: files.map((file) => ({ ...file })) } as unknown as JsonObject;
		const check = runnable.checkInput;
		if (check !== null) await checkInput(deps, target, check, input);
		const readLength = JSON.stringify(said.messages).length;
		const daily = runnable.webhook?.chat?.daily_tokens;
		const budget = await deps.budgets.open(namespace ?? "", workflow, daily, readLength);
		const writers = "graph" in runnable.plan ? listWriters(runnable.plan.graph) : new Set<string>();
		const used = new TokenCount();
		let isSettled = false;
		let streamed = "";
		const started: RunRequest = {
			...target,
			input,
			passedCheck: check,
			files: [...files.map(({ $file }) => $file), ...earlierFiles],
			executionId: request.executionId,
			calledUrl: request.calledUrl,
			signal: request.signal,
			eventDepth: 0,
			onTokens(use) {
				if (!isSettled) used.add(use);
				else if (daily !== undefined)
					deps.background.run("tokens of a chat", () =>
						deps.budgets.add(namespace ?? "", workflow, use.input + use.output),
					);
			},
			onText({ id, text }) {
				if (!writers.has(id)) return;
				streamed += text;
				request.onText(text);
			},
		};
		return async (turn) => {
			try {
				const hasTurn = turn !== undefined && deps.runs.mayContinue(started);
				return await run(hasTurn ? { ...started, chatTurn: (await turn).id } : started);
			} finally {
				isSettled = true;
				await budget.settle(used, streamed);
			}
		};

		async function run(request: RunRequest): Promise<Talked> {
			try {
				const { result } = await deps.runs.runNow(request);
				if (request.signal?.aborted === true) return breakOff("stopped");
				if (!result.success) return breakOff("failed", result.error ?? "the run failed");
				const text = readReply(result.data);
				const usage = used.isKnown ? { input: used.input, output: used.output } : null;
				return { status: "answered", text, rest: completeText(streamed, text), usage, error: null };
			} catch (error) {
				// A run that was stopped has not ended here either.
				if (error instanceof RunContinues)
					return breakOff(request.signal?.aborted === true ? "stopped" : "continues");
				throw error;
			}
		}

		function breakOff(status: Talked["status"], error: string | null = null): Talked {
			return { status, text: streamed, rest: "", usage: null, error };
		}
	};
}
