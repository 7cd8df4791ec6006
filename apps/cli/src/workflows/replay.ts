import { ExecutorUnavailable } from "@tripline/executor/client";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { createExecutor } from "../services.ts";
import { createUnknownExecution, isExecutionId } from "./execution.ts";
import { type ReplayRequest, replayFailed } from "./replay-failed.ts";
import { readTriggerContext } from "./trigger-context.ts";
import { parseTimeout, watchExecution } from "./watch.ts";

const USAGE = 2;
const ONE_ONLY = ["input", "watch", "timeout"] as const;
const FAILED_ONLY = ["workflow", "since", "limit", "yes", "dry-run"] as const;

export async function run(invocation: Invocation): Promise<Outcome> {
	const { positionals, flags } = invocation;
	const id = positionals.id as string | undefined;
	if ((id === undefined) === (flags.failed !== true))
		throw new CliProblem(id === undefined ? "<id> is missing" : "pass either an id or --failed", {
			code: USAGE,
			hint: "tripline executions replay <id>, or tripline executions replay --failed --since <time>",
		});
	const foreign = (id === undefined ? ONE_ONLY : FAILED_ONLY).find((name) => flags[name] !== undefined);
	if (foreign !== undefined)
		throw new CliProblem(
			`--${foreign} needs ${id === undefined ? "an id instead of --failed" : "--failed"}`,
			{
				code: USAGE,
			},
		);
	const request: ReplayRequest = {
		from: parseFrom(flags.from),
		version: flags.current === true ? "current" : "same",
	};
	return id === undefined ? replayFailed(invocation, request) : replayOne(invocation, id, request);
}

function parseFrom(given: Invocation["flags"][string]): "start" | "failed" {
	if (given === undefined || given === "start") return "start";
	if (given === "failed") return given;
	throw new CliProblem("--from must be start or failed", { code: USAGE });
}

async function replayOne(invocation: Invocation, id: string, request: ReplayRequest): Promise<Outcome> {
	const { flags, io, progress } = invocation;
	if (flags.timeout !== undefined && flags.watch !== true)
		throw new CliProblem("--timeout needs --watch", { code: USAGE });
	const timeoutMs = parseTimeout(flags.timeout);
	const input =
		flags.input === undefined ? {} : { input: await readTriggerContext(io, flags.input as string) };
	const executor = createExecutor(io);
	const accepted = isExecutionId(id) ? await executor.executions.replay(id, { ...request, ...input }) : null;
	if (accepted === null) throw createUnknownExecution(id);
	const { execution_id } = accepted;
	if (flags.watch !== true)
		return {
			json: accepted,
			text: `accepted as ${execution_id}\n  tripline executions watch ${execution_id}`,
		};
	progress(`accepted as ${execution_id}`);
	try {
		return await watchExecution(invocation, executor, execution_id, timeoutMs);
	} catch (error) {
		if (!(error instanceof ExecutorUnavailable)) throw error;
		throw new CliProblem(`the run is accepted as ${execution_id}, but ${error.message}`, {
			hint: `tripline executions watch ${execution_id}`,
		});
	}
}
