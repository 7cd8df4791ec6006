import type { Diagnostic, GraphNode, JsonObject, Options } from "@tripline/contract/workflows";
import { describeAdding } from "./add-credential.ts";
import type { Advice } from "./advice.ts";
import { adviseComponent, adviseParameter, checkSurroundings, type Surroundings } from "./compile/advise.ts";
import { findAncestors } from "./compile/ancestors.ts";
import { findAsides } from "./compile/asides.ts";
import { checkCaseEdges } from "./compile/case-edges.ts";
import { checkCredentials, type StoredCredentials } from "./compile/credentials.ts";
import { checkEmail } from "./compile/email.ts";
import { type Flow, readFlow } from "./compile/flow.ts";
import { checkLoops } from "./compile/loop-checks.ts";
import { checkLoopNames } from "./compile/loop-names.ts";
import { findLoops } from "./compile/loops.ts";
import { createKnownTypes, type KnownTypes, VisibleTypes } from "./compile/name-types.ts";
import { buildNames, buildTurnNames, recordNames, type Scope } from "./compile/names.ts";
import { orderNodes } from "./compile/order.ts";
import { ParameterTypes } from "./compile/parameter-context.ts";
import { type CompiledParameters, compileParameters } from "./compile/parameters.ts";
import { buildPlan, type CompiledNode } from "./compile/plan.ts";
import { buildPollDefinition, buildPollPositions, checkPoll } from "./compile/poll.ts";
import { buildPositions } from "./compile/positions.ts";
import { checkRelations } from "./compile/relation-types.ts";
import { compileResult } from "./compile/result.ts";
import { findSkippable } from "./compile/skipped.ts";
import { checkTrigger } from "./compile/trigger.ts";
import { checkWaitEdges } from "./compile/wait-edges.ts";
import { checkWebhook } from "./compile/webhook-trigger.ts";
import {
	type Catalogue,
	type Component,
	findTurnParameter,
	mayHaveCredential,
	type PlannedStep,
} from "./component.ts";
import type { Definition, Positions } from "./definition.ts";
import { type Path, quoteText, Report, type Spot } from "./diagnostics.ts";
import { compileInputCheck } from "./input-schema.ts";
import type { Plan } from "./plan.ts";
import { readSourceInto, type Source, type SourceOptions } from "./source.ts";

export interface CompileOptions<Effects> extends Surroundings {
	readonly catalogue: Catalogue<Effects>;
	/** The credentials that exist, by name; if absent, they are not checked. */
	readonly credentials?: StoredCredentials;
	/** Positions in the source that was read; if absent, paths refer to the definition. */
	readonly positions?: Positions;
}

export interface Compilation<Effects> {
	/** Null if there are errors. */
	readonly plan: Plan<Effects> | null;
	/** Reads what the trigger polls; null if it polls nothing or there are errors. */
	readonly poll: Plan<Effects> | null;
	/** In the order of the source. */
	readonly diagnostics: readonly Diagnostic[];
	/** Nodes whose component is unknown, and the ids of those components. */
	readonly missing: readonly string[];
	readonly components: readonly string[];
	/** Cost of reading and compiling; also a rough measure of the plan's size. */
	readonly units: number;
}

export interface SourceCompilation<Effects> extends Compilation<Effects> {
	readonly definition: Definition | null;
	/** As the author wrote them, with their aliases; null if the nodes came as a graph. */
	readonly triplets: readonly string[] | null;
}

/** Reads and compiles a source, and reports every problem in one pass. */
export function compileSource<Effects>(
	source: Source,
	options: Omit<CompileOptions<Effects>, "positions"> & SourceOptions,
): SourceCompilation<Effects> {
	const report = new Report();
	const { definition, positions, triplets } = readSourceInto(report, source, options);
	const compiled =
		definition === null
			? NOTHING
			: report.runBounded(() => compileInto(report, definition, { ...options, positions }), NOTHING);
	const diagnostics = report.diagnostics(positions.locate);
	return { definition, triplets, ...compiled, diagnostics, units: report.units };
}

/** Compiles a stored definition. */
export function compile<Effects>(
	definition: Definition,
	options: CompileOptions<Effects>,
): Compilation<Effects> {
	const report = new Report({ isStored: true });
	const positions = options.positions ?? buildPositions(definition);
	const compiled = report.runBounded(
		() => compileInto(report, definition, { ...options, positions }),
		NOTHING,
	);
	return { ...compiled, diagnostics: report.diagnostics(positions.locate), units: report.units };
}

type Compiled<Effects> = Omit<Compilation<Effects>, "diagnostics" | "units">;

const NOTHING: Compiled<never> = { plan: null, poll: null, missing: [], components: [] };

