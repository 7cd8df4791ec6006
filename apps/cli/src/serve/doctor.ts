import type { Invocation, Outcome } from "../command.ts";
import { runProgram } from "./program.ts";

/** The program prints everything itself. */
export async function run(invocation: Invocation): Promise<Outcome> {
	const args = invocation.flags.json === true ? ["--json"] : [];
	return { code: await runProgram(invocation, "doctor", { args }), json: undefined, text: "" };
}
