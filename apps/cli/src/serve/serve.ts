import { constants } from "node:os";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import type { Io } from "../io.ts";
import { findProjectFolder } from "../project.ts";
import { findInstallation, type Installation } from "./installation.ts";
import { type Launcher, loadLauncher } from "./launcher.ts";

const STDERR = 2;
/** A shell reports 128 plus the number of the signal that ended a program. */
const SIGNAL_EXIT_BASE = 128;

/** Runs the service in a child process in the foreground, forwards signals and passes its exit code on. */
export async function run({ flags, io, progress }: Invocation): Promise<Outcome> {
	const installed = findInstallation(io);
	const launcher = await loadLauncher(installed.launcher);
	const node = await resolveNode(launcher, installed);
	const cwd = findProjectFolder(io);
	if (cwd !== io.cwd) progress(`running in the project's folder, ${cwd}`);
	const { code, signal } = await launcher.run(
		node,
		["--disable-warning=ExperimentalWarning", installed.service],
		{
			cwd,
			env: buildEnvironment(installed, io),
			...(flags.json === true ? { stdio: ["inherit", STDERR, STDERR] } : {}),
		},
	);
	const exit = signal === null ? (code ?? 1) : SIGNAL_EXIT_BASE + constants.signals[signal];
	return { code: exit, json: { exit_code: exit }, text: "" };
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

const buildEnvironment = (
	{ compileCache }: Installation,
	{ env }: Io,
): Record<string, string | undefined> => ({
	NODE_COMPILE_CACHE: compileCache,
	...env,
});
