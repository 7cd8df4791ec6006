import { parseDuration } from "@tripline/contract/durations";
import type { GraphNode, JsonObject, Options } from "@tripline/contract/workflows";
import type { Advice } from "../advice.ts";
import type { Definition, Positions } from "../definition.ts";
import { type Path, quoteText, type Report } from "../diagnostics.ts";
import { didYouMean } from "../nearest.ts";

/** What the service that compiles a document knows besides its components. */
export interface Surroundings {
	readonly advice?: Advice;
	/** The longest time that the service lets a run take. */
	readonly runTimeoutMs?: number;
	/** Hints by the name of a workflow that was looked up and does not exist. */
	readonly missingWorkflows?: ReadonlyMap<string, string | undefined>;
	/** Output schemas of workflows, by name. */
	readonly workflowOutputs?: ReadonlyMap<string, JsonObject>;
	/** What the workflow needs and the service does not have. */
	readonly findUnmetNeeds?: (definition: Definition) => readonly UnmetNeed[];
	/** Why no form can be drawn for an input schema that compiles; null if one can. */
	readonly findFormProblem?: (schema: JsonObject) => string | null;
}

export interface UnmetNeed {
	/** The node that needs it; if absent, `path` is one of the document. */
	readonly node?: string;
	readonly path: Path;
	readonly message: string;
	readonly hint: string;
}

const MAX_OPERATIONS = 5;

/** A hint for a component that does not exist: what does the same here, or the nearest name. */
export function adviseComponent(
	name: string,
	ids: readonly string[],
	advice: Advice | undefined,
): string | undefined {
	const server = MCP_TOOL.exec(name)?.[1];
	if (server !== undefined && !ids.some((id) => id.startsWith(`mcp:${server}.`)))
		return didYouMean(name, ids) ?? `Add the MCP server ${quoteText(server)} first`;
	const plain = name.toLowerCase();
	const known = findHint(advice?.components ?? {}, plain.replace(PREFIX, "").replace(/[\s_-]/g, ""));
	if (known !== undefined) return known;
	const operations = ids.filter((id) => id.startsWith(`${plain}.`));
	if (operations.length > 0) {
		const more = operations.length > MAX_OPERATIONS ? " and others" : "";
		return `Use one of its operations: ${operations.slice(0, MAX_OPERATIONS).join(", ")}${more}`;
	}
	return didYouMean(name, ids);
}

const MCP_TOOL = /^mcp:([^.]+)\./;

/** Before the name of a node in other products, such as `n8n-nodes-base.httpRequest` or `core.http`. */
const PREFIX = /^.*[./]/;

export const adviseParameter = (
	component: string,
	name: string,
	advice: Advice | undefined,
): string | undefined =>
	findHint(findHint(advice?.parameters ?? {}, component) ?? {}, name) ?? findHint(SETTING_HINTS, name);

const SETTING_HINTS: Readonly<Record<string, string>> = {
	timeout: "Use the node's setting timeout_ms, in milliseconds",
	timeout_seconds: "Use the node's setting timeout_ms, in milliseconds",
	retries: "Use the node's setting retry: { max: 3 }",
	max_retries: "Use the node's setting retry: { max: 3 }",
	type: "The component of a node is its setting component",
	uses: "The component of a node is its setting component",
	params: "Write the parameters beside component, without params",
	parameters: "Write the parameters beside component, without parameters",
	with: "Write the parameters beside component, without with",
	depends_on: 'Write the order of nodes as triplets, such as "fetch >> then >> report"',
	needs: 'Write the order of nodes as triplets, such as "fetch >> then >> report"',
	next: 'Write the order of nodes as triplets, such as "fetch >> then >> report"',
	on_success: 'Write it as a triplet, such as "fetch >> ON_SUCCESS >> report"',
	on_error: 'Write it as a triplet, such as "fetch >> ON_FAIL >> report"',
	on_failure: 'Write it as a triplet, such as "fetch >> ON_FAIL >> report"',
	when: 'Decide in a node of the component if, and continue with "check >> ON_TRUE >> report"',
	credentials: "Use the node's setting credential, with the name of one credential",
};

const findHint = <Hint>(hints: Readonly<Record<string, Hint>>, name: string): Hint | undefined =>
	Object.hasOwn(hints, name) ? hints[name] : undefined;

const UNITS_PER_CHECK = 20;

/** Runs the checks of the components, and finds settings that can have no effect. */
export function checkSurroundings(
	definition: Definition,
	positions: Positions,
	{ advice, runTimeoutMs, missingWorkflows = new Map(), findUnmetNeeds }: Surroundings,
	report: Report,
): void {
	const { graph, options } = definition;
	for (const { node, path, message, hint } of findUnmetNeeds?.(definition) ?? []) {
		const spots = node === undefined ? undefined : positions.nodes.get(node);
		report.error("unavailable", message, spots?.params(path) ?? { path }, hint);
	}
	const deadlineMs = findDeadline(options, runTimeoutMs, report);
	for (const node of graph.nodes) {
		report.meter.spend(UNITS_PER_CHECK);
		const spots = positions.nodes.get(node.id);
		const spot = spots?.params ?? ((path: Path) => ({ path }));
		if (deadlineMs !== undefined) checkTimeout(node, deadlineMs, options, spot(["timeout_ms"]), report);
		const check = findHint(advice?.checks ?? {}, node.component);
		if (check === undefined) continue;
		const checked = { ...node, deadlineMs, missingWorkflows, meter: report.meter };
		for (const { severity, code, message, path, offset, hint } of check(checked)) {
			const place = { ...spot(path), ...(offset !== undefined && { offset }) };
			report[severity](code, message, place, hint);
		}
	}
}

/** The longest deadline that a run may have. */
function findDeadline(
	{ timeout_ms, timeout = "" }: Options,
	runTimeoutMs: number | undefined,
	report: Report,
): number | undefined {
	if (runTimeoutMs === undefined) return timeout_ms;
	const longest = Math.max(runTimeoutMs, parseDuration(timeout) ?? 0);
	if (timeout_ms === undefined) return longest;
	if (timeout_ms > longest) {
		const message = `options.timeout_ms has no effect above ${runTimeoutMs}: the service ends every run after that`;
		const hint = `Lower it, or raise RUN_TIMEOUT_MS of the service, which is ${runTimeoutMs}`;
		report.warning("unreachable_timeout", message, { path: ["options", "timeout_ms"] }, hint);
	}
	return Math.min(timeout_ms, longest);
}

function checkTimeout(
	{ timeout_ms }: GraphNode,
	deadlineMs: number,
	options: Options,
	spot: { readonly path: Path },
	report: Report,
): void {
	if (timeout_ms === undefined || timeout_ms <= deadlineMs) return;
	const source = options.timeout_ms === deadlineMs ? "options.timeout_ms" : "RUN_TIMEOUT_MS of the service";
	const message = `timeout_ms is ${timeout_ms}, but the run ends after ${deadlineMs} ms (${source})`;
	report.warning("unreachable_timeout", message, spot, `Use at most ${deadlineMs}, or raise ${source}`);
}
