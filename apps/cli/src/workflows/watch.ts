import { ExecutorUnavailable, type TenantExecutor } from "@tripline/executor/client";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { formatTime } from "../format-time.ts";
import { parseDuration } from "../instant.ts";
import { createExecutor } from "../services.ts";
import { type Detail, describeNow, renderWithNodes, requireExecution } from "./execution.ts";

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;
/** In a row: a service that restarts is away for a few seconds. */
const MAX_FAILURES = 10;
const MAX_RECORD_READS = 8;

export async function run(invocation: Invocation): Promise<Outcome> {
	const timeoutMs = parseTimeout(invocation.flags.timeout);
	return watchExecution(
		invocation,
		createExecutor(invocation.io),
		invocation.positionals.id as string,
		timeoutMs,
	);
}

/** Without one it waits until the run ends. */
export const parseTimeout = (given: Invocation["flags"][string]): number =>
	given === undefined ? Number.POSITIVE_INFINITY : parseDuration(given as string);

/** Waits until a run has ended; the exit code is 1 unless it succeeded. */
export async function watchExecution(
	invocation: Pick<Invocation, "io" | "progress">,
	executor: TenantExecutor,
	id: string,
	timeoutMs: number,
): Promise<Outcome> {
	const { io } = invocation;
	const ended = await waitForEnd(invocation, executor, id, timeoutMs);
	const detail = await waitForRecord();
	return { code: detail.status === "success" ? 0 : 1, json: detail, text: renderWithNodes(detail, io) };

	/** It is stored some milliseconds after the run, or never if the daily limit dropped it. The verdict is known without it. */
	async function waitForRecord(): Promise<Detail> {
		let detail = ended;
		for (let reads = 0; detail.record === null && reads < MAX_RECORD_READS; reads++) {
			await io.wait(FIRST_PAUSE_MS);
			detail = (await executor.executions.get(id).catch(() => null)) ?? detail;
		}
		return detail;
	}
}

async function waitForEnd(
	{ io, progress }: Pick<Invocation, "io" | "progress">,
	executor: TenantExecutor,
	id: string,
	timeoutMs: number,
): Promise<Detail> {
	const deadline = io.now() + timeoutMs;
	let detail = await requireExecution(executor, id);
	let status = describeStatus(detail);
	progress(`status: ${status}`);
	let pause = FIRST_PAUSE_MS;
	let failures = 0;
	while (detail.status === "accepted") {
		const left = deadline - io.now();
		if (left <= 0)
			throw new CliProblem(`execution ${id} has not ended in time; ${describeRest(detail)}`, {
				hint: `tripline executions watch ${id} waits again, tripline executions cancel ${id} ends it`,
			});
		await io.wait(Math.min(pause, left));
		pause = Math.min(pause * 2, MAX_PAUSE_MS);
		try {
			detail = await requireExecution(executor, id);
			failures = 0;
			if (describeStatus(detail) !== status) {
				status = describeStatus(detail);
				progress(`status: ${status}`);
			}
		} catch (error) {
			failures++;
			if (!(error instanceof ExecutorUnavailable) || failures === MAX_FAILURES) throw error;
			progress(`${error.message}; asking again`);
		}
	}
	return detail;
}

/** Its status, or until when it waits. */
const describeStatus = ({ status, unfinished }: Detail): string =>
	unfinished?.until === undefined ? status : describeNow(unfinished);

const describeRest = ({ unfinished }: Detail): string =>
	unfinished?.until === undefined ? "it goes on" : `it goes on at ${formatTime(unfinished.until)}`;
