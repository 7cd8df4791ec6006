import { Failed, toFailureStatus } from "@tripline/contract/failures";
import type { RunProblem } from "@tripline/contract/workflows";
import type { Background } from "@tripline/platform/background";
import type { Incoming } from "@tripline/web/http-message";
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
			const { result } = await deps.runs.runNow(request);
			events.result(result);
		} catch (error) {
			if (error instanceof RunContinues) events.accepted();
			else events.problem(toProblem(error));
			if (!(error instanceof Failed)) throw error;
		}
	}
}

const toProblem = (error: unknown): RunProblem =>
	error instanceof Failed
		? { status: toFailureStatus(error.failure), error: error.message }
		: { status: 500, error: "internal error" };
