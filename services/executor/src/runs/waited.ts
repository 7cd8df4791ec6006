import { Failed } from "@tripline/contract/failures";
import type { Background } from "@tripline/platform/background";
import type { AcceptedRuns } from "./accepted.ts";
import type { Runs } from "./admitted.ts";
import { type Finished, getOwner, type RunRequest } from "./execute.ts";

const RETRY_SECONDS = 5;

/** A durable run was interrupted, or takes longer than a caller may wait. It continues by itself. */
export class RunContinues extends Failed {
	constructor(executionId: string) {
		const message = `the run continues by itself: see /executions/${executionId}`;
		super({ kind: "unavailable", message, retryAfterSeconds: RETRY_SECONDS });
	}
}

export type WaitedRuns = ReturnType<typeof waitedRuns>;

/** Runs whose callers wait. */
export function waitedRuns(deps: {
	readonly runs: Pick<Runs, "runNow" | "enter">;
	readonly accepted: Pick<AcceptedRuns, "runStored" | "isDurable" | "cancel">;
	readonly background: Background;
	readonly runTimeoutMs: number;
}) {
	const { runs, accepted } = deps;

	return {
		/** Whether the run can go on after its caller has stopped waiting. */
		mayContinue,

		/** Throws if the queue is full, and `RunContinues` if a durable run does not end while the caller waits. */
		runNow(request: RunRequest): Finished | Promise<Finished> {
			return mayContinue(request) ? runDurably(request) : runs.runNow(request);
		},
	};

	/** A resumed run is found by its workflow's name, which is not its draft. */
	function mayContinue(request: RunRequest): boolean {
		return request.runnable.isDurable && request.trigger !== "test" && accepted.isDurable(request);
	}

	async function runDurably(request: RunRequest): Promise<Finished> {
		const { executionId, signal, runnable } = request;
		const stored = { ...request, isWaitedFor: true } as const;
		await runs.enter(stored);
		const cancel = () =>
			deps.background.run("cancel a run", () => accepted.cancel(getOwner(request), executionId));
		signal?.addEventListener("abort", cancel);
		let timer: ReturnType<typeof setTimeout> | undefined;
		try {
			const ended = accepted.runStored(stored);
			const isLong = runnable.options.timeout !== undefined;
			const finished = await (isLong ? Promise.race([ended, waitForTimeout()]) : ended);
			if (finished === null) throw new RunContinues(executionId);
			return finished;
		} finally {
			clearTimeout(timer);
			signal?.removeEventListener("abort", cancel);
		}

		function waitForTimeout(): Promise<null> {
			return new Promise((resolve) => {
				timer = setTimeout(() => resolve(null), deps.runTimeoutMs);
			});
		}
	}
}
