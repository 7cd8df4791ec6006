import { listTools } from "@tripline/components/agent/list-tools";
import { builtInCatalogue } from "@tripline/components/catalogue";
import type { Effects } from "@tripline/components/effects";
import { Failed } from "@tripline/contract/failures";
import { ANONYMOUS } from "@tripline/contract/partner-keys";
import type { Signature } from "@tripline/contract/webhook-trigger";
import type { Diagnostic, EmailTrigger, GraphNode, Options, Poll } from "@tripline/contract/workflows";
import { type Compilation, compile } from "@tripline/engine/compile";
import type { Catalogue } from "@tripline/engine/component";
import type { Definition } from "@tripline/engine/definition";
import { type CheckInput, compileInputCheck } from "@tripline/engine/input-schema";
import type { Plan } from "@tripline/engine/plan";
import { readSource } from "@tripline/engine/source";
import type { Turns } from "@tripline/platform/turns";
import { type GetRunLimit, readRunLimits } from "../domain/run-limits.ts";
import { readWebhookSettings, type WebhookSettings } from "../domain/webhook-settings.ts";

/** A stored workflow, ready to run. */
export interface Runnable {
	readonly plan: Plan<Effects> | Unfit;
	readonly options: Options;
	/** Null if calls need no signature. */
	readonly signature: Signature | null;
	/** Null if its trigger has no keys about calls. */
	readonly webhook: WebhookSettings | null;
	readonly graphId: string | undefined;
	readonly version: string | null;
	/** For the record of a failed run. */
	readonly nodes: readonly { readonly id: string; readonly component: string }[];
	/** Work units spent on compiling. */
	readonly units: number;
	/** Whether any node does more than compute. */
	readonly hasEffects: boolean;
	/** Its runs are durable also if their callers wait. */
	readonly isDurable: boolean;
	/** Validates the trigger context. Null if the workflow has no input schema. */
	readonly checkInput: CheckInput | null;
	/** Null if runs of this workflow are not limited. */
	readonly getRunLimit: GetRunLimit | null;
	/** Validates the run's data. Null if the workflow has no output schema. */
	readonly checkOutput: CheckInput | null;
	/** Null if its trigger polls nothing, or the workflow no longer compiles. */
	readonly poll: CompiledPoll | null;
	/** Null if no mails start it. */
	readonly email: EmailTrigger | null;
}

interface CompiledPoll {
	readonly plan: Plan<Effects>;
	readonly settings: Poll;
}

export type PollingRunnable = Runnable & { readonly poll: CompiledPoll };

export const isPolling = (runnable: Runnable): runnable is PollingRunnable => runnable.poll !== null;

/** Why a stored workflow no longer compiles with the tenant's components. Its runs fail with this error. */
interface Unfit {
	readonly error: string;
	readonly failedNode?: string;
}

const MAX_PLANS = 2_000;
/** For all cached plans with their texts. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
/** Estimated size of a plan per work unit spent on compiling it. */
const BYTES_PER_UNIT = 4;
/** Per tenant whose workflows use recipes or installed components. */
const MAX_OWN_PLANS = 200;
const MAX_OWN_BYTES = 16 * 1024 * 1024;

interface Kept {
	/** Null if the plan depends on the tenant. */
	readonly runnable: Runnable | null;
	readonly bytes: number;
}

/** Extracts a workflow's source from stored text. */
type ReadStored = (text: string) => unknown;

/**
 * Caches compiled plans by the text of the stored definition, so that equal text is compiled once. Plans that use recipes
 * or installed components are cached per tenant, until that tenant's extensions change.
 */
