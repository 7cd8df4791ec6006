import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { confirmPlan } from "../plan.ts";
import { createExecutor } from "../services.ts";
import { applyStyle } from "../style.ts";
import { missingSide } from "./compare.ts";
import { findWorkflow, parseVersion, requireUnchanged, requireVersion } from "./find.ts";
import { renderDiff } from "./render-diff.ts";

export async function run(invocation: Invocation): Promise<Outcome> {
	const { positionals, flags, io } = invocation;
	const name = positionals.name as string;
	const given = flags.to === undefined ? undefined : parseVersion("to", flags.to);
	const executor = createExecutor(io);
	const current = requireVersion(await findWorkflow(executor, "rollback", name));
	const to = given ?? current - 1;
	if (to === 0) throw new CliProblem(`version 1 of ${JSON.stringify(name)} is its first one`);
	const diff = await executor.versions.diff(name, { from: current, to });
	if (diff === null) throw missingSide(name, to);
	const about = { name, from: current, to, hunks: diff.hunks, nodes: diff.nodes };
	if (diff.hunks.length === 0)
		return {
			json: { ...about, result: "unchanged", version_number: current },
			text: `${name}: version ${to} has the text of version ${current}, which is the current one`,
		};
	const isConfirmed = await confirmPlan(invocation, {
		lines: [
			applyStyle(io, "bold", `${name}: back from version ${current} to the text of version ${to}`),
			...renderDiff(io, diff),
		],
		question: `roll ${name} back to version ${to}`,
		refusal: `${name} was not rolled back`,
	});
	if (!isConfirmed)
		return {
			json: { ...about, result: "would roll back", version_number: null },
			text: `${name}: would get the text of version ${to} as version ${current + 1}`,
		};
	const changed = await requireUnchanged(name, executor.versions.rollBack(name, to, current));
	if (changed === null) throw missingSide(name, to);
	const { version_number } = changed;
	return {
		json: { ...about, result: "rolled back", version_number },
		text: `${name}: version ${version_number} has the text of version ${to}`,
	};
}
