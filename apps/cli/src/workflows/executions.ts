import type { ExecutionRecord } from "@tripline/contract/execution-log";
import type { TenantExecutor } from "@tripline/executor/client";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { toPrintable } from "../printable.ts";
import { createExecutor } from "../services.ts";
import { renderText } from "../table.ts";
import { type Filter, listNewest } from "./newest.ts";
import { buildTraceTable } from "./trace.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1000;

export async function list({ io, positionals, flags }: Invocation): Promise<Outcome> {
	const workflow = positionals.workflow as string | undefined;
	const limit = parseLimit(flags.limit as string | undefined);
	const filter: Filter = {
		...(workflow !== undefined && { workflow }),
		...(flags.failed === true && { verdict: "failed" }),
		...(flags.since !== undefined && { since: parseInstant(flags.since as string, io.now()) }),
	};
	const executor = createExecutor(io);
	const executions = await listNewest(executor, filter, limit);
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
			rows: executions.map(toRow),
			empty: flags.failed === true ? "no failed runs" : "no runs",
		},
	};
}

function parseLimit(given: string | undefined): number {
	const limit = given === undefined ? DEFAULT_LIMIT : Number(given);
	if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
	throw new CliProblem(`--limit must be 1 to ${MAX_LIMIT}`, { code: 2 });
}

/** Converts a relative time, a date or an ISO 8601 time to ISO 8601. */
function parseInstant(given: string, now: number): string {
	const ago = /^(\d{1,6})([smhdw])$/.exec(given);
	const time =
		ago === null ? parseWritten(given) : now - Number(ago[1]) * UNITS[ago[2] as keyof typeof UNITS];
	if (Number.isFinite(time)) return new Date(time).toISOString();
	throw new CliProblem(`${JSON.stringify(given)} is not a time`, {
		code: 2,
		hint: "write 30m, 24h, 7d, 2026-11-01 or 2026-11-01T08:00:00Z",
	});
}

/** A time without a zone is UTC, like all times in the output. */
function parseWritten(given: string): number {
	if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/.test(given))
		return Number.NaN;
	const hasZone = /(?:Z|[+-]\d\d:\d\d)$/.test(given) && given.includes("T");
	return Date.parse(given.includes("T") && !hasZone ? `${given}Z` : given);
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

export async function show({ io, positionals }: Invocation): Promise<Outcome> {
	const id = positionals.id as string;
	const detail = UUID.test(id) ? await createExecutor(io).executions.get(id) : null;
	if (detail === null)
		throw new CliProblem(`there is no execution ${JSON.stringify(id)}`, {
			hint: "tripline executions lists the latest",
		});
	const nodes = detail.nodes === null ? [] : ["", renderText(buildTraceTable(detail.nodes), io)];
	return { json: detail, text: [...renderDetail(detail), ...nodes].join("\n") };
}

type Detail = NonNullable<Awaited<ReturnType<TenantExecutor["executions"]["get"]>>>;

function renderDetail({ execution_id, status, workflow, record }: Detail): string[] {
	const said: [string, string | null | undefined][] = [
		["execution", execution_id],
		["workflow", workflow],
		["status", status],
		["time", record === null ? null : formatTime(record.time)],
		["duration", record === null ? null : `${Math.round(record.duration_ms)} ms`],
		["trigger", record?.trigger],
		["target", record?.target],
		["failed node", record?.failed_node],
		["error", record?.error],
	];
	return said.flatMap(([name, value]) => (value ? [`${`${name}:`.padEnd(13)}${toPrintable(value)}`] : []));
}

/** UTC. */
const formatTime = (iso: string): string => iso.slice(0, 19).replace("T", " ");
