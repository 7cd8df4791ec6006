import { WorkflowName } from "@tripline/contract/workflows";
import type { Prompt } from "../protocol/surface.ts";
import { renderComponentLine } from "../resources/components.ts";
import { findWorkflowNames } from "../resources/names.ts";
import { LANGUAGE_RESOURCE } from "../resources/read.ts";
import { type ToolContext, ToolProblem } from "../tools/tool.ts";
import { readExisting } from "./existing-workflow.ts";
import { findMatchingComponents } from "./matching-components.ts";
import { joinParagraphs, userResource, userText } from "./messages.ts";

const MAX_GOAL_LENGTH = 10_000;

export const writeWorkflow: Prompt = {
	name: "write_workflow",
	title: "Write a workflow",
	description: "Writes, validates, saves and tests a workflow that does what you describe.",
	arguments: [
		{ name: "goal", title: "Goal", description: "What the workflow should do, and when", required: true },
		{
			name: "name",
			title: "Name",
			description: "The workflow's name; an existing workflow with this name is changed",
			required: false,
		},
	],

	async get({ goal = "", name = "" }, context) {
		checkGoal(goal);
		const [existing, { components }] = await Promise.all([
			findExisting(name, context),
			context.executor.components.list(),
		]);
		const matching = findMatchingComponents(goal, components).map(renderComponentLine);
		const text = joinParagraphs([
			`Write a Tripline workflow for this goal:\n\n${goal.trim()}`,
			describeName(name, existing),
			LANGUAGE_SUMMARY,
			matching.length === 0
				? ""
				: `Components that may fit, besides the built-in ones:\n${matching.join("\n")}`,
			PROCEDURE,
		]);
		return {
			description: "Write, validate, save and test a workflow",
			messages: [
				userText(text),
				userResource(LANGUAGE_RESOURCE),
				...(existing?.contents ?? []).map(userResource),
			],
		};
	},

	complete: async (argument, value, context) =>
		argument === "name" ? findWorkflowNames(value, context) : [],
};

const LANGUAGE_SUMMARY = `The language in short (the whole guide is attached):
- A document has name, description, version, triplets and config, and optionally trigger, context, options and result.
- A triplet is subject >> relation >> object. Relations: then, on error, finally, if true, if false, CASE value, DEFAULT, FOREACH name, REPEAT name. input is the trigger.
- config defines each node: component, its parameters, and beside them retry, timeout_ms, credential.
- "{{input.x}}" and "{{node.field | filter}}" read values. Conditions are CEL without braces.
- Nodes after a loop start at the loop's list, not inside the loop.
- Never write secrets into a workflow: refer to a credential.`;

const PROCEDURE = `Proceed as follows:
1. Look up every component that you use: list_components finds them, get_component returns parameters, output and examples. Do not guess parameters.
2. Write the document. Handle failures of outside services: retry, timeout_ms, an "on error" edge. Add options.input_schema if it takes input.
3. Call validate_workflow. Fix what each diagnostic reports (code, line, hint) and validate again until it is valid.
4. Call save_workflow.
5. Call run_workflow with a sample input. If it has real effects outside, such as sending or paying, ask me first. If the run fails, read the error and the trace, fix it, save and run again.
6. Tell me what the workflow does, the result of the sample run, its webhook URL or schedule, and which credentials I still have to store.`;

function checkGoal(goal: string): void {
	if (goal.trim() === "") throw new ToolProblem("goal is empty: say what the workflow should do");
	if (goal.length > MAX_GOAL_LENGTH) {
		throw new ToolProblem(
			`goal must have at most ${MAX_GOAL_LENGTH} characters, it has ${goal.length}: shorten it`,
		);
	}
}

/** Null: no name was given, or no workflow has it. */
async function findExisting(name: string, context: ToolContext) {
	if (name === "") return null;
	if (!WorkflowName.safeParse(name).success) {
		throw new ToolProblem(
			"name is not a valid workflow name: use 1 to 128 characters, no / and no control characters",
		);
	}
	return readExisting(name, context);
}

function describeName(name: string, existing: { readonly base: string } | null): string {
	if (name === "") return "";
	const saying = `Its name is ${JSON.stringify(name)}.`;
	if (existing === null) return saying;
	return `${saying} A workflow with that name exists (attached): keep everything that the goal does not change, because saving replaces it. If its YAML text is attached too, edit that text and keep its comments.${existing.base}`;
}
