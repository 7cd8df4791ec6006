import { isConversationId, MAX_CHAT_TURNS } from "@tripline/contract/chat";
import { Failed, toFailureStatus } from "@tripline/contract/failures";
import type { RunProblem } from "@tripline/contract/workflows";
import type { Background } from "@tripline/platform/background";
import type { Incoming } from "@tripline/web/http-message";
import type { ChatTurns } from "../chat/turns.ts";
import { newExecutionId, type RunRequest } from "../runs/execute.ts";
import { RunContinues } from "../runs/waited.ts";
import { checkInput, type Received, readContext } from "./context.ts";
import { type RunEvents, runEvents } from "./run-events.ts";
import type { Target } from "./target.ts";
import { EVENT_STREAM_HEADERS } from "./text-feed.ts";
import type { TriggerDeps } from "./trigger.ts";

export type WatchRun = ReturnType<typeof watchRun>;

/** Like a trigger, but streams the run's events from its start. Disconnecting does not cancel the run. */
export function watchRun(
	deps: Pick<TriggerDeps, "clock" | "settings" | "rate" | "vault" | "turns" | "runs"> & {
		readonly background: Background;
		readonly chatTurns: ChatTurns;
	},
) {
	/** `given`: the context, if it was read already. */
	return async (request: Incoming, target: Target, given?: Received): Promise<Response> => {
		const { input } = given ?? (await readContext(deps, request, target));
		const check = target.runnable.checkInput;
		if (check !== null) await checkInput(deps, target, check, input);
		const executionId = newExecutionId(deps.clock);
		const events = runEvents(executionId);
		const { observe, onText } = events;
		const started: RunRequest = {
			...target,
			...{ input, passedCheck: check, executionId, calledUrl: request.url },
			eventDepth: 0,
			observe,
			onText,
		};
		deps.background.run("watched run", () => run(started, events));
		return new Response(events.stream, { headers: EVENT_STREAM_HEADERS });
	};

	async function run(request: RunRequest, events: RunEvents): Promise<void> {
		try {
			const { result } = await deps.runs.runNow(await addTurn(request));
			events.result(result);
		} catch (error) {
			if (error instanceof RunContinues) events.accepted();
			else events.problem(toProblem(error));
			if (!(error instanceof Failed)) throw error;
		}
	}

	/** What is said to a chat beside its workflow is a turn too if its run may go on alone, so that the reply is found. */
	async function addTurn(request: RunRequest): Promise<RunRequest> {
		const { runnable, trigger, namespace, workflow, executionId, input } = request;
		const { conversation: id, message } = input;
		const isSaid = typeof id === "string" && isConversationId(id) && typeof message === "string";
		if (trigger !== "console" || runnable.webhook?.chat == null || namespace === null || !isSaid)
			return request;
		if (!deps.runs.mayContinue(request)) return request;
		const key = { namespace, workflow, id };
		const number = ((await deps.chatTurns.findLast(key))?.number ?? 0) + 1;
		if (number > MAX_CHAT_TURNS) return request;
		const turn = { number, message, files: [], execution_id: executionId };
		return { ...request, chatTurn: (await deps.chatTurns.begin(key, turn)).id };
	}
}

const toProblem = (error: unknown): RunProblem =>
	error instanceof Failed
		? { status: toFailureStatus(error.failure), error: error.message }
		: { status: 500, error: "internal error" };
