import { CliProblem, type Command, type Outcome } from "../command.ts";
import { findNearest } from "../nearest.ts";
import { bash } from "./bash.ts";
import { fish } from "./fish.ts";
import { zsh } from "./zsh.ts";

const SHELLS: Readonly<Record<string, (commands: readonly Command[]) => string>> = { bash, zsh, fish };

export function buildCompletion(shell: string, commands: readonly Command[]): Outcome {
	const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
	if (script === undefined) throw unknownShellProblem(shell);
	const text = script(commands);
	return { json: { shell, script: text }, text };
}

function unknownShellProblem(shell: string): CliProblem {
	const names = Object.keys(SHELLS);
	const near = findNearest(shell, names);
	return new CliProblem(`there is no completion for ${JSON.stringify(shell)}`, {
		code: 2,
		hint:
			near === null ? `there is one for ${names.join(", ")}` : `did you mean: tripline completion ${near}`,
	});
}
