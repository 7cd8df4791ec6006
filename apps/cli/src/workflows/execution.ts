import type { UnfinishedExecution } from "@tripline/contract/executor";
import type { TenantExecutor } from "@tripline/executor/client";
import { CliProblem } from "../command.ts";
import { formatTime } from "../format-time.ts";
import type { Io } from "../io.ts";
import { toPrintable } from "../printable.ts";
import { renderText } from "../table.ts";
import { buildTraceTable } from "./trace.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export type Detail = NonNullable<Awaited<ReturnType<TenantExecutor["executions"]["get"]>>>;

/** The service refuses any other text as invalid, although it only names no run. */
export const isExecutionId = (text: string): boolean => UUID.test(text);

export async function requireExecution({ executions }: TenantExecutor, id: string): Promise<Detail> {
	const detail = isExecutionId(id) ? await executions.get(id) : null;
	if (detail === null) throw createUnknownExecution(id);
	return detail;
}

export const createUnknownExecution = (id: string): CliProblem =>
	new CliProblem(`there is no execution ${JSON.stringify(id)}`, {
		hint: "tripline executions lists the latest",
	});

/** Whether it runs or waits, and until when, if that is known. */
export const describeNow = ({ status, until }: UnfinishedExecution): string =>
	until === undefined ? status : `${status} until ${formatTime(until)}`;

const describeWithStart = (run: UnfinishedExecution): string =>
	run.until === undefined ? `${run.status} since ${formatTime(run.since)}` : describeNow(run);

export function renderDetail({ execution_id, status, workflow, record, unfinished }: Detail): string[] {
	const said: [string, string | null | undefined][] = [
		["execution", execution_id],
		["workflow", workflow],
		["status", status],
		["now", unfinished && describeWithStart(unfinished)],
		["time", record === null ? null : formatTime(record.time)],
		["duration", record === null ? null : `${Math.round(record.duration_ms)} ms`],
		["trigger", record?.trigger],
		["called by", record?.called_by],
		["repeats", record?.replay_of ?? unfinished?.replay_of],
		["target", record?.target],
		["failed node", record?.failed_node],
		["error", record?.error],
	];
	return said.flatMap(([name, value]) => (value ? [`${`${name}:`.padEnd(13)}${toPrintable(value)}`] : []));
}

/** With the outcome of each node, while the service still has it. */
export function renderWithNodes(detail: Detail, io: Io): string {
	const nodes = detail.nodes === null ? [] : ["", renderText(buildTraceTable(detail.nodes), io)];
	return [...renderDetail(detail), ...nodes].join("\n");
}
