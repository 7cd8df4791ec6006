import { CliProblem, type Invocation, type Outcome } from "./command.ts";
import { type Call, callIn } from "./dispatch.ts";
import { commandHelp, help } from "./help.ts";
import type { Io } from "./io.ts";
import { beforeDashes, parsed } from "./parse.ts";
import { shown } from "./table.ts";

/** Runs a command line and returns the exit code. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
	const wantsJson = beforeDashes(argv).includes("--json");
	try {
		return await answered(callIn(argv), io, wantsJson);
	} catch (error) {
		const problem = await problemOf(error, io);
		tell(problem, io, wantsJson);
		if (problem !== error && wantsStack(io)) io.err(`${stackOf(error)}\n`);
		return problem.code;
	}
}

async function answered(call: Call, io: Io, wantsJson: boolean): Promise<number> {
	if (call.kind === "version")
		return told({ json: { version: io.version }, text: io.version }, io, wantsJson);
	if (call.kind === "help") return told({ json: call.commands, text: help(call, io) }, io, wantsJson);
	const { command, words, group } = call;
	if (call.kind === "command help")
		return told({ json: command, text: commandHelp(command, group, io) }, io, wantsJson);
	const { positionals, flags } = parsed(command, words);
	const isQuiet = wantsJson || flags.quiet === true;
	const invocation: Invocation = {
		positionals,
		flags,
		io,
		progress: (what) => (isQuiet ? undefined : io.err(`${what}\n`)),
	};
	const { run } = await command.load();
	return told(await run(invocation), io, wantsJson);
}

function told({ code = 0, json, text }: Outcome, io: Io, wantsJson: boolean): number {
	const output = wantsJson ? JSON.stringify(json, null, "\t") : shown(text, io);
	if (output !== "") io.out(output.endsWith("\n") ? output : `${output}\n`);
	return code;
}

function tell({ message, hint }: CliProblem, io: Io, wantsJson: boolean): void {
	if (wantsJson) io.out(`${JSON.stringify({ error: message, hint }, null, "\t")}\n`);
	io.err(`tripline: ${message}\n${hint === null ? "" : `  ${hint}\n`}`);
}

async function problemOf(error: unknown, io: Io): Promise<CliProblem> {
	if (error instanceof CliProblem) return error;
	// Imported lazily: it loads the services' clients, which `--help` must not wait for.
	const { serviceProblem } = await import("./service-problem.ts");
	return serviceProblem(error, io) ?? unexpected(error);
}

function unexpected(error: unknown): CliProblem {
	const message = error instanceof Error ? messageOf(error) : String(error);
	return new CliProblem(`unexpected error: ${message.split("\n")[0]}`, {
		hint: "run it again with DEBUG=tripline to see where it happened",
	});
}

/** Only the cause of a failed fetch says what failed. */
const messageOf = ({ message, cause }: Error): string =>
	cause instanceof Error && cause.message !== "" ? `${message} (${cause.message})` : message;

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? "") : String(error));

const wantsStack = ({ env }: Io): boolean => (env.DEBUG ?? "").split(/[\s,]+/).includes("tripline");
