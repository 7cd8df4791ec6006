import type { ReplayedExecution } from "@tripline/contract/executor";
import { ExecutorUnavailable, type TenantExecutor } from "@tripline/executor/client";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { formatTime } from "../format-time.ts";
import { parseInstant } from "../instant.ts";
import { parseLimit } from "../limit.ts";
import { confirmPlan } from "../plan.ts";
import { toPrintable } from "../printable.ts";
import { createExecutor } from "../services.ts";
import { renderText } from "../table.ts";
import { formatCount } from "./check.ts";
import { requireWorkflow } from "./unknown-workflow.ts";

export type ReplayRequest = NonNullable<Parameters<TenantExecutor["executions"]["replay"]>[1]>;
type BulkRequest = Parameters<TenantExecutor["executions"]["replayFailed"]>[0];

interface Repeated extends Pick<ReplayedExecution, "id" | "workflow" | "execution_id" | "error"> {
	/** `unknown`: the run may have been started. */
	readonly result: "started" | "refused" | "unknown" | "not tried" | "would repeat";
}

/** Repeats failed runs, the oldest first. */
export async function replayFailed(
	invocation: Invocation,
	{ from, version }: ReplayRequest,
): Promise<Outcome> {
	const { flags, io } = invocation;
	if (flags.since === undefined)
		throw new CliProblem("--failed needs --since", {
			code: 2,
			hint: "tripline executions replay --failed --since 1h",
		});
	const limit = parseLimit(flags.limit);
	const workflow = flags.workflow as string | undefined;
	// Both calls find the same runs, also if others fail meanwhile.
	const request: BulkRequest = {
		since: parseInstant(flags.since as string, io.now()),
		until: new Date(io.now()).toISOString(),
		limit,
		from,
		version,
		...(workflow !== undefined && { workflow }),
	};
	const executor = createExecutor(io);
	const found: ReplayedExecution[] = [];
	for await (const page of readPages(executor, { ...request, dry_run: true })) found.push(...page);
	if (found.length === 0) {
		await requireWorkflow(executor, workflow);
		return toOutcome([]);
	}
	const isConfirmed = await confirmPlan(invocation, {
		lines: [
			renderText({ columns: ["time", "workflow", "id", "error"], rows: found.map(toRow), empty: "" }, io),
			...(found.length === limit ? [`--limit is ${limit}: newer ones, if there are any, are left out`] : []),
		],
		question: `repeat ${formatCount(found.length, "run")} ${from === "failed" ? "from where they failed" : "from the start"}`,
		refusal: "nothing was repeated",
	});
	return toOutcome(
		isConfirmed
			? await replayAll(invocation, executor, request, found)
			: found.map((each) => toRepeated(each, "would repeat")),
	);
}

async function* readPages({ executions }: TenantExecutor, request: BulkRequest) {
	for (let cursor: string | null | undefined; cursor !== null; ) {
		const page = await executions.replayFailed({ ...request, ...(cursor !== undefined && { cursor }) });
		yield page.executions;
		cursor = page.next_cursor;
	}
}

/** Stops when the service does not answer: the runs of that call may have been started. */
async function replayAll(
	{ progress }: Invocation,
	executor: TenantExecutor,
	request: BulkRequest,
	found: readonly ReplayedExecution[],
): Promise<Repeated[]> {
	const done: Repeated[] = [];
	try {
		for await (const page of readPages(executor, request))
			for (const each of page) {
				const { id, result, execution_id, error } = each;
				done.push(toRepeated(each, result === "listed" ? "not tried" : result));
				progress(
					toPrintable(`${done.length}/${found.length} ${id}: ${result}, ${execution_id ?? error ?? ""}`),
				);
			}
	} catch (error) {
		if (!(error instanceof ExecutorUnavailable)) throw error;
		progress(error.message);
	}
	const tried = new Set(done.map(({ id }) => id));
	const left = found.filter(({ id }) => !tried.has(id));
	return [...done, ...left.map((each) => toRepeated(each, "unknown"))];
}

const toRow = ({ time, workflow, id, failure }: ReplayedExecution): string[] => [
	formatTime(time),
	workflow,
	id,
	failure,
];

const toRepeated = (
	{ id, workflow, execution_id, error }: ReplayedExecution,
	result: Repeated["result"],
): Repeated => ({ id, workflow, result, execution_id, error });

function toOutcome(executions: readonly Repeated[]): Outcome {
	const isDone = executions.every(({ result }) => result === "started" || result === "would repeat");
	return {
		code: isDone ? 0 : 1,
		json: { executions },
		text: {
			columns: ["workflow", "id", "result", "new id", "error"],
			rows: executions.map(({ workflow, id, result, execution_id, error }) => [
				workflow,
				id,
				result,
				execution_id ?? "",
				error ?? "",
			]),
			empty: "no failed runs to repeat",
		},
	};
}
