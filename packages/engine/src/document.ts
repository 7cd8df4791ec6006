import type { Json } from "@tripline/contract/json";
import {
	INPUT,
	type JsonObject,
	Options,
	Trigger,
	WorkflowName,
	WorkflowTags,
} from "@tripline/contract/workflows";
import * as z from "zod";
import { type Definition, type Positions, RESERVED } from "./definition.ts";
import { type Path, quoteText, type Report } from "./diagnostics.ts";
import { isObject, readFields, readOneOf } from "./fields.ts";
import { adviseTrigger, DOCUMENT_HINTS, FOREIGN_NODES } from "./foreign-fields.ts";
import {
	readGraph,
	readGraphId,
	readNodesAndEdges,
	readResult,
	reportNoNodes,
	UNITS_PER_EDGE,
} from "./graph.ts";
import { canonicalizeGraph, createDraft, type GraphDraft } from "./graph-draft.ts";
import { describeType, reportFields, type SchemaIssue, toSchemaIssues } from "./issues.ts";
import { didYouMean } from "./nearest.ts";
import { addField } from "./settings.ts";
import { readTriplet } from "./triplets.ts";

export interface ReadDocument {
	readonly definition: Definition;
	readonly positions: Omit<Positions, "locate">;
}

const DESCRIBED = ["name", "description", "version"];
const FIELDS = [
	...DESCRIBED,
	"tags",
	"trigger",
	"triplets",
	"flow",
	"graph",
	"id",
	"nodes",
	"edges",
	"config",
	"context",
	"options",
	"result",
];

const TRIPLETS_HINT =
	'Write each edge as text, such as "fetch >> ON_SUCCESS >> summarise", and settings under config';

/** Reads a workflow document. Invalid parts are reported and skipped so that the rest is checked too. */
export function readDocument(value: unknown, named: boolean, report: Report): ReadDocument | null {
	if (!isObject(value)) {
		report.error("bad_field", `a workflow must be an object, but is ${describeType(value)}`, { path: [] });
		return null;
	}
	const fields = readFields(value, [], FIELDS, report, DOCUMENT_HINTS);
	for (const field of named ? DESCRIBED : []) {
		if (fields[field] === undefined) report.error("bad_field", `${field} is required`, { path: [field] });
	}
	if (named && (fields.graph ?? fields.nodes ?? null) !== null) {
		const path = [fields.graph === undefined ? "nodes" : "graph"];
		report.error("bad_field", "a workflow document must use triplets", { path, key: true }, TRIPLETS_HINT);
	}
	const draft = readDraft(value, report);
	if (fields.config !== undefined) readConfig(fields.config, draft, report);
	const { graph, nodes, edges, result } = canonicalizeGraph(draft, report);
	const definition = {
		...checkField("name", WorkflowName, fields.name, report),
		...checkField("description", Text, fields.description, report),
		...readVersion(fields.version, report),
		...readTags(fields.tags, report),
		...checkField("trigger", Trigger, fields.trigger, report, adviseTrigger),
		graph,
		context: {},
		options: {},
		...checkField("context", Context, fields.context, report),
		...checkField("options", Options, fields.options, report),
	};
	return { definition, positions: { nodes, edges, result, unread: draft.unread } };
}

/** For the settings of a node; its edges and parameters are charged separately. */
const UNITS_PER_NODE = 100;

const Text = z.string();
const Version = z.string().refine((text) => [...text].length <= 64, "must be at most 64 characters");
const Context = z.custom<JsonObject>(isObject, "must be an object");

type Fields = Readonly<Record<string, unknown>>;

function readDraft(value: Fields, report: Report): GraphDraft {
	const ways = ["triplets", "flow", "graph", "nodes"].filter((way) => (value[way] ?? null) !== null);
	const [way, other] = ways;
	if (way === undefined) {
		// A field of another product that describes the nodes was reported already.
		if (!FOREIGN_NODES.some((name) => Object.hasOwn(value, name))) reportNoNodes([], report);
		return createDraft();
	}
	if (other !== undefined && !(way === "triplets" && other === "flow")) {
		const message = `"${way}" and "${other}" both define the nodes: use only one of them`;
		report.error("bad_field", message, { path: [other], key: true });
	}
	if (way !== "nodes" && (value.edges ?? null) !== null) {
		report.error("bad_field", `edges can be used only with nodes, not with ${way}`, {
			path: ["edges"],
			key: true,
		});
	}
	if (way === "graph") {
		if ((value.id ?? null) !== null) {
			report.error("bad_field", "put the id inside the graph", { path: ["id"], key: true });
		}
		const draft = readGraph(value.graph, ["graph"], report);
		const beside = readResult(value.result, []);
		if (draft.result !== undefined && beside.result !== undefined)
			report.error("bad_field", "result is set twice, also in the graph", { path: ["result"], key: true });
		return { ...beside, ...draft };
	}
	const shared = { ...readGraphId(value.id, [], report), ...readResult(value.result, []) };
	if (way === "nodes") return { ...shared, ...readNodesAndEdges(value.nodes, value.edges, [], report) };
	const triplets = readOneOf(value, [], ["triplets", "flow"], report);
	return { ...shared, ...readTriplets(triplets?.value, triplets?.at ?? [], report) };
}

