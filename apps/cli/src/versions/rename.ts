import type { Invocation, Outcome } from "../command.ts";
import { CliProblem } from "../command.ts";
import { confirmPlan } from "../plan.ts";
import { quoteWord } from "../quote-word.ts";
import { createExecutor } from "../services.ts";
import { readBases } from "../sync/bases.ts";
import { createUnknownWorkflow } from "../workflows/unknown-workflow.ts";
import { findWorkflow, requireUnchanged } from "./find.ts";

export async function run(invocation: Invocation): Promise<Outcome> {
	const { positionals, io } = invocation;
	const [name, to] = [positionals.name as string, positionals.new as string];
	if (name === to) throw new CliProblem("both names are the same", { code: 2 });
	const executor = createExecutor(io);
	const { version_number: current, webhook_url } = await findWorkflow(executor, "rename", name);
	if ((await executor.workflows.describe(to)) !== null)
		throw new CliProblem(`there is already a workflow ${JSON.stringify(to)}`, {
			hint: "choose another name, or rename that one first",
		});
	const isConfirmed = await confirmPlan(invocation, {
		lines: [
			`${name} becomes ${to}, with its versions, its draft, its switch and its records`,
			`its addresses change, such as ${webhook_url}`,
			"workflows and callers that use the old name no longer find it",
		],
		question: `rename ${name} to ${to}`,
		refusal: `${name} was not renamed`,
	});
	if (!isConfirmed)
		return {
			json: { name, to, result: "would rename", version_number: current },
			text: `${name}: would be renamed to ${to}`,
		};
	const changed = await requireUnchanged(name, executor.workflows.rename(name, to, current ?? undefined));
	if (changed === null) throw await createUnknownWorkflow(executor, "rename", name);
	const { version_number } = changed;
	const hasFile = readBases(io).move(name, to);
	const lines = [
		`${name} is now ${to}, version ${version_number}`,
		...(hasFile ? [`its file still has the old name: tripline pull ${quoteWord(to)}`] : []),
	];
	return { json: { name, to, result: "renamed", version_number }, text: lines.join("\n") };
}
