import { ACCEPTED_RUN } from "@tripline/contract/accepted-runs";
import { Failed } from "@tripline/contract/failures";
import { ANONYMOUS } from "@tripline/contract/partner-keys";
import type { JsonObject, RunResult } from "@tripline/contract/workflows";
import type { Background } from "@tripline/platform/background";
import type { Clock } from "@tripline/platform/clock";
import { errorFields, type Log } from "@tripline/platform/log";
import { type StoreClient, StoreRefused } from "@tripline/store/client";
import type { Runs } from "./admitted.ts";
import type { Executions, RunRequest, Trigger } from "./execute.ts";
import type { Runnable } from "./runnable.ts";

/** How an accepted run's workflow is found again after a restart. */
export type Address =
	| { readonly kind: "webhook"; readonly token: string }
	| { readonly kind: "named"; readonly namespace: string; readonly name: string };

/** An accepted run as it lies in the store: with its input until it ends, without it afterwards. */
type Accepted =
	| {
			readonly status: "accepted";
			/** Unix seconds: if the run has not ended by then, its process is gone and another takes it over. */
			readonly due_at: number;
			readonly address: Address;
			readonly namespace: string | null;
			readonly trigger: Trigger;
			readonly workflow: string;
			readonly input: JsonObject;
			readonly event_depth: number;
			readonly attempts: number;
	  }
	| {
			readonly status: "success" | "failed";
			readonly workflow: string;
			readonly duration_ms: number;
			readonly error: string;
	  };

const LEASE_MARGIN_MS = 10_000;
/** A run that ends its process every time must not do so for ever. */
const MOST_ATTEMPTS = 5;

export type AcceptedRuns = ReturnType<typeof acceptedRuns>;

/** Runs that go on after the answer. They are on disk before it, so that each runs at least once. */
export function acceptedRuns(deps: {
	readonly store: StoreClient;
	readonly clock: Clock;
	readonly log: Log;
	readonly background: Background;
	readonly runTimeoutMs: number;
	readonly runs: Runs;
	readonly fail: Executions["fail"];
	find(address: Address): Promise<Runnable | null>;
}) {
	const { store, clock } = deps;
	/** Waiting for room or running here: their time may be over, but they are not left alone. */
	const underWay = new Set<string>();

	return {
		/** Whether it is new: the same execution id is accepted once. */
		async accept(request: RunRequest, address: Address): Promise<boolean> {
			const { created } = await write(ownerOf(request), request.executionId, {
				status: "accepted",
				due_at: leaseEnd(),
				address,
				namespace: request.namespace,
				trigger: request.trigger,
				workflow: request.workflow,
				input: request.input,
				event_depth: request.eventDepth,
				attempts: 1,
			});
			if (created) deps.background.run("accepted run", () => run(request));
			return created;
		},

		async status(
			owner: string,
			executionId: string,
		): Promise<Exclude<Accepted, { status: "accepted" }> | "accepted" | null> {
			const entry = await store.entries.get(owner, ACCEPTED_RUN, executionId);
			if (entry === null) return null;
			const accepted = JSON.parse(entry.metadata_json) as Accepted;
			return accepted.status === "accepted" ? "accepted" : accepted;
		},

		/** Runs one again whose process is gone; false: there was nothing to run, or another was first. */
		async takeOver(entry: { owner_id: string; page_name: string; metadata_json: string }): Promise<boolean> {
			const accepted = JSON.parse(entry.metadata_json) as Accepted;
			if (accepted.status !== "accepted" || underWay.has(entry.page_name)) return false;
			const { address, namespace, trigger, workflow, input, attempts } = accepted;
			const owner_id = entry.owner_id;
			const executionId = entry.page_name;
			const eventDepth = accepted.event_depth;
			const request = { workflow, namespace, input, trigger, executionId, eventDepth };
			const runnable = attempts >= MOST_ATTEMPTS ? "the run was cut off too often" : await found(address);
			const claim = { owner_id, id: executionId, attempts, due_at: leaseEnd() };
			if (!(await store.acceptedRuns.claim(claim)).claimed) return false;
			if (typeof runnable === "string") {
				deps.fail(request, runnable);
				await end(owner_id, executionId, { success: false, workflow, duration_ms: 0, error: runnable });
				return false;
			}
			deps.background.run("accepted run", () => run({ ...request, runnable }));
			return true;
		},
	};

	/** The workflow, or why it cannot run any more. That the store cannot be reached is neither. */
	async function found(address: Address): Promise<Runnable | string> {
		try {
			return (await deps.find(address)) ?? "the workflow is gone";
		} catch (error) {
			if (error instanceof Failed && error.failure.kind === "corrupt") return error.message;
			throw error;
		}
	}

	async function run(request: RunRequest): Promise<void> {
		underWay.add(request.executionId);
		try {
			const finished = await deps.runs.begin(request);
			const { result } = await finished();
			await end(ownerOf(request), request.executionId, result);
		} finally {
			underWay.delete(request.executionId);
		}
	}

	async function end(
		owner_id: string,
		id: string,
		result: Pick<RunResult, "success" | "workflow" | "duration_ms" | "error">,
	): Promise<void> {
		const { success, workflow, duration_ms, error = "" } = result;
		const ended: Accepted = { status: success ? "success" : "failed", workflow, duration_ms, error };
		try {
			await store.acceptedRuns.end({ owner_id, id, metadata_json: JSON.stringify(ended) });
		} catch (problem) {
			// It stays accepted, and runs again when its time is over: at least once.
			deps.log("error", "end of an accepted run not written", errorFields(problem));
		}
	}

	async function write(
		owner_id: string,
		page_name: string,
		accepted: Accepted,
	): Promise<{ created: boolean }> {
		try {
			const metadata_json = JSON.stringify(accepted);
			const entry = { entry_type: ACCEPTED_RUN, owner_id, page_name, content: "", metadata_json };
			return await store.entries.once(entry);
		} catch (error) {
			if (error instanceof StoreRefused && error.status === 413)
				throw new Failed({ kind: "too_large", message: "the body is too large to be kept for later" });
			if (error instanceof StoreRefused)
				throw new Failed({
					kind: "bad_request",
					message: `the body cannot be kept for later: ${error.message}`,
				});
			throw error;
		}
	}

	function leaseEnd(): number {
		return Math.ceil((clock.now() + deps.runTimeoutMs + LEASE_MARGIN_MS) / 1000);
	}
}

const ownerOf = (request: RunRequest): string => request.namespace ?? ANONYMOUS;
