import type { ExecutionRecord } from "@tripline/contract/execution-log";
import type { TenantExecutor } from "@tripline/executor/client";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { printable } from "../printable.ts";
import { executorOf } from "../services.ts";
import { shown } from "../table.ts";
import { type Filter, newest } from "./newest.ts";
import { instantOf } from "./since.ts";
import { traceTable } from "./trace.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DEFAULT_LIMIT = 20;
const MOST = 1000;

export async function list({ io, positionals, flags }: Invocation): Promise<Outcome> {
	const workflow = positionals.workflow as string | undefined;
	const limit = limitOf(flags.limit as string | undefined);
	const filter: Filter = {
		...(workflow !== undefined && { workflow }),
		...(flags.failed === true && { verdict: "failed" }),
		...(flags.since !== undefined && { since: instantOf(flags.since as string, io.now()) }),
	};
	const executor = executorOf(io);
	const executions = await newest(executor, filter, limit);
	if (
		executions.length === 0 &&
		workflow !== undefined &&
		(await executor.workflows.describe(workflow)) === null
	)
		throw new CliProblem(`there is no workflow ${JSON.stringify(workflow)}`, {
			hint: "tripline executions shows those of all workflows",
		});
	return {
		json: { executions },
		text: {
			columns: ["time", "workflow", "verdict", "ms", "trigger", "id", "error"],
			rows: executions.map(rowOf),
			empty: flags.failed === true ? "no failed runs" : "no runs",
		},
	};
}

function limitOf(given: string | undefined): number {
	const limit = given === undefined ? DEFAULT_LIMIT : Number(given);
	if (Number.isInteger(limit) && limit >= 1 && limit <= MOST) return limit;
	throw new CliProblem(`--limit must be 1 to ${MOST}`, { code: 2 });
}

const rowOf = ({ time, workflow, verdict, duration_ms, trigger, id, error }: ExecutionRecord): string[] => [
	timeText(time),
	workflow,
	verdict,
	String(Math.round(duration_ms)),
	trigger ?? "",
	id,
	error,
];

export async function show({ io, positionals }: Invocation): Promise<Outcome> {
	const id = positionals.id as string;
	const detail = UUID.test(id) ? await executorOf(io).executions.get(id) : null;
	if (detail === null)
		throw new CliProblem(`there is no execution ${JSON.stringify(id)}`, {
			hint: "tripline executions lists the latest",
		});
	const nodes = detail.nodes === null ? [] : ["", shown(traceTable(detail.nodes), io)];
	return { json: detail, text: [...detailLines(detail), ...nodes].join("\n") };
}

type Detail = NonNullable<Awaited<ReturnType<TenantExecutor["executions"]["get"]>>>;

function detailLines({ execution_id, status, workflow, record }: Detail): string[] {
	const said: [string, string | null | undefined][] = [
		["execution", execution_id],
		["workflow", workflow],
		["status", status],
		["time", record === null ? null : timeText(record.time)],
		["duration", record === null ? null : `${Math.round(record.duration_ms)} ms`],
		["trigger", record?.trigger],
		["target", record?.target],
		["failed node", record?.failed_node],
		["error", record?.error],
	];
	return said.flatMap(([name, value]) => (value ? [`${`${name}:`.padEnd(13)}${printable(value)}`] : []));
}

/** UTC. */
const timeText = (iso: string): string => iso.slice(0, 19).replace("T", " ");
