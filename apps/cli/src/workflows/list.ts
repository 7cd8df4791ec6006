import { WorkflowTag } from "@tripline/contract/workflows";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { createExecutor } from "../services.ts";

export async function run({ flags, io }: Invocation): Promise<Outcome> {
	const tag = flags.tag as string | undefined;
	if (tag !== undefined && !WorkflowTag.safeParse(tag).success)
		throw new CliProblem(`${JSON.stringify(tag)} is not a tag`, {
			code: 2,
			hint: "a tag is letters, digits, _, . and -",
		});
	const { workflows } = await createExecutor(io).workflows.list({ tag });
	const sorted = workflows.toSorted((one, other) => (one.name < other.name ? -1 : 1));
	return {
		json: { workflows: sorted },
		text: {
			columns: ["name", "trigger", "on", "tags", "description"],
			rows: sorted.map(({ name, trigger, enabled, tags, description }) => [
				name,
				trigger?.type ?? "",
				enabled ? "yes" : "no",
				tags.join(", "),
				description,
			]),
			empty: tag === undefined ? "no workflows" : `no workflow has the tag ${tag}`,
		},
	};
}
