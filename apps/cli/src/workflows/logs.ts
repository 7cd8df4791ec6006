import type { ExecutionRecord } from "@tripline/contract/execution-log";
import { ExecutorUnavailable, type TenantExecutor } from "@tripline/executor/client";
import type { Invocation, Outcome } from "../command.ts";
import { formatTime } from "../format-time.ts";
import { parseLimit } from "../limit.ts";
import { createExecutor } from "../services.ts";
import { applyStyle } from "../style.ts";
import { measureWidth, padCell, toOneLine } from "../table.ts";
import { type Filter, listNewest } from "./newest.ts";
import { requireWorkflow } from "./unknown-workflow.ts";

const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 5_000;
/** Ids that are remembered, so that no run is printed twice. */
const MAX_PRINTED = 10_000;

/** Prints runs that have ended; with `--follow` it goes on. */
export async function run(invocation: Invocation): Promise<Outcome> {
	const { io, positionals, flags } = invocation;
	const workflow = positionals.workflow as string | undefined;
	const limit = parseLimit(flags.limit);
	const filter: LogFilter = {
		...(workflow !== undefined && { workflow }),
		...(flags.failed === true && { verdict: "failed" }),
	};
	const executor = createExecutor(io);
	const print = createPrinter(invocation);
	// Before the list: a run that ends in between is in both.
	const position = flags.follow === true ? (await executor.executions.ended(filter)).next : null;
	const earlier = await listNewest(executor, filter, limit);
	if (earlier.length === 0) await requireWorkflow(executor, workflow);
	print(earlier.toSorted((one, other) => findEnd(one) - findEnd(other)));
	if (position !== null) await follow(invocation, executor, filter, position, print);
	const isEmpty = position === null && earlier.length === 0;
	return { json: undefined, text: isEmpty ? (flags.failed === true ? "no failed runs" : "no runs") : "" };
}

type LogFilter = Omit<Filter, "since">;
type Print = (records: readonly ExecutionRecord[]) => void;

/** Until nobody reads the output any more. */
async function follow(
	{ io, progress }: Invocation,
	{ executions }: TenantExecutor,
	filter: LogFilter,
	start: string,
	print: Print,
): Promise<void> {
	let after = start;
	let pause = MIN_PAUSE_MS;
	let isAway = false;
	while (io.hasReader()) {
		await io.wait(pause);
		pause = Math.min(pause * 2, MAX_PAUSE_MS);
		try {
			const page = await executions.ended({ ...filter, after });
			if (isAway) progress("the service answers again");
			isAway = false;
			print(page.executions);
			after = page.next;
			if (page.has_more) pause = 0;
			else if (page.executions.length > 0) pause = MIN_PAUSE_MS;
		} catch (error) {
			if (!(error instanceof ExecutorUnavailable)) throw error;
			if (!isAway) progress(`${error.message}; asking again until it answers`);
			isAway = true;
		}
	}
}

function createPrinter({ io, flags }: Invocation): Print {
	const printed = new Set<string>();
	let width = 0;
	return (records) => {
		const fresh = records.filter(({ id }) => !printed.has(id));
		width = Math.max(width, ...fresh.map(({ workflow }) => measureWidth(workflow)));
		for (const record of fresh) {
			printed.add(record.id);
			io.out(`${flags.json === true ? JSON.stringify(record) : renderLine(record)}\n`);
		}
		for (const id of printed) {
			if (printed.size <= MAX_PRINTED) break;
			printed.delete(id);
		}
	};

	function renderLine(record: ExecutionRecord): string {
		const { id, workflow, verdict, duration_ms, error } = record;
		const time = formatTime(new Date(findEnd(record)).toISOString());
		const status = applyStyle(io, verdict === "failed" ? "red" : "green", verdict.padEnd("success".length));
		const duration = `${Math.round(duration_ms)} ms`.padStart("99999 ms".length);
		return [time, padCell(toOneLine(workflow), width), status, duration, id, toOneLine(error)]
			.join("  ")
			.trimEnd();
	}
}

/** The time of a record is that of the start. */
const findEnd = ({ time, duration_ms }: ExecutionRecord): number => Date.parse(time) + duration_ms;
