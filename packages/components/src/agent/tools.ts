import {
	APPROVAL,
	KEEP,
	MODEL,
	nameTagStep,
	nameTool,
	RECALL,
	REMEMBER,
	SUMMARY,
	WORKFLOWS,
} from "@tripline/contract/agent-steps";
import type { JsonObject } from "@tripline/contract/workflows";
import { WorkflowName, WorkflowTag } from "@tripline/contract/workflows";
import type { Catalogue, Component, PlannedStep, StepProblem } from "@tripline/engine/component";
import { mayHaveCredential } from "@tripline/engine/component";
import { hasTemplate } from "@tripline/engine/expressions/compile-text";
import { toSchemaIssues } from "@tripline/engine/issues";
import { didYouMean } from "@tripline/engine/nearest";
import * as z from "zod";
import { ask } from "../ask.ts";
import type { Effects } from "../effects.ts";
import { ANSWER } from "../llm/chat.ts";
import { CHOICES } from "../llm/messages.ts";
import { llmChat } from "../llm-chat.ts";
import { anyObject, isObject } from "../schemas.ts";
import { workflow } from "../workflow.ts";
import { describeParams } from "./describe-params.ts";
import { describeWorkflows, MAX_TOOLS } from "./describe-workflows.ts";
import { keep, recall, remember } from "./memory-steps.ts";

/** Steps of the agent itself, and what `llm_chat` does not take as the name of a tool. */
const RESERVED: ReadonlySet<string> = new Set([
	...[MODEL, WORKFLOWS, APPROVAL, RECALL, SUMMARY, KEEP, REMEMBER],
	...[ANSWER, ...CHOICES],
]);

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