function compileInto<Effects>(
	report: Report,
	definition: Definition,
	settings: CompileOptions<Effects> & { readonly positions: Positions },
): Compiled<Effects> {
	const { catalogue, credentials, positions, ...surroundings } = settings;
	const { advice, workflowOutputs } = surroundings;
	const { graph, trigger, options } = definition;
	if (trigger !== undefined) checkTrigger(trigger, report);
	if (trigger?.email !== undefined) checkEmail(trigger, trigger.email, report);
	const polled = compilePoll(report, definition, settings);
	const hasValidInput = checkOptions(options, report);
	checkWebhook(definition, hasValidInput ? surroundings.findFormProblem : undefined, report);
	const flow = readFlow(graph, positions, report);
	if (flow === null) return NOTHING;
	const order = orderNodes(flow, positions, report);
	const scope = findReach(flow, order, positions, report);
	const types = createKnownTypes(
		definition.context,
		hasValidInput ? options.input_schema : undefined,
		findSkippable(scope, order),
		report.meter,
	);
	const missing: { readonly id: string; readonly component: string }[] = [];
	const nodes: (CompiledNode<Effects> & { readonly reads: ReadonlySet<string> | null })[] = [];
	// In topological order, so that the types of what a node reads are known.
	for (const place of order ?? graph.nodes.keys()) {
		const node = graph.nodes[place] as GraphNode;
		const component = findComponent(node, catalogue, positions, advice, report);
		const planned = component === null ? null : planSteps(node, component, catalogue, positions, report);
		if (component === null) missing.push(node);
		else {
			checkCaseEdges(node, place, component, scope, report);
			checkWaitEdges(node, place, component, planned?.steps ?? [], scope, report);
		}
		const isInLoop = (scope.reach?.loops.around[place] ?? null) !== null;
		const reads = isInLoop ? new Set<string>() : null;
		const parameters = compileNode(
			node,
			place,
			component,
			scope,
			{ types, reads, advice, workflowOutputs },
			report,
		);
		for (const component of planned?.unknown ?? []) missing.push({ id: node.id, component });
		nodes[place] = { component, reads, parameters, steps: planned?.steps ?? null };
		types.outputs[place] = parameters.output;
	}
	if (credentials !== undefined) checkCredentials(definition, credentials, nodes, positions, report);
	checkRelations(flow, types.outputs, positions, report);
	checkLoops(scope, nodes, report);
	checkSurroundings(definition, positions, surroundings, report);
	const result = compileResult(graph, scope, types, report);
	const plan = report.errors > 0 ? null : buildPlan(definition, scope, nodes, result);
	return {
		plan,
		poll: plan === null ? null : polled.plan,
		missing: [...polled.missing, ...missing.map(({ id }) => id)],
		components: [...new Set([...polled.components, ...missing.map(({ component }) => component)])],
	};
}

function compilePoll<Effects>(
	report: Report,
	definition: Definition,
	settings: CompileOptions<Effects> & { readonly positions: Positions },
): Compiled<Effects> {
	const { trigger } = definition;
	if (trigger?.poll === undefined) return NOTHING;
	checkPoll(trigger, trigger.poll, settings.catalogue, report);
	const positions = buildPollPositions(settings.positions);
	return compileInto(report, buildPollDefinition(definition, trigger.poll), { ...settings, positions });
}

/** Finds loops and ancestors, which are known only if every edge could be read and there is no cycle. */
function findReach(flow: Flow, order: readonly number[] | null, positions: Positions, report: Report): Scope {
	const whole = order !== null && !flow.isBroken && positions.unread.isEmpty;
	const loops = whole ? findLoops(flow, order, positions, report) : null;
	checkLoopNames(flow, loops, positions, report);
	const reach = order === null || loops === null ? null : { loops, isAncestor: findAncestors(flow, order) };
	const asides = findAsides(flow, report.meter);
	return { flow, positions, reach, asides, guesses: new Map(), reads: { request: false } };
}

function findComponent<Effects>(
	{ id, component }: GraphNode,
	catalogue: Catalogue<Effects>,
	positions: Positions,
	advice: Advice | undefined,
	report: Report,
): Component<Effects> | null {
	const found = catalogue.get(component);
	if (found !== undefined) return found;
	const spot = positions.nodes.get(id)?.component ?? { path: [] };
	const message =
		component === id
			? `node ${quoteText(id)} sets no component, and no component has that name`
			: `node ${quoteText(id)} uses the unknown component ${quoteText(component)}`;
	report.error(
		"unknown_component",
		message,
		spot,
		() =>
			adviseComponent(component, catalogue.ids(), advice) ??
			(component === id ? `Set config.${id}.component` : undefined),
	);
	return null;
}

