import type { WorkflowList } from "@tripline/contract/executor";
import type * as z from "zod";
import { shortened } from "./budget.ts";
import { inputSchemaOf } from "./exposed/input-schema.ts";
import { isToolName, plainWorkflowOf, toolNameOf } from "./exposed/name.ts";
import { runWorkflow } from "./run-workflow.ts";
import type { Tool, ToolContext } from "./tool.ts";

type Exposed = Pick<
	z.output<typeof WorkflowList>["workflows"][number],
	"name" | "description" | "input_schema"
>;

const MOST_DESCRIPTION = 1_000;

/** The only built-in tool whose name a workflow's tool could have. */
const TAKEN = new Set([runWorkflow.name]);

/** The workflows that a tenant exposes, each as a tool, sorted by name. */
export async function tenantTools({ executor }: ToolContext): Promise<readonly Tool[]> {
	const { workflows } = await executor.workflows.list();
	const exposed = workflows
		.filter(({ expose }) => expose)
		.sort((one, other) => (one.name < other.name ? -1 : 1));
	const tools = await Promise.all(
		exposed.map(async (workflow) => toolOf(workflow, await toolNameOf(workflow.name, TAKEN))),
	);
	// Clients reject a list with duplicate names, and hash collisions can be crafted.
	return tools.filter(({ name }, index) => tools.findIndex((tool) => tool.name === name) === index);
}

/** Most tool names contain the workflow's name, so only that workflow is read and not all of them. */
export async function tenantTool(name: string, context: ToolContext): Promise<Tool | null> {
	if (!isToolName(name) || TAKEN.has(name)) return null;
	const workflow = plainWorkflowOf(name);
	if (workflow === null) return (await tenantTools(context)).find((tool) => tool.name === name) ?? null;
	const document = await context.executor.workflows.document(workflow);
	if (document?.options?.expose !== true) return null;
	return toolOf({ ...document, input_schema: document.options.input_schema ?? null }, name);
}

function toolOf({ name: workflow, description, input_schema }: Exposed, name: string): Tool {
	const { schema, unsaid } = inputSchemaOf(input_schema);
	const about = [
		shortened(description, MOST_DESCRIPTION),
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
			return runWorkflow.outputSchema;
		},
		call: (args, context) => runWorkflow.call({ name: workflow, input: args ?? {} }, context),
	};
}