const ToolEntry = z
	.strictObject({
		component: z.string().min(1).max(200).optional().meta({
			description:
				"A component, an operation of a recipe such as `github.list_issues`, or a tool of an MCP server",
		}),
		workflow: WorkflowName.optional().meta({ description: "A workflow of the namespace, by its name" }),
		tag: WorkflowTag.optional().meta({
			description: "All workflows of the namespace that have this tag when the agent starts, each a tool",
		}),
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
	.refine(
		({ component, workflow: name, tag }) =>
			[component, name, tag].filter((each) => each !== undefined).length === 1,
		{ error: "must have exactly one of component, workflow and tag" },
	);
export type ToolEntry = z.output<typeof ToolEntry>;

export const ToolList = z.array(ToolEntry).max(MAX_TOOLS);

/** A free name for a workflow of a tag, which cannot set one. */
export function findFreeName(base: string, taken: ReadonlyMap<string, unknown>): string {
	const isFree = (name: string) => !taken.has(name) && !RESERVED.has(name);
	if (isFree(base)) return base;
	for (let number = 2; ; number++) {
		const name = `${base.slice(0, MAX_NUMBERED_LENGTH)}_${number}`;
		if (isFree(name)) return name;
	}
}

/** Leaves room for the number. */
const MAX_NUMBERED_LENGTH = 60;

/** The steps of an agent: its model, its tools, and what they need. `params` may be wrong in any way. */
export function planSteps(
	{ params, credential }: { readonly params: JsonObject; readonly credential?: string | undefined },
	catalogue: Catalogue<Effects>,
): readonly (PlannedStep<Effects> | StepProblem)[] {
	const memory = planMemory(params.memory, credential);
	const steps: (PlannedStep<Effects> | StepProblem)[] = [
		{ name: MODEL, component: llmChat, credential },
		...memory,
		...findCredentialTexts(params),
	];
	// What else is wrong with the list itself is reported with the other parameters.
	const read = ToolList.safeParse(params.tools ?? []);
	if (!read.success) return [...steps, ...findTemplatesAsParams(params.tools)];
	const entries = read.data;
	const approved = Array.isArray(params.approve) ? params.approve : [];
	const hasTags = entries.some(({ tag }) => tag !== undefined);
	if (hasTags || entries.some((entry) => entry.workflow !== undefined))
		steps.push({ name: WORKFLOWS, component: describeWorkflows });
	if (approved.length > 0) steps.push({ name: APPROVAL, component: ask });
	const names = new Set(memory.flatMap(({ name }) => (name === REMEMBER ? [name as string] : [])));
	for (const [index, entry] of entries.entries()) {
		const path = ["tools", index];
		const name = entry.tag === undefined ? nameTool(entry) : nameTagStep(entry.tag);
		const problem =
			(entry.tag === undefined ? findNameProblem(name, names) : findTagProblem(entry, name, names)) ??
			findToolProblem(entry, name, approved, catalogue);
		names.add(name);
		if (problem !== null) steps.push({ ...problem, path: [...path, ...(problem.path ?? [])] });
		else steps.push({ ...planTool(entry, name, catalogue), written: { path, params: entry.params } });
	}
	// Which tools a tag gives is known only in a run.
	for (const [index, name] of hasTags ? [] : approved.entries())
		if (typeof name === "string" && !names.has(name))
			steps.push({
				path: ["approve", index],
				message: `the agent has no tool ${JSON.stringify(name)}`,
				hint: didYouMean(name, [...names]),
			});
	return steps;
}

/** A store that is not reached for a moment should not cost the answer. */
const STORE_RETRY = { max: 3, delay_ms: 500 };

function planMemory(memory: unknown, credential: string | undefined): PlannedStep<Effects>[] {
	if (!isObject(memory)) return [];
	return [
		{ name: RECALL, component: recall, retry: STORE_RETRY },
		...(memory.summarise === true ? [{ name: SUMMARY, component: llmChat, credential }] : []),
		{ name: KEEP, component: keep, retry: STORE_RETRY },
		...(memory.facts === true ? [{ name: REMEMBER, component: remember }] : []),
	];
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

/** `path` is within the tool. */
type Problem = Omit<StepProblem, "path"> & Partial<Pick<StepProblem, "path">>;

/** Which parameters are fixed must be known before the run, though their values need not be. */
const findTemplatesAsParams = (tools: unknown): StepProblem[] =>
	(Array.isArray(tools) ? tools : []).flatMap((tool, index) =>
		typeof tool?.params === "string"
			? [{ path: ["tools", index, "params"], message: "params must be an object, not a template" }]
			: [],
	);

/** A credential in a text for the model would be sent to it. */
function findCredentialTexts({ instructions, prompt, messages, memory, tools }: JsonObject): StepProblem[] {
	const texts: [(string | number)[], unknown][] = [
		[["instructions"], instructions],
		[["prompt"], prompt],
		[["messages"], messages],
		[["memory"], memory],
		...(Array.isArray(tools) ? tools : []).map((tool, index): [(string | number)[], unknown] => [
			["tools", index, "description"],
			(tool as { readonly description?: unknown } | null)?.description,
		]),
	];
	return texts
		.filter(([, text]) => mentionsCredential(text))
		.map(([path]) => ({ path, message: "a credential must not be in a text for the model" }));
}

const mentionsCredential = (value: unknown): boolean =>
	/(?:\{\{|\()\s*credential\s*[.[]/.test(JSON.stringify(value ?? null));

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

function findTagProblem(entry: ToolEntry, step: string, steps: ReadonlySet<string>): Problem | null {
	if (steps.has(step)) return { message: `the tag ${JSON.stringify(entry.tag)} is listed twice` };
	const set = (["name", "description"] as const).find((key) => entry[key] !== undefined);
	return set === undefined
		? null
		: { path: [set], message: `a tag takes no ${set}: each of its workflows has its own` };
}

/** Why the entry cannot be a tool, or null. */
function findToolProblem(
	{ component: id, credential, params }: ToolEntry,
	name: string,
	approved: readonly unknown[],
	catalogue: Catalogue<Effects>,
): Problem | null {
	const component = id === undefined ? workflow : catalogue.get(id);
	if (id !== undefined && component === undefined)
		return {
			path: ["component"],
			message: `there is no component ${JSON.stringify(id)}`,
			hint: didYouMean(id, catalogue.ids()),
			unknownComponent: id,
		};
	if (component?.takesCredentials !== true && mentionsCredential(params))
		return { path: ["params"], message: "a credential in params would not be filled in for this tool" };
	if (component === undefined || id === undefined)
		return credential === undefined ? null : { message: "a workflow has credentials of its own" };
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
			path: ["params", unknown],
			message: `component ${JSON.stringify(id)} has no parameter ${JSON.stringify(unknown)}`,
			hint: didYouMean(unknown, listParams(component)),
		};
	const templated = component.verbatim?.find((param) => hasTemplateInside(params[param]));
	if (templated !== undefined)
		return {
			message: `${JSON.stringify(templated)} is not a template`,
			hint: "Pass values in other parameters",
		};
	return findValueProblem(component, params) ?? findOpenTarget(component, params, name, approved);
}

/** Fixed values that the component cannot take, as far as they are known. */
function findValueProblem(component: Component<Effects>, params: JsonObject): Problem | null {
	const read = component.params.safeParse(params);
	if (read.success) return null;
	const issues = toSchemaIssues(component.params, params, read.error.issues);
	const issue = issues.find(({ path: [param] }) => {
		const isFixed = param !== undefined && Object.hasOwn(params, param);
		return isFixed && !hasTemplateInside(params[param]);
	});
	return issue === undefined
		? null
		: { path: ["params", ...issue.path], message: `${issue.path.join(".")} ${issue.message}` };
}

function findOpenTarget(
	{ id, hosts, targets = [] }: Component<Effects>,
	params: JsonObject,
	name: string,
	approved: readonly unknown[],
): Problem | null {
	if (approved.includes(name)) return null;
	const isOpen = targets.length > 0 || hosts.includes("*");
	if (!isOpen || targets.some((target) => Object.hasOwn(params, target))) return null;
	const fix =
		targets.length === 0
			? ""
			: `fix ${targets.map((each) => JSON.stringify(each)).join(" or ")} in params, or `;
	return {
		message: `${JSON.stringify(id)} can reach anything: ${fix}list ${JSON.stringify(name)} in approve`,
	};
}

/** The parameters that the model neither sees nor sets. */
export function listClosed(
	{ targets = [] }: Component<Effects>,
	fixed: JsonObject,
	isApproved: boolean,
): ReadonlySet<string> {
	return new Set([...Object.keys(fixed), ...(isApproved ? [] : targets)]);
}

/** They end, answer or shape the run itself. */
const UNFIT: ReadonlySet<string> = new Set(["respond", "foreach", "fail", "set", "wait"]);

const listParams = (component: Component<Effects>): readonly string[] =>
	Object.keys((describeParams(component).properties ?? {}) as JsonObject);

function hasTemplateInside(value: unknown): boolean {
	return typeof value === "string" ? hasTemplate(value) : JSON.stringify(value ?? null).includes("{{");
}
