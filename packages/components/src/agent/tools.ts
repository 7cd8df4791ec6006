import type { JsonObject } from "@tripline/contract/workflows";
import { WorkflowName } from "@tripline/contract/workflows";
import type { Catalogue, Component, PlannedStep, StepProblem } from "@tripline/engine/component";
import { mayHaveCredential } from "@tripline/engine/component";
import { hasTemplate } from "@tripline/engine/expressions/compile-text";
import { didYouMean } from "@tripline/engine/nearest";
import * as z from "zod";
import { ask } from "../ask.ts";
import type { Effects } from "../effects.ts";
import { llmChat } from "../llm-chat.ts";
import { anyObject } from "../schemas.ts";
import { workflow } from "../workflow.ts";
import { describeParams } from "./describe-params.ts";
import { describeWorkflows } from "./describe-workflows.ts";

/** The names of steps that are no tools. */
export const MODEL = "model";
export const WORKFLOWS = "workflows";
export const APPROVAL = "approval";
const RESERVED = new Set([MODEL, WORKFLOWS, APPROVAL]);

const MAX_TOOLS = 64;
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

const ToolEntry = z
	.strictObject({
		component: z.string().min(1).max(200).optional().meta({
			description:
				"A component, an operation of a recipe such as `github.list_issues`, or a tool of an MCP server",
		}),
		workflow: WorkflowName.optional().meta({ description: "A workflow of the namespace, by its name" }),
		name: z
			.string()
			.regex(NAME, "must have 1 to 64 letters, digits, _ or -")
			.optional()
			.meta({ description: "The name that the model sees; default from that of the component or workflow" }),
		description: z
			.string()
			.min(1)
			.max(4_000)
			.optional()
			.meta({ description: "What the model is told about it; default that of the component or workflow" }),
		params: anyObject().default({}).meta({
			description:
				"Parameters, or fields of the workflow's input, that are fixed: the model neither sees nor sets them",
		}),
		credential: z.string().min(1).optional().meta({ description: "The credential of the component" }),
		timeout_ms: z.int().min(1).max(600_000).optional().meta({ description: "Timeout of a call" }),
	})
	.refine(({ component, workflow: name }) => (component === undefined) !== (name === undefined), {
		path: ["component"],
		error: "or workflow must be set, but not both",
	});
export type ToolEntry = z.output<typeof ToolEntry>;

export const ToolList = z.array(ToolEntry).max(MAX_TOOLS);

/** The name that a model sees. */
export const nameTool = ({
	name,
	component,
	workflow: called,
}: Pick<ToolEntry, "name" | "component" | "workflow">) =>
	name ?? (component ?? called ?? "").replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, 64);

/** The steps of an agent: its model, its tools, and what they need. `params` may be wrong in any way. */
export function planSteps(
	{ params, credential }: { readonly params: JsonObject; readonly credential?: string | undefined },
	catalogue: Catalogue<Effects>,
): readonly (PlannedStep<Effects> | StepProblem)[] {
	const model: PlannedStep<Effects> = { name: MODEL, component: llmChat, credential };
	// What is wrong with the list itself is reported with the other parameters.
	const read = ToolList.safeParse(params.tools ?? []);
	if (!read.success) return [model];
	const entries = read.data;
	const approved = Array.isArray(params.approve) ? params.approve : [];
	const steps: (PlannedStep<Effects> | StepProblem)[] = [model];
	if (entries.some((entry) => entry.workflow !== undefined))
		steps.push({ name: WORKFLOWS, component: describeWorkflows });
	if (approved.length > 0) steps.push({ name: APPROVAL, component: ask });
	const names = new Set<string>();
	for (const [index, entry] of entries.entries()) {
		const path = ["tools", index];
		const name = nameTool(entry);
		const problem = findNameProblem(name, names) ?? findToolProblem(entry, name, approved, catalogue);
		names.add(name);
		if (problem !== null) steps.push({ path, ...problem });
		else steps.push(planTool(entry, name, catalogue));
	}
	for (const [index, name] of approved.entries())
		if (typeof name === "string" && !names.has(name))
			steps.push({
				path: ["approve", index],
				message: `the agent has no tool ${JSON.stringify(name)}`,
				hint: didYouMean(name, [...names]),
			});
	return steps;
}

const planTool = (
	{ component, credential, timeout_ms }: ToolEntry,
	name: string,
	catalogue: Catalogue<Effects>,
): PlannedStep<Effects> => ({
	name,
	component: component === undefined ? workflow : (catalogue.get(component) as Component<Effects>),
	credential,
	timeoutMs: timeout_ms,
});

type Problem = Omit<StepProblem, "path">;

function findNameProblem(name: string, names: ReadonlySet<string>): Problem | null {
	if (!NAME.test(name) || RESERVED.has(name))
		return {
			message: `the tool needs a name of its own: ${JSON.stringify(name)} cannot be one`,
			hint: "Set name",
		};
	return names.has(name)
		? { message: `two tools are called ${JSON.stringify(name)}`, hint: "Set name" }
		: null;
}

/** Why the entry cannot be a tool, or null. */
function findToolProblem(
	{ component: id, credential, params }: ToolEntry,
	name: string,
	approved: readonly unknown[],
	catalogue: Catalogue<Effects>,
): Problem | null {
	if (id === undefined) return null;
	const component = catalogue.get(id);
	if (component === undefined)
		return { message: `there is no component ${JSON.stringify(id)}`, hint: didYouMean(id, catalogue.ids()) };
	if (component.expressions !== undefined || component.orchestration !== undefined || UNFIT.has(id))
		return {
			message: `${JSON.stringify(id)} cannot be a tool: it makes sense only in a workflow`,
			hint: "Write a workflow that uses it, and make that the tool",
		};
	if (credential !== undefined && !mayHaveCredential(component))
		return { message: `component ${JSON.stringify(id)} takes no credential` };
	const unknown = Object.keys(params).find((param) => !listParams(component).includes(param));
	if (unknown !== undefined)
		return {
			message: `component ${JSON.stringify(id)} has no parameter ${JSON.stringify(unknown)}`,
			hint: didYouMean(unknown, listParams(component)),
		};
	const templated = component.verbatim?.find((param) => hasTemplateInside(params[param]));
	if (templated !== undefined)
		return {
			message: `${JSON.stringify(templated)} must not contain templates: the model could not be told from you`,
		};
	if (approved.includes(name)) return null;
	const { targets = [] } = component;
	const isFixed = targets.length === 0 || targets.some((target) => Object.hasOwn(params, target));
	if (isFixed) return null;
	return {
		message: `${JSON.stringify(id)} can reach anything: fix ${targets.map((each) => JSON.stringify(each)).join(" or ")} in params, or list ${JSON.stringify(name)} in approve`,
	};
}

/** They end, answer or shape the run itself. */
const UNFIT: ReadonlySet<string> = new Set(["respond", "foreach", "fail", "set", "wait"]);

const listParams = (component: Component<Effects>): readonly string[] =>
	Object.keys((describeParams(component).properties ?? {}) as JsonObject);

function hasTemplateInside(value: unknown): boolean {
	return typeof value === "string" ? hasTemplate(value) : JSON.stringify(value ?? null).includes("{{");
}