function readTriplets(value: unknown, at: Path, report: Report): GraphDraft {
	const draft = createDraft();
	const { nodes, edges } = draft;
	if (!Array.isArray(value)) {
		const message = `${at.join(".")} must be a list of text, but is ${describeType(value)}`;
		const isGlued = typeof value === "string" && value.startsWith("-");
		report.error("bad_field", message, { path: at }, isGlued ? 'Write a space after each "-"' : undefined);
		return draft;
	}
	if (value.length === 0) reportNoNodes(at, report);
	for (const [index, text] of value.entries()) {
		report.meter.spend(UNITS_PER_EDGE);
		const path = [...at, index];
		if (typeof text !== "string") {
			const message = `a triplet must be text, but is ${describeType(text)}`;
			report.error("bad_triplet", message, { path }, suggestTripletText(text));
			continue;
		}
		const { edge, offsets, problem } = readTriplet(text);
		if (problem !== undefined) {
			report.error(problem.code, problem.message, { path, offset: problem.offset }, problem.hint);
			draft.unread.add(text);
		}
		if (edge === undefined) continue;
		edges.push({
			edge,
			spots: {
				from: { path, offset: offsets.from },
				relation: { path, offset: offsets.relation },
				to: { path, offset: offsets.to },
			},
		});
		for (const [id, offset] of [
			[edge.from, offsets.from],
			[edge.to, offsets.to],
		] as const) {
			if (id === INPUT || nodes.has(id)) continue;
			nodes.set(id, { id, spot: { path, offset }, fields: new Map(), params: ["config", id] });
		}
	}
	return draft;
}

/** A triplet that YAML read as a key and its value, because it contains ": ". */
function suggestTripletText(value: unknown): string | undefined {
	const [entry, other] = isObject(value) ? Object.entries(value) : [];
	if (entry === undefined || other !== undefined || typeof entry[1] !== "string") return TRIPLETS_HINT;
	const text = `${entry[0]}: ${entry[1]}`;
	return text.includes(">>") ? `Quote it: ${quoteText(text)}` : TRIPLETS_HINT;
}

/** Settings by node name: `component`, the node settings and the component's own parameters. */
function readConfig(value: unknown, draft: GraphDraft, report: Report): void {
	if (!isObject(value)) {
		report.error("bad_field", `config must be an object by node name, but is ${describeType(value)}`, {
			path: ["config"],
		});
		return;
	}
	for (const [key, settings] of Object.entries(value)) {
		report.meter.spend(UNITS_PER_NODE);
		const id = key.trim();
		const path = ["config", key];
		const node = draft.nodes.get(id);
		if (node === undefined) {
			if (!draft.unread.mayName(id)) reportUnused(id, path, draft, report);
		} else if (isObject(settings)) {
			node.params = path;
			for (const [name, field] of Object.entries(settings)) {
				addField(node, name, field as Json, [...path, name], report);
			}
		} else if (settings !== null) {
			report.error("bad_field", `settings must be an object, but are ${describeType(settings)}`, { path });
		}
	}
}

const INPUT_HINT =
	'It is the trigger, described under trigger; its values are {{input.name}}, and edges start at it: "input >> then >> …"';

function reportUnused(id: string, path: Path, draft: GraphDraft, report: Report): void {
	const spot = { path, key: true };
	if (RESERVED.has(id)) {
		const hint = id === INPUT ? INPUT_HINT : undefined;
		report.error("reserved_name", `"${id}" is a reserved name and has no settings`, spot, hint);
		return;
	}
	const hint = () => didYouMean(id, draft.nodes.keys());
	report.error(
		"unused_settings",
		`config has settings for ${quoteText(id)}, but no edge uses a node of that name`,
		spot,
		hint,
	);
}

function readVersion(value: unknown, report: Report): { version?: string } {
	if (typeof value !== "number") return checkField("version", Version, value, report);
	const hint = 'Put it in quotes, such as "1.0"';
	report.error("bad_field", "version must be text, but is a number", { path: ["version"] }, hint);
	return {};
}

function readTags(value: unknown, report: Report): { tags?: readonly string[] } {
	const { tags = [] } = checkField("tags", WorkflowTags, value, report);
	return tags.length === 0 ? {} : { tags };
}

function checkField<Name extends string, Value>(
	name: Name,
	schema: z.ZodType<Value>,
	value: unknown,
	report: Report,
	advise?: (value: unknown, issue: SchemaIssue) => string | undefined,
): { [Key in Name]?: Value } {
	if (value === undefined) return {};
	const read = schema.safeParse(value);
	if (read.success) return { [name]: read.data } as { [Key in Name]?: Value };
	const issues = toSchemaIssues(schema, value, read.error.issues).map((issue) => ({
		...issue,
		hint: advise?.(value, issue) ?? issue.hint,
	}));
	reportFields(issues, (path) => [name, ...path], report);
	return {};
}
