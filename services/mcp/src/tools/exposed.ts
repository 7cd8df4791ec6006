import type { WorkflowList } from "@tripline/contract/executor";
import type * as z from "zod";
import { toListed } from "../protocol/listed-tool.ts";
import { shorten } from "./budget.ts";
import { type InputSchema, listInputSchemas } from "./exposed/input-schema.ts";
import { buildToolName, isToolName, parsePlainWorkflow } from "./exposed/name.ts";
import { movePreview, OUTPUT, toOutputSchema } from "./exposed/output-schema.ts";
import { measureText } from "./json-size.ts";
import { runWorkflow } from "./run-workflow.ts";
import type { JsonSchema, Tool, ToolContext } from "./tool.ts";

type Exposed = Pick<
	z.output<typeof WorkflowList>["workflows"][number],
	"name" | "description" | "input_schema" | "output_schema"
>;

/** Of a listed tool: every one of them is a part of every conversation. */
const MAX_TOOL_LENGTH = 900;
/** The schema is shortened until this much of the description fits. */
const MIN_DESCRIPTION_LENGTH = 200;
const MAX_SHOWN_NAME = 48;

/** The only built-in tool whose name a workflow's tool could have. */
const TAKEN_NAMES = new Set([runWorkflow.name]);

/** The name of the tool that a workflow is if it is exposed. */
export const buildExposedName = (workflow: string): Promise<string> => buildToolName(workflow, TAKEN_NAMES);

/** The workflows that a tenant exposes, each as a tool, sorted by name. */
export async function listTenantTools({ executor }: ToolContext): Promise<readonly Tool[]> {
	const { workflows } = await executor.workflows.list();
	const exposed = workflows
		.filter(({ expose }) => expose)
		.sort((one, other) => (one.name < other.name ? -1 : 1));
	const tools = await Promise.all(
		exposed.map(async (workflow) => toTool(workflow, await buildExposedName(workflow.name))),
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

/** As much of its schemas and description as a listed tool may have; the output schema is the first to be left out. */
function toTool(exposed: Exposed, name: string): Tool {
	const forms = listInputSchemas(exposed.input_schema) as [InputSchema, ...InputSchema[]];
	const wanted = Math.min(measureText(exposed.description) + GAP, MIN_DESCRIPTION_LENGTH);
	const promised = toOutputSchema(exposed.output_schema);
	const outputSchema = promised !== null && computeRoom(forms[0], promised) >= wanted ? promised : OUTPUT;
	const form =
		forms.find((each) => computeRoom(each, outputSchema) >= wanted) ?? (forms.at(-1) as InputSchema);
	return build(fitDescription(exposed.description, computeRoom(form, outputSchema)), form, outputSchema);

	function computeRoom(form: InputSchema, output: JsonSchema): number {
		return MAX_TOOL_LENGTH - JSON.stringify(toListed(build("", form, output))).length;
	}

	function build(
		description: string,
		{ schema: inputSchema, remainder }: InputSchema,
		outputSchema: JsonSchema,
	): Tool {
		return {
			name,
			title: exposed.name,
			description: [description, renderRuns(exposed.name), remainder].filter(Boolean).join("\n\n"),
			hints: runWorkflow.hints,
			inputSchema,
			outputSchema,
			async call(args, context) {
				const answer = await runWorkflow.call({ name: exposed.name, input: args ?? {} }, context);
				return outputSchema === OUTPUT ? answer : movePreview(answer);
			},
		};
	}
}

function fitDescription(description: string, room: number): string {
	const most = room - GAP;
	if (measureText(description) - 2 <= most) return description;
	return shorten(description, most - CONTINUED.length - 1) + CONTINUED;
}

/** A long name would take the room of the description; it is the title anyway. */
const renderRuns = (workflow: string): string =>
	workflow.length <= MAX_SHOWN_NAME
		? `Runs the workflow ${JSON.stringify(workflow)} with the arguments as its input.`
		: "Runs the workflow with the arguments as its input.";

/** The blank line after it, as JSON. */
const GAP = 4;
const CONTINUED = " get_workflow returns the whole description.";
