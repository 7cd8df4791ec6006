import { WorkflowName } from "@tripline/contract/workflows";
import type { ResourceContent } from "../protocol/content.ts";
import type { Prompt } from "../protocol/surface.ts";
import { componentLine } from "../resources/components.ts";
import { workflowNames } from "../resources/names.ts";
import { LANGUAGE_RESOURCE, workflowContents } from "../resources/read.ts";
import { type ToolContext, ToolProblem } from "../tools/tool.ts";
import { matchingComponents } from "./matching-components.ts";
import { paragraphs, userResource, userText } from "./messages.ts";

const MOST_GOAL = 10_000;

export const writeWorkflow: Prompt = {
	name: "write_workflow",
	title: "Write a workflow",
	description: "Writes, checks, saves and tries a workflow that does what you describe.",
	arguments: [
		{ name: "goal", title: "Goal", description: "What the workflow is to do, and when", required: true },
		{
			name: "name",
			title: "Name",
			description: "The workflow's name; that of one that exists changes it",
			required: false,
		},
	],

	async get({ goal = "", name = "" }, context) {
		checkGoal(goal);
		const [existing, { components }] = await Promise.all([
			existingOf(name, context),
			context.executor.components.list(),
		]);
		const matching = matchingComponents(goal, components).map(componentLine);
		const text = paragraphs([
			`Write a Tripline workflow for this goal:\n\n${goal.trim()}`,
			nameText(name, existing !== null),
			ESSENCE,
			matching.length === 0 ? "" : `Components beyond those built in that may fit:\n${matching.join("\n")}`,
			PROCEDURE,
		]);
		return {
			description: "Write, check, save and try a workflow",
			messages: [userText(text), userResource(LANGUAGE_RESOURCE), ...(existing ?? []).map(userResource)],
		};
	},

	complete: async (argument, value, context) => (argument === "name" ? workflowNames(value, context) : []),
};

const ESSENCE = `The language in short (the whole guide is attached):
- A document has name, description, version, triplets and config, and perhaps trigger, context and options.
- A triplet is subject >> relation >> object. Relations: then, on error, finally, if true, if false, CASE value, DEFAULT, FOREACH name. input is the trigger.
- config sets up each node: component, its parameters, and beside them retry, timeout_ms, credential.
- "{{input.x}}" and "{{node.field | filter}}" read values. Conditions are CEL without braces.
- What follows a loop starts at the loop's list, not inside of it.
- Secrets never stand in a workflow: name a credential.`;

const PROCEDURE = `Go about it like this:
1. Look up every component that you use: list_components finds them, get_component gives parameters, output and examples. Do not guess parameters.
2. Write the document. Handle what can fail outside: retry, timeout_ms, an "on error" edge. Give it options.input_schema if it takes input.
3. validate_workflow. Mend what each diagnostic says (code, line, hint) and validate again, until it is valid.
4. save_workflow.
5. run_workflow with a sample input. If it would do something real outside, such as sending or paying, ask me first. If the run fails, read the error and the trace, mend, save and run again.
6. Tell me what it does, what the sample run gave, its webhook URL or schedule, and which credentials I still have to store.`;

function checkGoal(goal: string): void {
	if (goal.trim() === "") throw new ToolProblem("goal is empty: say what the workflow is to do");
	if (goal.length > MOST_GOAL) {
		throw new ToolProblem(`goal has ${goal.length} characters, at most ${MOST_GOAL} are allowed: shorten it`);
	}
}

/** Null: no name was given, or it is a new one. */
async function existingOf(name: string, { executor }: ToolContext): Promise<ResourceContent[] | null> {
	if (name === "") return null;
	if (!WorkflowName.safeParse(name).success) {
		throw new ToolProblem(
			"name cannot be a workflow's: it has 1 to 128 characters, no / and no control characters",
		);
	}
	const { workflows } = executor;
	const [document, yaml] = await Promise.all([workflows.document(name), workflows.writtenText(name)]);
	return document === null ? null : workflowContents(document, yaml);
}

function nameText(name: string, exists: boolean): string {
	if (name === "") return "";
	const saying = `Its name is ${JSON.stringify(name)}.`;
	return exists
		? `${saying} There is one of that name already (attached): keep of it what the goal does not change, because saving replaces it. Where its text as YAML is attached too, change that text and keep its comments.`
		: saying;
}
