import type { Json } from "@tripline/contract/json";
import { Graph, INPUT } from "@tripline/contract/workflows";
import { type Path, quoteText, type Report } from "./diagnostics.ts";
import { isObject, readFields, readOneOf } from "./fields.ts";
import { NODE_HINTS } from "./foreign-fields.ts";
import { createDraft, type GraphDraft } from "./graph-draft.ts";
import { readGraphEdge } from "./graph-edge.ts";
import { describeType } from "./issues.ts";
import { readNodeName } from "./node-name.ts";
import { addField, type NodeDraft, SETTING_NAMES } from "./settings.ts";

/** For one edge, or one node of a graph, including all work on it until the plan is built. */
export const UNITS_PER_EDGE = 250;

/** Reads `{ id?, nodes, edges, result? }` or its aliases. */
export function readGraph(value: unknown, at: Path, report: Report): GraphDraft {
	if (!isObject(value)) {
		report.error("bad_field", `graph must be an object with nodes and edges, but is ${describeType(value)}`, {
			path: at,
		});
		return createDraft();
	}
	const fields = readFields(value, at, ["id", "nodes", "edges", "result"], report);
	return {
		...readGraphId(fields.id, at, report),
		...readResult(fields.result, at),
		...readNodesAndEdges(fields.nodes, fields.edges, at, report),
	};
}

export function readGraphId(value: unknown, at: Path, report: Report): { id?: string } {
	if (value === undefined || value === null) return {};
	const read = Graph.shape.id.safeParse(value);
	if (read.success && read.data !== undefined) return { id: read.data };
	const problem =
		typeof value === "string"
			? read.error?.issues[0]?.message
			: `must be text, but is ${describeType(value)}`;
	report.error("bad_field", `id ${problem}`, { path: [...at, "id"] });
	return {};
}

export const readResult = (value: unknown, at: Path): Pick<GraphDraft, "result"> =>
	value === undefined || value === null ? {} : { result: { value: value as Json, at: [...at, "result"] } };

export function readNodesAndEdges(nodes: unknown, edges: unknown, at: Path, report: Report): GraphDraft {
	const draft = createDraft();
	const list = readList(nodes, [...at, "nodes"], report);
	if (Array.isArray(nodes) && nodes.length === 0) reportNoNodes([...at, "nodes"], report);
	for (const [index, value] of list.entries()) {
		report.meter.spend(UNITS_PER_EDGE);
		const node = readGraphNode(value, [...at, "nodes", index], report);
		const path = [...at, "nodes", index, "id"];
		if (node === undefined) draft.unread.add(JSON.stringify(value) ?? "");
		else if (node.id === INPUT)
			report.error("reserved_name", `"${INPUT}" is the trigger, not a node`, { path }, INPUT_NODE_HINT);
		else if (!draft.nodes.has(node.id)) draft.nodes.set(node.id, node);
		else report.error("duplicate_node", `duplicate node ${quoteText(node.id)}`, { path });
	}
	for (const [index, value] of readList(edges ?? [], [...at, "edges"], report).entries()) {
		report.meter.spend(UNITS_PER_EDGE);
		const before = report.errors;
		const edge = readGraphEdge(value, [...at, "edges", index], report);
		if (edge !== undefined) draft.edges.push(edge);
		if (report.errors > before) draft.unread.add(JSON.stringify(value) ?? "");
	}
	return draft;
}

export const reportNoNodes = (path: Path, report: Report): void =>
	report.error("no_nodes", "the workflow has no nodes", { path }, NO_NODES_HINT);

const NO_NODES_HINT = 'Add triplets, such as ["input >> ON_SUCCESS >> fetch"], a graph, or nodes and edges';

const INPUT_NODE_HINT = "Delete the node, and start edges with from: input";

const NODE_FIELDS = ["id", "component", "componentId", "params", "data", ...SETTING_NAMES];

function readGraphNode(value: unknown, at: Path, report: Report): NodeDraft | undefined {
	if (!isObject(value)) {
		report.error("bad_field", `a node must be an object, but is ${describeType(value)}`, { path: at });
		return undefined;
	}
	const fields = readFields(value, at, NODE_FIELDS, report, NODE_HINTS);
	const id = readNodeName(fields.id, "id", at, report);
	if (id === undefined) return undefined;
	const params = readOneOf(value, at, ["params", "data"], report);
	const draft: NodeDraft = { id, spot: { path: at }, fields: new Map(), params: params?.at ?? at };
	const component = readOneOf(value, at, ["component", "componentId"], report);
	if (component !== undefined) addField(draft, "component", component.value, component.at, report);
	for (const name of SETTING_NAMES) {
		const setting = fields[name];
		if (setting !== undefined) addField(draft, name, setting as Json, [...at, name], report);
	}
	if (params === undefined) return draft;
	if (isObject(params.value)) {
		for (const [name, param] of Object.entries(params.value)) {
			addField(draft, name, param as Json, [...params.at, name], report);
		}
	} else {
		const message = `${String(params.at.at(-1))} must be an object, but is ${describeType(params.value)}`;
		report.error("bad_field", message, { path: params.at });
	}
	return draft;
}

function readList(value: unknown, path: Path, report: Report): readonly unknown[] {
	if (Array.isArray(value)) return value;
	report.error("bad_field", `${String(path.at(-1))} must be a list, but is ${describeType(value)}`, { path });
	return [];
}