/** The steps of a component that runs others; null for any other. */
function planSteps<Effects>(
	node: GraphNode,
	{ orchestration }: Component<Effects>,
	catalogue: Catalogue<Effects>,
	positions: Positions,
	report: Report,
): { readonly steps: readonly PlannedStep<Effects>[]; readonly unknown: readonly string[] } | null {
	if (orchestration === undefined) return null;
	const spots = positions.nodes.get(node.id);
	const spot = (path: Path) => spots?.params(path) ?? { path };
	for (const setting of ["timeout_ms", "retry"] as const)
		if (node[setting] !== undefined) {
			const message = `${quoteText(node.id)} takes no ${setting} of its own: its steps are what takes time and can fail`;
			report.error("bad_step", message, spots?.setting(setting) ?? { path: [] });
		}
	const steps: PlannedStep<Effects>[] = [];
	const unknown: string[] = [];
	for (const step of orchestration.planSteps(node, catalogue)) {
		report.meter.spend(UNITS_PER_STEP);
		if ("component" in step) {
			steps.push(step);
			const { name, component, credential, written } = step;
			const namesake = positions.nodes.get(`${node.id}/${name}`);
			if (namesake !== undefined) {
				const message = `${quoteText(`${node.id}/${name}`)} is the name of a step of ${quoteText(node.id)}`;
				report.error("bad_step", message, namesake.node, "Give the node another name");
			}
			if (written !== undefined)
				checkMissingCredential(component, { credential, params: written.params }, spot(written.path), report);
		} else if (step.unknownComponent !== undefined) {
			unknown.push(step.unknownComponent);
			report.error("unknown_component", step.message, spot(step.path), step.hint);
		} else report.error("bad_step", step.message, spot(step.path), step.hint);
	}
	return { steps, unknown };
}

const UNITS_PER_STEP = 20;

function checkMissingCredential(
	{ id, authRecipes = [], insteadOfCredential }: Component<never>,
	{ credential, params }: { readonly credential?: string | undefined; readonly params: JsonObject },
	spot: Spot,
	report: Report,
): void {
	if (credential !== undefined || authRecipes.length === 0) return;
	if (insteadOfCredential !== undefined && Object.hasOwn(params, insteadOfCredential)) return;
	const message = `component ${quoteText(id)} needs a credential of ${authRecipes.join(" or ")}, but none is set`;
	const hint = `Set credential on the node; the owner adds it ${describeAdding(authRecipes)}`;
	report.warning("missing_credential", message, spot, hint);
}

interface NodeContext {
	readonly types: KnownTypes;
	/** Filled with the names that the node reads; null outside loops. */
	readonly reads: Set<string> | null;
	readonly advice: Advice | undefined;
	readonly workflowOutputs: Surroundings["workflowOutputs"];
}

function compileNode(
	node: GraphNode,
	place: number,
	component: Component<unknown> | null,
	scope: Scope,
	{ types, reads, advice, workflowOutputs }: NodeContext,
	report: Report,
): CompiledParameters {
	const spots = scope.positions.nodes.get(node.id);
	if (node.credential !== undefined && component !== null && !mayHaveCredential(component)) {
		const message = `component ${quoteText(node.component)} takes no credential`;
		report.error("credential_not_allowed", message, spots?.credential ?? { path: [] });
	}
	if (node.timeout_ms !== undefined && component?.parks?.(node.params) === true) {
		const message = `${quoteText(node.id)} takes no timeout_ms of its own, because to wait is its purpose`;
		const hint = "Remove it. options.timeout limits the whole run, with the time in which it waits";
		report.error("timeout_not_allowed", message, spots?.setting("timeout_ms") ?? { path: [] }, hint);
	}
	if (component !== null) checkMissingCredential(component, node, spots?.component ?? { path: [] }, report);
	const known = new VisibleTypes(scope, types, place);
	const visible = buildNames(scope, place, component === null || component.takesCredentials, known);
	const names = reads === null ? visible : recordNames(visible, reads);
	const spot = spots?.params ?? ((path: Path) => ({ path }));
	const advise = (name: string) => adviseParameter(node.component, name, advice);
	const repeats = component !== null && findTurnParameter(component) !== undefined;
	const turnNames = repeats ? buildTurnNames(scope, place, known) : names;
	return compileParameters({
		node,
		component,
		names,
		turnNames,
		types: new ParameterTypes(),
		spot,
		advise,
		workflowOutputs,
		report,
	});
}

type SchemaOption = "input_schema" | "output_schema";

function checkSchema(options: Options, field: SchemaOption, report: Report): boolean {
	const schema = options[field];
	const check = schema === undefined ? null : compileInputCheck(schema);
	if (check === null || !("problem" in check)) return true;
	report.error("bad_field", `${field} ${check.problem}`, { path: ["options", field] });
	return false;
}

/** Returns whether the input schema can be relied on. */
function checkOptions(options: Options, report: Report): boolean {
	const { query, signature } = options;
	const hasValidInput = checkSchema(options, "input_schema", report);
	checkSchema(options, "output_schema", report);
	if (query === true && signature !== undefined)
		report.error("bad_field", "signature cannot be combined with query: query answers unsigned calls", {
			path: ["options", "signature"],
			key: true,
		});
	return hasValidInput;
}
