import { resolve } from "node:path";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { runProgram } from "./program.ts";

/** The program prints everything itself. */
export async function run(invocation: Invocation): Promise<Outcome> {
	const { flags, io } = invocation;
	const args = ["dry-run", "json", "quiet"].filter((name) => flags[name] === true).map((name) => `--${name}`);
	const env = { TRIPLINE_MOVE_TO: readTarget(flags.to, io.cwd) };
	return { code: await runProgram(invocation, "move", { args, env }), json: undefined, text: "" };
}

function readTarget(to: Invocation["flags"][string], cwd: string): string {
	if (typeof to === "string" && /^postgres(?:ql)?:/.test(to)) return to;
	// It may contain a password, so that it is not repeated.
	if (typeof to !== "string" || to === "" || to.includes("://"))
		throw new CliProblem("--to must be postgres://user@host:5432/database or a folder", { code: 2 });
	return resolve(cwd, to);
}
