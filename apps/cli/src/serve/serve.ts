import type { Invocation, Outcome } from "../command.ts";
import { runProgram } from "./program.ts";

const STDERR = 2;

/** Runs the service in a child process in the foreground, forwards signals and passes its exit code on. */
export async function run(invocation: Invocation): Promise<Outcome> {
	const code = await runProgram(invocation, "service", {
		...(invocation.flags.json === true ? { stdio: ["inherit", STDERR, STDERR] } : {}),
	});
	return { code, json: { exit_code: code }, text: "" };
}
