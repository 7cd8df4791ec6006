import { uuidv7 } from "@tripline/contract/ids";
import type { Plan } from "@tripline/engine/plan";
import type { Outcome } from "@tripline/engine/run/outcome";
import { type Clock, toIsoTime } from "@tripline/platform/clock";
import type { RunCapture } from "../kept/capture.ts";
import type { KeptRunData } from "../kept/kept-data.ts";
import type { HeldRuns } from "./held-runs.ts";
import type { RecordBuffer } from "./record-buffer.ts";

/** Of one run, and as many of each verdict: a loop must not fill the log. */
const MAX_RECORDS = 100;

export interface CalledRunsDeps {
	readonly clock: Clock;
	readonly records: Pick<RecordBuffer, "add">;
	readonly held: Pick<HeldRuns, "hold">;
	readonly kept: Pick<KeptRunData, "begin" | "end">;
}

/** A called workflow that has ended. */
interface EndedCall {
	/** Its id, if it is durable. */
	readonly id: string | undefined;
	readonly namespace: string;
	/** The run whose node called it, or whose node called the workflow that called it. */
	readonly calledBy: string;
	readonly workflow: string;
	readonly versionNumber: number | undefined;
	readonly version: string | null;
	readonly nodes: readonly { readonly id: string; readonly component: string }[];
	readonly plan: Pick<Plan<never>, "graph" | "context" | "options">;
	readonly startedAt: number;
	readonly outcome: Outcome;
	/** Undefined if nothing is kept of it. */
	readonly capture: RunCapture | undefined;
}

/** The workflows that one run calls. Those that are durable or fail leave records of their own. */
export class CalledRuns {
	readonly #deps: CalledRunsDeps;
	readonly #left = { success: MAX_RECORDS, failed: MAX_RECORDS };

	constructor(deps: CalledRunsDeps) {
		this.#deps = deps;
	}

	/** The id of the record; null if none is left. */
	end(call: EndedCall): string | null {
		const { namespace, workflow, versionNumber, version, capture, outcome } = call;
		const verdict = outcome.success ? "success" : "failed";
		if (call.id === undefined && outcome.success) return null;
		if (this.#left[verdict] === 0) return null;
		this.#left[verdict] -= 1;
		const { clock, records, held, kept } = this.#deps;
		const id = call.id ?? uuidv7(clock.now());
		const time = toIsoTime(call.startedAt);
		const { success, duration_ms, error = outcome.warning ?? "", data, nodes } = outcome;
		records.add({
			...{ id, owner_id: namespace, workflow, verdict, duration_ms, error, time, trigger: "workflow" },
			version_number: versionNumber,
			called_by: call.calledBy,
			...(!success && { nodes: [...call.nodes], failed_node: outcome.failedNode ?? null }),
		});
		held.hold(namespace, { success, duration_ms, execution_id: id, workflow, data, nodes });
		if (capture !== undefined) {
			const run = { namespace, executionId: id, workflow, versionNumber, trigger: "workflow" };
			kept.end(capture, { ...run, runnable: { version } }, call.plan, { time, success });
		}
		return id;
	}
}
