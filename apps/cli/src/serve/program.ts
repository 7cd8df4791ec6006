import { constants } from "node:os";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { findProjectFolder } from "../project.ts";
import { findInstallation, type Installation, type Program } from "./installation.ts";
import { type Launcher, loadLauncher } from "./launcher.ts";

/** A shell reports 128 plus the number of the signal that ended a program. */
const SIGNAL_EXIT_BASE = 128;

const STDERR = 2;

/** Runs a program that prints for people, with --json on stderr, and passes its exit code on. */
export async function runForeground(
	invocation: Invocation,
	program: Program,
	args: readonly string[] = [],
): Promise<Outcome> {
	const code = await runProgram(invocation, program, {
		args,
		...(invocation.flags.json === true ? { stdio: ["inherit", STDERR, STDERR] } : {}),
	});
	return { code, json: { exit_code: code }, text: "" };
}

/** Runs a program of the installation in the project's folder, forwards signals and returns its exit code. */
export async function runProgram(
	{ io, progress }: Pick<Invocation, "io" | "progress">,
	program: Program,
	options: {
		readonly args?: readonly string[];
		readonly env?: object;
		readonly stdio?: readonly unknown[];
	} = {},
): Promise<number> {
	const installed = findInstallation(io);
	const launcher = await loadLauncher(installed.launcher);
	const node = await resolveNode(launcher, installed);
	const cwd = findProjectFolder(io);
	if (cwd !== io.cwd) progress(`running in the project's folder, ${cwd}`);
	const { args = [], env = {}, ...more } = options;
	const { code, signal } = await launcher.run(
		node,
		["--disable-warning=ExperimentalWarning", installed.programs[program], ...args],
		{ cwd, env: { NODE_COMPILE_CACHE: installed.compileCache, ...io.env, ...env }, ...more },
	);
	return signal === null ? (code ?? 1) : SIGNAL_EXIT_BASE + constants.signals[signal];
}

/** The current Node if it is suitable, else a downloaded one. */
async function resolveNode(launcher: Launcher, { nodeHome }: Installation): Promise<string> {
	const reason = launcher.explainUnfit(process.versions);
	if (reason === undefined) return process.execPath;
	try {
		return await launcher.ensureNode(nodeHome, reason);
	} catch (error) {
		if (error instanceof launcher.Failure) throw new CliProblem(error.message);
		throw error;
	}
}
