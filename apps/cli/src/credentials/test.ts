import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { toPrintable } from "../printable.ts";
import { createExecutor } from "../services.ts";
import { createUnknownProblem } from "./unknown.ts";

export async function run({ positionals, io, progress }: Invocation): Promise<Outcome> {
	const name = positionals.name as string;
	progress("logging in");
	const tested = await createExecutor(io).credentials.test(name);
	if (tested === null) throw createUnknownProblem(name);
	if (!tested.ok) throw new CliProblem(toPrintable(tested.message));
	return { json: { name, ...tested }, text: `${toPrintable(tested.message)}\n` };
}
