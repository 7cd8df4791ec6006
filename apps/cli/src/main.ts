import { CliProblem, type Invocation, type Outcome } from "./command.ts";
import { type Call, parseCall } from "./dispatch.ts";
import { renderCommandHelp, renderHelp } from "./help.ts";
import type { Io } from "./io.ts";
import { parseArguments, takeBeforeDashes } from "./parse.ts";
import { renderText } from "./table.ts";

/** Runs a command line and returns the exit code. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
	const wantsJson = takeBeforeDashes(argv).includes("--json");
	let used = io;
	try {
		return await execute(parseCall(argv), io, wantsJson, (selected) => {
			used = selected;
		});
	} catch (error) {
		const problem = await toProblem(error, used);
		printProblem(problem, io, wantsJson);
		if (problem !== error && wantsStack(io)) io.err(`${getStack(error)}\n`);
		return problem.code;
	}
}

/** Reports the world that is used, so that a problem names the service that was called. */
async function execute(call: Call, io: Io, wantsJson: boolean, use: (selected: Io) => void): Promise<number> {
	if (call.kind === "version")
		return printOutcome({ json: { version: io.version }, text: io.version }, io, wantsJson);
	if (call.kind === "next steps") {
		const { renderNextSteps } = await import("./next-steps/next-steps.ts");
		return printOutcome({ json: undefined, text: await renderNextSteps(io) }, io, wantsJson);
	}
	if (call.kind === "help")
		return printOutcome({ json: call.commands, text: renderHelp(call, io) }, io, wantsJson);
	const { command, words, group } = call;
	if (call.kind === "command help")
		return printOutcome({ json: command, text: renderCommandHelp(command, group, io) }, io, wantsJson);
	const { positionals, flags } = parseArguments(command, words);
	const isQuiet = wantsJson || flags.quiet === true;
	const selected = await selectNamed(io, flags.service);
	use(selected);
	const invocation: Invocation = {
		positionals,
		flags,
		io: selected,
		progress: (what) => (isQuiet ? undefined : io.err(`${what}\n`)),
	};
	const { run } = await command.load();
	return printOutcome(await run(invocation), io, wantsJson);
}

async function selectNamed(io: Io, service: Invocation["flags"][string]): Promise<Io> {
	if (typeof service !== "string") return io;
	return (await import("./services.ts")).selectService(io, service);
}

function printOutcome({ code = 0, json, text }: Outcome, io: Io, wantsJson: boolean): number {
	const output = wantsJson ? (JSON.stringify(json, null, "\t") ?? "") : renderText(text, io);
	if (output !== "") io.out(output.endsWith("\n") ? output : `${output}\n`);
	return code;
}

function printProblem({ message, hint }: CliProblem, io: Io, wantsJson: boolean): void {
	if (wantsJson) io.out(`${JSON.stringify({ error: message, hint }, null, "\t")}\n`);
	io.err(`tripline: ${message}\n${hint === null ? "" : `  ${hint}\n`}`);
}

async function toProblem(error: unknown, io: Io): Promise<CliProblem> {
	if (error instanceof CliProblem) return error;
	// Imported lazily: it loads the services' clients, which `--help` must not wait for.
	const { toServiceProblem } = await import("./service-problem.ts");
	return toServiceProblem(error, io) ?? toUnexpectedProblem(error);
}

function toUnexpectedProblem(error: unknown): CliProblem {
	const message = error instanceof Error ? describeError(error) : String(error);
	return new CliProblem(`unexpected error: ${message.split("\n")[0]}`, {
		hint: "run it again with DEBUG=tripline to see where it happened",
	});
}

/** Only the cause of a failed fetch says what failed. */
const describeError = ({ message, cause }: Error): string =>
	cause instanceof Error && cause.message !== "" ? `${message} (${cause.message})` : message;

const getStack = (error: unknown): string => (error instanceof Error ? (error.stack ?? "") : String(error));

const wantsStack = ({ env }: Io): boolean => (env.DEBUG ?? "").split(/[\s,]+/).includes("tripline");
