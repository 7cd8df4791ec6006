import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { parseDuration } from "../instant.ts";
import { toPrintable } from "../printable.ts";
import { createExecutor } from "../services.ts";
import { createUnknownWorkflow } from "../workflows/unknown-workflow.ts";
import { type Attempt, runAttempt } from "./attempt.ts";
import { type EvalCase, readCases } from "./cases.ts";
import { buildOutcome, summarize } from "./outcome.ts";

const USAGE = 2;
const DEFAULT_CONCURRENCY = 4;
const MAX_CONCURRENCY = 32;
const DEFAULT_TIMEOUT = "10m";
const MAX_TIMEOUT = "24h";

export async function run({ positionals, flags, io, progress }: Invocation): Promise<Outcome> {
	const workflow = positionals.workflow as string;
	const concurrency = parseConcurrency(flags.concurrency);
	const timeoutMs = parseTimeout(flags.timeout);
	const cases = readCases(io, positionals.cases as string);
	const executor = createExecutor(io);
	await requireWorkflows([workflow, ...cases.flatMap(({ judge }) => judge?.workflow ?? [])]);

	const interruption = new AbortController();
	const stopListening = io.onInterrupt(() => interruption.abort());
	const { signal } = interruption;
	const attempts = cases.map((): Attempt[] => []);
	const start = io.now();
	const total = cases.reduce((sum, { repeats }) => sum + repeats, 0);
	const turns = listTurns(cases);
	let ended = 0;
	try {
		await Promise.all(Array.from({ length: Math.min(concurrency, total) }, work));
	} catch (error) {
		if (!signal.aborted) throw error;
	} finally {
		// What is still under way after an error is of no use.
		interruption.abort();
		stopListening();
	}
	const isInterrupted = ended < total;
	return buildOutcome(io, {
		...{ workflow, isInterrupted, durationMs: Math.round(io.now() - start) },
		cases: cases.map((each, index) => summarize(each, attempts[index] as Attempt[])),
	});

	async function work(): Promise<void> {
		for (let turn = next(); turn !== undefined; turn = next()) {
			const { each, index } = turn;
			const attempt = await runAttempt({ executor, workflow, timeoutMs, signal, now: io.now }, each);
			attempts[index]?.push(attempt);
			ended++;
			progress(toPrintable(`${ended}/${total} ${each.name}: ${attempt.passed ? "passed" : "failed"}`));
		}
	}

	function next() {
		return signal.aborted ? undefined : (turns.next().value ?? undefined);
	}

	async function requireWorkflows(names: readonly string[]): Promise<void> {
		for (const name of new Set(names)) {
			if ((await executor.workflows.describe(name)) !== null) continue;
			const { message, hint } = await createUnknownWorkflow(executor, "eval", name);
			throw new CliProblem(message, { code: USAGE, ...(hint !== null && { hint }) });
		}
	}
}

/** Every run of every case, in their order. */
function* listTurns(cases: readonly EvalCase[]) {
	for (const [index, each] of cases.entries())
		for (let repeat = 0; repeat < each.repeats; repeat++) yield { each, index };
}

function parseConcurrency(given: Invocation["flags"][string]): number {
	const count = given === undefined ? DEFAULT_CONCURRENCY : Number(given);
	if (Number.isInteger(count) && count >= 1 && count <= MAX_CONCURRENCY) return count;
	throw new CliProblem(`--concurrency must be 1 to ${MAX_CONCURRENCY}`, { code: USAGE });
}

function parseTimeout(given: Invocation["flags"][string]): number {
	const timeoutMs = parseDuration((given as string | undefined) ?? DEFAULT_TIMEOUT);
	if (timeoutMs <= parseDuration(MAX_TIMEOUT)) return timeoutMs;
	throw new CliProblem(`--timeout must be at most ${MAX_TIMEOUT}`, { code: USAGE });
}
