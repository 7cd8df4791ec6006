/** The steps of an agent that are no tools. In traces and pinned outputs a step is called `<node>/<name>`. */
export const MODEL = "model";
export const WORKFLOWS = "workflows";
export const APPROVAL = "approval";
/** Those of a memory. `remember` is a tool. */
export const RECALL = "recall";
export const SUMMARY = "summary";
export const KEEP = "keep";
export const REMEMBER = "remember";

/** What the name of a tool follows from. */
interface NamedTool {
	readonly name?: string | undefined;
	readonly component?: string | undefined;
	readonly workflow?: string | undefined;
}

/** The name of a tool: what the model sees, and that of its step. */
export const nameTool = ({ name, component, workflow }: NamedTool): string =>
	name ?? (component ?? workflow ?? "").replace(/[^a-zA-Z0-9_-]+/g, "_").slice(0, 64);

/** The step that runs the workflows of a tag. No tool has a name with a colon. */
export const nameTagStep = (tag: string): string => `tag:${tag}`;

/** The names of the steps that a node may take; none if it is no agent. Its parameters may be wrong in any way. */
export function listStepNames({
	component,
	params: { tools, approve, memory },
}: {
	readonly component: string;
	readonly params: { readonly [name: string]: unknown };
}): string[] {
	if (component !== "agent") return [];
	const entries = (Array.isArray(tools) ? tools : []).filter(
		(tool) => typeof tool === "object" && tool !== null,
	);
	const pick = (value: unknown) => (typeof value === "string" ? value : undefined);
	const named = entries.map((tool) =>
		typeof tool.tag === "string"
			? nameTagStep(tool.tag)
			: nameTool({ name: pick(tool.name), component: pick(tool.component), workflow: pick(tool.workflow) }),
	);
	return [
		MODEL,
		...(entries.some((tool) => (tool.workflow ?? tool.tag) !== undefined) ? [WORKFLOWS] : []),
		...(Array.isArray(approve) && approve.length > 0 ? [APPROVAL] : []),
		...(memory === undefined ? [] : [RECALL, SUMMARY, KEEP, REMEMBER]),
		...named.filter((name) => name !== ""),
	];
}
