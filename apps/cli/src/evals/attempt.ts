import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { ExecutorRefused, ExecutorUnavailable, type TenantExecutor } from "@tripline/executor/client";
import { isObject } from "../data-file.ts";
import { toBrief } from "./brief.ts";
import type { EvalCase, JudgeQuestion } from "./cases.ts";
import type { Check } from "./checks.ts";

const UNAUTHORIZED = 401;

interface Failure {
	readonly expectation: Check["kind"] | "judge" | "run";
	readonly message: string;
}

/** One run of a case. */
export interface Attempt {
	readonly passed: boolean;
	readonly execution_id: string | null;
	readonly duration_ms: number;
	readonly tokens: number | null;
	readonly cost: number | null;
	readonly failures: readonly Failure[];
	/** Of a run that succeeded and did not pass. */
	readonly output?: Json;
}

interface Evaluation {
	readonly executor: TenantExecutor;
	readonly workflow: string;
	readonly timeoutMs: number;
	/** Aborted on Ctrl-C. */
	readonly signal: AbortSignal;
	now(): number;
}

/** Runs a case once. A refused or failed run is an attempt that failed. */
export async function runAttempt(
	evaluation: Evaluation,
	{ input, checks, judge }: EvalCase,
): Promise<Attempt> {
	const { workflow, now } = evaluation;
	const start = now();
	const ran = await runWorkflow(evaluation, workflow, input);
	const duration_ms = Math.round(now() - start);
	const { id: execution_id } = ran;
	if ("problem" in ran) {
		const failures = [{ expectation: "run" as const, message: ran.problem }];
		return { passed: false, ...{ execution_id, duration_ms, tokens: null, cost: null, failures } };
	}
	const { output } = ran;
	const failures: Failure[] = checks.flatMap((check) => {
		const message = check.findProblem(output, input);
		return message === null ? [] : { expectation: check.kind, message };
	});
	// A model is asked only if nothing else has failed.
	const refusal =
		judge === null || failures.length > 0 ? null : await askJudge(evaluation, judge, input, output);
	if (refusal !== null) failures.push({ expectation: "judge", message: refusal });
	const usage = findUsage(output);
	const passed = failures.length === 0;
	return { passed, execution_id, duration_ms, ...usage, failures, ...(!passed && { output }) };
}

type Ran = { readonly id: string | null } & ({ readonly output: Json } | { readonly problem: string });

async function runWorkflow(evaluation: Evaluation, name: string, input: JsonObject): Promise<Ran> {
	const { executor, timeoutMs, signal } = evaluation;
	const timeout = AbortSignal.timeout(timeoutMs);
	try {
		const result = await executor.workflows.run(name, input, {
			signal: AbortSignal.any([signal, timeout]),
		});
		if (result === null) return { id: null, problem: `there is no workflow ${JSON.stringify(name)}` };
		const { execution_id: id } = result;
		if ("success" in result)
			return result.success
				? { id, output: result.data as Json }
				: { id, problem: `the run failed: ${result.error}` };
		// Nobody would wait for it.
		await executor.executions.cancel(id).catch(() => null);
		return { id, problem: "the run waits, or goes on after its answer, so there is no output: cancelled" };
	} catch (error) {
		if (signal.aborted) throw error;
		if (timeout.aborted) return { id: null, problem: `the run has not ended within ${timeoutMs / 1000} s` };
		if (error instanceof ExecutorRefused && error.status !== UNAUTHORIZED)
			return { id: null, problem: `the run was refused: ${describeRefusal(error)}` };
		if (error instanceof ExecutorUnavailable) return { id: null, problem: error.message };
		throw error;
	}
}

const describeRefusal = ({ message, issues }: ExecutorRefused): string =>
	[message, ...issues.map(({ path, message: what }) => `${path} ${what}`.trim())].join("; ");

/** Why the judge does not let it pass, or null. */
async function askJudge(
	evaluation: Evaluation,
	{ workflow, question }: JudgeQuestion,
	input: JsonObject,
	output: Json,
): Promise<string | null> {
	const ran = await runWorkflow(evaluation, workflow, { input, output, question });
	if ("problem" in ran) return `${workflow}: ${ran.problem}`;
	const { output: verdict } = ran;
	if (!isObject(verdict) || typeof verdict.pass !== "boolean")
		return `${workflow} must return { pass: true or false, reason: text }, but returned ${toBrief(verdict)}`;
	if (verdict.pass) return null;
	const reason = typeof verdict.reason === "string" ? verdict.reason : "no reason given";
	return `${question} No: ${reason}; got ${toBrief(output)}`;
}

interface Usage {
	readonly tokens: number | null;
	readonly cost: number | null;
}

/** The sum of what the outputs of `llm_chat` and `agent` in it report. */
function findUsage(output: Json): Usage {
	let tokens: number | null = null;
	let cost: number | null = null;
	const visit = (value: Json): void => {
		if (typeof value !== "object" || value === null) return;
		if (isObject(value) && isObject(value.usage) && typeof value.usage.total_tokens === "number") {
			tokens = (tokens ?? 0) + value.usage.total_tokens;
			if (typeof value.usage.cost === "number") cost = (cost ?? 0) + value.usage.cost;
		}
		for (const each of Object.values(value)) visit(each as Json);
	};
	visit(output);
	return { tokens, cost };
}