export function runnables(deps: {
	getCatalogue(namespace: string | null): Promise<Catalogue<Effects>>;
	readonly turns: Turns;
}) {
	const plans = new Map<string, Kept>();
	const ownPlans = new WeakMap<Catalogue<Effects>, Map<string, Runnable>>();
	let keptBytes = 0;

	return {
		/** Synchronous for a cached plan that uses only built-in components. */
		get(text: string, read: ReadStored, namespace: string | null): Runnable | Promise<Runnable> {
			const known = plans.get(text);
			if (known === undefined)
				return deps.turns.run(namespace ?? ANONYMOUS, () => compileFirst(text, read, namespace));
			// Move to the end, so that the first is the least recently used.
			plans.delete(text);
			plans.set(text, known);
			return known.runnable ?? getOwnPlan(text, read, namespace);
		},
	};

	function compileFirst(
		text: string,
		read: ReadStored,
		namespace: string | null,
	): Runnable | Promise<Runnable> {
		const definition = readDefinition(text, read);
		const { graph, trigger } = definition;
		const isShared =
			graph.nodes.every(usesBuiltIn) && (trigger?.poll === undefined || isBuiltIn(trigger.poll.operation));
		const runnable = isShared ? compileRunnable(definition, builtInCatalogue) : null;
		if (runnable !== null && "error" in runnable.plan) throw corrupt(runnable.plan.error);
		const bytes = 2 * text.length + (runnable?.units ?? 0) * BYTES_PER_UNIT;
		plans.set(text, { runnable, bytes });
		keptBytes += bytes;
		evict();
		return runnable ?? getOwnPlan(text, read, namespace);
	}

	async function getOwnPlan(text: string, read: ReadStored, namespace: string | null): Promise<Runnable> {
		const catalogue = await deps.getCatalogue(namespace);
		const own = ownPlans.get(catalogue) ?? new Map<string, Runnable>();
		const known = own.get(text);
		if (known !== undefined) return known;
		const made = await deps.turns.run(namespace ?? ANONYMOUS, () =>
			compileRunnable(readDefinition(text, read), catalogue),
		);
		const bytes = [...own.values()].reduce((sum, { units }) => sum + units * BYTES_PER_UNIT, 0);
		if (own.size >= MAX_OWN_PLANS || bytes > MAX_OWN_BYTES) own.clear();
		ownPlans.set(catalogue, own.set(text, made));
		return made;
	}

	function evict(): void {
		for (const [text, { bytes }] of plans) {
			if (plans.size <= MAX_PLANS && keptBytes <= MAX_KEPT_BYTES) return;
			plans.delete(text);
			keptBytes -= bytes;
		}
	}
}

/** Whether everything that the node runs is built in. */
const usesBuiltIn = (node: GraphNode): boolean =>
	isBuiltIn(node.component) &&
	listTools(node).every(({ component }) => component === undefined || isBuiltIn(component));

const isBuiltIn = (component: string): boolean => builtInCatalogue.get(component) !== undefined;

function readDefinition(text: string, read: ReadStored): Definition {
	const { definition, diagnostics } = readSource({ json: parseStoredText(read, text) }, { named: false });
	// With an error the definition is incomplete: its signature option, for example, could be missing.
	const error = findFirstError(diagnostics);
	if (definition === null || error !== undefined) throw corrupt(error);
	return definition;
}

function compileRunnable(definition: Definition, catalogue: Catalogue<Effects>): Runnable {
	const { options, graph } = definition;
	const compilation = compile(definition, { catalogue });
	const { plan, poll } = compilation;
	const settings = definition.trigger?.poll;
	return {
		plan: plan ?? toUnfit(compilation),
		options,
		signature: definition.trigger?.signature ?? options.signature ?? null,
		webhook: readWebhookSettings(definition.trigger),
		graphId: graph.id,
		version: definition.version ?? null,
		nodes: graph.nodes.map(({ id, component }) => ({ id, component })),
		units: compilation.units,
		hasEffects: plan?.nodes.some(({ component }) => component.isPure !== true) === true,
		isDurable: options.durable === true || (plan !== null && mayPark(plan)),
		getRunLimit: readRunLimits(definition.trigger, options),
		checkInput: buildCheck(options, "input_schema"),
		checkOutput: buildCheck(options, "output_schema"),
		poll: poll === null || settings === undefined ? null : { plan: poll, settings },
		email: definition.trigger?.email ?? null,
	};
}

function mayPark({ nodes, graph }: Plan<Effects>): boolean {
	const given = new Map(graph.nodes.map(({ id, params }) => [id, params]));
	return nodes.some(({ id, component }) => component.parks?.(given.get(id) ?? {}) === true);
}

/** It compiled when it was stored, so its components must have changed since. */
function toUnfit({ missing, components, diagnostics }: Compilation<Effects>): Unfit {
	const [failedNode] = missing;
	if (failedNode === undefined)
		return { error: `the workflow does not compile: ${findFirstError(diagnostics)}` };
	const names = components.map((id) => JSON.stringify(id)).join(", ");
	const error = `${failedNode}: component ${names} no longer exists: install it again or change the workflow`;
	return { error, failedNode };
}

export type Runnables = ReturnType<typeof runnables>;

function buildCheck(options: Options, field: "input_schema" | "output_schema"): CheckInput | null {
	const schema = options[field];
	const check = schema === undefined ? null : compileInputCheck(schema);
	if (check !== null && "problem" in check) throw corrupt(`${field} ${check.problem}`);
	return check;
}

const findFirstError = (diagnostics: readonly Diagnostic[]): string | undefined =>
	diagnostics.find(({ severity }) => severity === "error")?.message;

function parseStoredText(read: ReadStored, text: string): unknown {
	try {
		return read(text);
	} catch (error) {
		throw error instanceof SyntaxError ? corrupt("it is not JSON") : error;
	}
}

export const corrupt = (reason = "it cannot be read"): Failed =>
	new Failed({ kind: "corrupt", message: `definition corrupt: ${reason}` });
