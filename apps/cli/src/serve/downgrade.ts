import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { runProgram } from "./program.ts";

/** The program prints everything itself. */
export async function run(invocation: Invocation): Promise<Outcome> {
	const { to, json } = invocation.flags;
	if (typeof to !== "string") throw new CliProblem("--to must be a version", { code: 2 });
	const args = ["--to", to, ...(json === true ? ["--json"] : [])];
	return { code: await runProgram(invocation, "downgrade", { args }), json: undefined, text: "" };
}
