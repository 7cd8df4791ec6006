import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { runForeground } from "./program.ts";

const OPERATIONS = ["status", "rotate", "rekey"];

export async function run(invocation: Invocation): Promise<Outcome> {
	const operation = invocation.positionals.operation as string;
	if (!OPERATIONS.includes(operation))
		throw new CliProblem(`the vault has no operation ${JSON.stringify(operation)}`, {
			code: 2,
			hint: `one of: ${OPERATIONS.join(", ")}`,
		});
	return runForeground(invocation, "vault", [operation]);
}
