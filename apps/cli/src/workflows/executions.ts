import type { ExecutionRecord } from "@tripline/contract/execution-log";
import type { UnfinishedExecution } from "@tripline/contract/executor";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { formatTime } from "../format-time.ts";
import { parseInstant } from "../instant.ts";
import { parseLimit } from "../limit.ts";
import { createExecutor } from "../services.ts";
import {
	createUnknownExecution,
	describeNow,
	isExecutionId,
	renderDetail,
	renderWithNodes,
	requireExecution,
} from "./execution.ts";
import { readKeptData, renderKeptData } from "./kept-data.ts";
import { type Filter, listNewest, listUnfinished } from "./newest.ts";
import { requireWorkflow } from "./unknown-workflow.ts";

export async function list(invocation: Invocation): Promise<Outcome> {
	const { io, positionals, flags } = invocation;
	const workflow = positionals.workflow as string | undefined;
	const limit = parseLimit(flags.limit);
	if (flags.unfinished === true) return listWithoutEnd(invocation, workflow, limit);
	const filter: Filter = {
		...(workflow !== undefined && { workflow }),
		...(flags.failed === true && { verdict: "failed" }),
		...(flags.since !== undefined && { since: parseInstant(flags.since as string, io.now()) }),
	};
	const executor = createExecutor(io);
	const executions = await listNewest(executor, filter, limit);
	if (executions.length === 0) await requireWorkflow(executor, workflow);
	return {
		json: { executions },
		text: {
			columns: ["time", "workflow", "verdict", "ms", "trigger", "id", "error"],
			rows: executions.map(toRow),
			empty: flags.failed === true ? "no failed runs" : "no runs",
		},
	};
}

const toRow = ({ time, workflow, verdict, duration_ms, trigger, id, error }: ExecutionRecord): string[] => [
	formatTime(time),
	workflow,
	verdict,
	String(Math.round(duration_ms)),
	trigger ?? "",
	id,
	error,
];

/** Runs that have not ended have no verdict yet. */
async function listWithoutEnd(
	{ io, flags }: Invocation,
	workflow: string | undefined,
	limit: number,
): Promise<Outcome> {
	if (flags.failed === true || flags.since !== undefined)
		throw new CliProblem("--unfinished cannot be combined with --failed or --since", { code: 2 });
	const executor = createExecutor(io);
	const isWanted = (run: UnfinishedExecution) => workflow === undefined || run.workflow === workflow;
	const executions = await listUnfinished(executor, isWanted, limit);
	if (executions.length === 0) await requireWorkflow(executor, workflow);
	return {
		json: { executions },
		text: {
			columns: ["time", "workflow", "status", "attempts", "trigger", "id"],
			rows: executions.map((run) => [
				formatTime(run.time),
				run.workflow,
				describeNow(run),
				String(run.attempts),
				run.trigger,
				run.id,
			]),
			empty: "no unfinished runs",
		},
	};
}

export async function show({ io, positionals, flags }: Invocation): Promise<Outcome> {
	const id = positionals.id as string;
	const executor = createExecutor(io);
	const detail = await requireExecution(executor, id);
	const node = flags.node as string | undefined;
	const place = flags.place as string | undefined;
	if (place !== undefined && node === undefined)
		throw new CliProblem("--place needs --node", { code: 2, hint: "name the node: --node NAME --place 0.2" });
	if (flags.data === true || node !== undefined) {
		const query = { ...(node !== undefined && { node }), ...(place !== undefined && { place }) };
		const data = await readKeptData(executor, id, query);
		const text = [...renderDetail(detail), renderKeptData(data, node !== undefined)].join("\n");
		return { json: { ...detail, data }, text };
	}
	return { json: detail, text: renderWithNodes(detail, io) };
}

export async function cancel({ io, positionals }: Invocation): Promise<Outcome> {
	const id = positionals.id as string;
	const cancelled = isExecutionId(id) ? await createExecutor(io).executions.cancel(id) : null;
	if (cancelled === null) throw createUnknownExecution(id);
	const text = cancelled.status === "cancelling" ? "cancelling: the run cleans up" : cancelled.status;
	return { json: cancelled, text };
}
