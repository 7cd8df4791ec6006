import { constants } from "node:os";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import type { Io } from "../io.ts";
import { projectFolder } from "../project.ts";
import { type Installation, installation } from "./installation.ts";
import { type Launcher, launcherIn } from "./launcher.ts";

const STDERR = 2;
/** As a shell tells it of a program that a signal ended. */
const BY_SIGNAL = 128;

/** The service in a process of its own, in the foreground: it gets the signals, and says how this ends. */
export async function run({ flags, io, progress }: Invocation): Promise<Outcome> {
	const installed = installation(io);
	const launcher = await launcherIn(installed.launcher);
	const node = await fitNode(launcher, installed);
	const cwd = projectFolder(io);
	if (cwd !== io.cwd) progress(`in the project's folder, ${cwd}`);
	const { code, signal } = await launcher.run(
		node,
		["--disable-warning=ExperimentalWarning", installed.service],
		{
			cwd,
			env: environment(installed, io),
			...(flags.json === true ? { stdio: ["inherit", STDERR, STDERR] } : {}),
		},
	);
	const exit = signal === null ? (code ?? 1) : BY_SIGNAL + constants.signals[signal];
	return { code: exit, json: { exit_code: exit }, text: "" };
}

/** The Node that runs this, or one that is fetched. */
async function fitNode(launcher: Launcher, { nodeHome }: Installation): Promise<string> {
	const reason = launcher.whyUnfit(process.versions);
	if (reason === undefined) return process.execPath;
	try {
		return await launcher.fetchedNode(nodeHome, reason);
	} catch (error) {
		if (error instanceof launcher.Failure) throw new CliProblem(error.message);
		throw error;
	}
}

const environment = ({ compileCache }: Installation, { env }: Io): Record<string, string | undefined> => ({
	NODE_COMPILE_CACHE: compileCache,
	...env,
});
