import type { WorkflowList } from "@tripline/contract/executor";
import type * as z from "zod";
import { shorten } from "./budget.ts";
import { toInputSchema } from "./exposed/input-schema.ts";
import { buildToolName, isToolName, parsePlainWorkflow } from "./exposed/name.ts";
import { movePreview, toOutputSchema } from "./exposed/output-schema.ts";
import { runWorkflow } from "./run-workflow.ts";
import type { Tool, ToolContext } from "./tool.ts";

type Exposed = Pick<
	z.output<typeof WorkflowList>["workflows"][number],
	"name" | "description" | "input_schema" | "output_schema"
>;

const MAX_DESCRIPTION_LENGTH = 1_000;

/** The only built-in tool whose name a workflow's tool could have. */
const TAKEN_NAMES = new Set([runWorkflow.name]);

/** The workflows that a tenant exposes, each as a tool, sorted by name. */
export async function listTenantTools({ executor }: ToolContext): Promise<readonly Tool[]> {
	const { workflows } = await executor.workflows.list();
	const exposed = workflows
		.filter(({ expose }) => expose)
		.sort((one, other) => (one.name < other.name ? -1 : 1));
	const tools = await Promise.all(
		exposed.map(async (workflow) => toTool(workflow, await buildToolName(workflow.name, TAKEN_NAMES))),
	);
	// Clients reject a list with duplicate names, and hash collisions can be crafted.
	return tools.filter(({ name }, index) => tools.findIndex((tool) => tool.name === name) === index);
}

/** Most tool names contain the workflow's name, so only that workflow is read and not all of them. */
export async function findTenantTool(name: string, context: ToolContext): Promise<Tool | null> {
	if (!isToolName(name) || TAKEN_NAMES.has(name)) return null;
	const workflow = parsePlainWorkflow(name);
	if (workflow === null) return (await listTenantTools(context)).find((tool) => tool.name === name) ?? null;
	const document = await context.executor.workflows.document(workflow);
	if (document?.options?.expose !== true) return null;
	const { input_schema = null, output_schema = null } = document.options;
	return toTool({ ...document, input_schema, output_schema }, name);
}

function toTool(exposed: Exposed, name: string): Tool {
	const { name: workflow, description } = exposed;
	const { schema, remainder: unsaid } = toInputSchema(exposed.input_schema);
	const outputSchema = toOutputSchema(exposed.output_schema);
	const about = [
		shorten(description, MAX_DESCRIPTION_LENGTH),
		`Runs the workflow ${JSON.stringify(workflow)} with the arguments as its input.`,
		unsaid,
	];
	return {
		name,
		title: workflow,
		description: about.filter((part) => part !== "").join("\n\n"),
		hints: runWorkflow.hints,
		inputSchema: schema,
		get outputSchema() {
			return outputSchema ?? runWorkflow.outputSchema;
		},
		async call(args, context) {
			const answer = await runWorkflow.call({ name: workflow, input: args ?? {} }, context);
			return outputSchema === null ? answer : movePreview(answer);
		},
	};
}
