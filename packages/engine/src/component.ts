import type { Json } from "@tripline/contract/json";
import type { JsonObject, Retry } from "@tripline/contract/workflows";
import type * as z from "zod";
import type { Meter } from "./meter.ts";
import type { Type } from "./types/type.ts";

/**
 * How a CEL parameter is evaluated: once over the template roots, for each element of the parameter `items` as `item`
 * (its index as `index`), as an object of aggregates such as `sum(item.price)`, as an object of values, as a list of
 * cases `{ label, when }`, by the runner after each turn of the node's REPEAT edge, or for each event as `item`, where the
 * run is not. Such parameters are not templates.
 */
export type ExpressionKind = "value" | "item" | "aggregates" | "values" | "cases" | "turn" | "event";

export type Expression = (item?: Json, index?: number) => Json;
export interface Aggregate {
	readonly function: string;
	readonly each: Expression;
}

/** An expression with the values that it reads, for where its run is not. */
export interface CarriedExpression {
	readonly text: string;
	/** By the names that the expression has for them. */
	readonly values: { readonly [name: string]: Json };
}

/**
 * What a parameter is compiled to: by its kind one expression, aggregates or values by name, the `when` of each case, or
 * what is evaluated for events.
 */
export type BoundExpression =
	| Expression
	| CarriedExpression
	| Readonly<Record<string, Aggregate>>
	| Readonly<Record<string, Expression>>
	| readonly Expression[];

/** What a node runs. `Effects` is everything a component may do besides computing. */
export interface Component<Effects> {
	readonly id: string;
	readonly version: string;
	readonly title: string;
	readonly description: string;
	/** A strict object. Parameters with templates are checked again once they are resolved. */
	readonly params: z.ZodType;
	/** Allows every possible output. An object schema must list every field that the output may have. */
	readonly output: z.ZodType;
	/** The output's type where it depends on the parameters. */
	readonly inferOutput?: (node: TypedNode) => Type;
	/** The JSON Schemas that `params` and `output` were built from, if any. */
	readonly schemas?: { readonly params: JsonObject; readonly output: JsonObject };
	readonly expressions?: Readonly<Record<string, ExpressionKind>>;
	/** Expressions that must be true or false, besides cases and the end of turns. */
	readonly conditions?: readonly string[];
	/**
	 * Parameters in another language, such as code: never templates, even if they contain braces. `statements.sql` is the
	 * field of each object in a list, which is then no template either.
	 */
	readonly verbatim?: readonly string[];
	/**
	 * Lists and objects of whose elements the schema checks nothing. If all templates are in such elements, the parameters
	 * are checked only when the workflow is compiled.
	 */
	readonly anyInside?: readonly string[];
	/**
	 * Parameters that say whom it reaches, or what it does there. A model that calls it sets none of them, and one has to be
	 * fixed, unless a person approves each call.
	 */
	readonly targets?: readonly string[];
	/** Hosts it may call; `*` means any public host. */
	readonly hosts: readonly string[];
	/** Whether its parameters may contain `{{credential.NAME}}`: only if they go to an outbound call. */
	readonly takesCredentials: boolean;
	/** Auth recipes its credential may use. Empty: it takes no credential. Absent: any recipe, if it takes credentials. */
	readonly authRecipes?: readonly string[];
	/** False: its code decides at run time whether it uses the node's credential. */
	readonly alwaysUsesCredential?: boolean;
	/** A parameter with which it needs no credential. */
	readonly insteadOfCredential?: string;
	/** Of its output as JSON, if more than the 1 MiB of any other component. What a run holds in memory is bounded as well. */
	readonly maxOutputBytes?: number;
	/** It uses no effects: the same parameters give the same output, so a resumed run computes it again. */
	readonly isPure?: true;
	/** When a durable run is cancelled, a call in progress is made once more with `isCancelled`, and waited for. */
	readonly cleansUp?: true;
	/** Whether a node with these parameters may wait for longer than a process lives. Then its run has to be durable. */
	readonly parks?: (params: Readonly<Record<string, unknown>>) => boolean;
	/** Runs other components as steps of its node. Then it is pure, and the node's output is the course's. */
	readonly orchestration?: Orchestration<Effects>;
	readonly examples: readonly ComponentExample[];
	/** Components that only compute return synchronously, which saves a turn of the event loop. */
	run(call: NodeCall<Effects>): Json | Promise<Json>;
}

/** How a component runs others: each step is journaled, traced, metered and cancelled like a node. */
export interface Orchestration<Effects> {
	/** The steps that a node may take. Its parameters may still contain templates. */
	planSteps(
		node: { readonly params: JsonObject; readonly credential?: string | undefined },
		catalogue: Catalogue<Effects>,
	): readonly (PlannedStep<Effects> | StepProblem)[];
	/**
	 * Decides the steps of a node with these parameters. A resumed run decides again, so it must depend on its arguments
	 * and on the results alone.
	 */
	begin(params: JsonObject, steps: readonly PlannedStep<Effects>[]): Course;
}

export interface PlannedStep<Effects> {
	/** Unique in the node. In the trace the step is called `<node>/<name>`. */
	readonly name: string;
	readonly component: Component<Effects>;
	readonly credential?: string | undefined;
	readonly timeoutMs?: number | undefined;
	readonly retry?: Retry | undefined;
	/** Where the node's parameters describe it, and with which parameters; absent if they do not. */
	readonly written?: { readonly path: Path; readonly params: JsonObject };
}

export interface StepProblem {
	readonly message: string;
	readonly hint?: string | undefined;
	/** Within the node's parameters. */
	readonly path: Path;
	/** If the problem is that there is no such component. */
	readonly unknownComponent?: string;
}

type Path = readonly (string | number)[];

export interface Course {
	/**
	 * What follows on the results of the last steps, in their order: further steps at the same time, or the node's output.
	 * There are no results at first. If it throws, the node fails.
	 */
	next(results: readonly StepResult[], progress: CourseProgress): NextSteps;
}

export type NextSteps = { readonly steps: readonly NextStep[] } | { readonly output: Json };

export interface NextStep {
	readonly name: string;
	/** Checked against the component's schema; a step that does not match it fails. */
	readonly params: JsonObject;
}

export type StepResult = { readonly output: Json } | { readonly error: string };

export interface CourseProgress {
	/** Milliseconds since the node started. */
	readonly elapsedMs: number;
	readonly meter: Meter;
	/** Adds a line to the node's trace. */
	log(line: string): void;
}

/** What is known about a node's parameters before the run. */
export interface TypedNode {
	/** The type of the component's `output`. */
	readonly output: Type;
	has(name: string): boolean;
	/** Any if the parameter is absent. */
	param(name: string): Type;
	/** The value if the parameter is given and contains no template. */
	constant(name: string): Json | undefined;
	expression(name: string): Type;
	/** The types of an object of expressions, by name. */
	expressions(name: string): ReadonlyMap<string, Type>;
	/** The type of what a workflow returns. */
	workflowOutput(name: string): Type;
	readonly meter: Meter;
}

interface ComponentExample {
	readonly title: string;
	/** As a node's settings in a workflow document, without `component`. */
	readonly params: { readonly [name: string]: Json };
	/** The trigger context it runs with. */
	readonly input?: { readonly [name: string]: Json };
	/** Absent if the output differs between runs. */
	readonly output?: Json;
	/** The error message, if the example fails. */
	readonly error?: string;
}

/** That a node waits. */
export interface Wait {
	/** For the component itself, when its run is resumed. */
	readonly id?: string;
	/** What nodes behind its ON_WAIT edges read of it. */
	readonly known: { readonly url: string | null; readonly expires_at: string };
}

export interface NodeCall<Effects> {
	/** Templates resolved, checked against the schema, defaults filled in. */
	readonly params: { readonly [name: string]: Json };
	readonly expressions: Readonly<Record<string, BoundExpression>>;
	readonly node: {
		readonly id: string;
		readonly credential: string | undefined;
		readonly timeoutMs: number | undefined;
	};
	/** Names the node at its place in the loops around it: the same for each attempt, and in a run that is resumed. */
	readonly step: string;
	/** When the node started, in milliseconds. It differs by milliseconds, at most, in a run that is resumed. */
	readonly startedAt: number;
	/** From 1. */
	readonly attempt: number;
	/** The run was cancelled while the node was in progress. Only for a component that cleans up. */
	readonly isCancelled: boolean;
	/** What the node has announced, also before its run was resumed; null if nothing. */
	readonly announced: Wait | null;
	/** Says that the node waits from now on: once that is recorded, its ON_WAIT edges are taken. At most once. */
	announce(wait: Wait): Promise<void>;
	/** Aborted when the node times out, the run's deadline passes or the run is cancelled. Created on first access. */
	readonly signal: AbortSignal;
	/** Aborts the signal: for a component that limits its own time. */
	abort(reason: Error): void;
	readonly effects: Effects;
	/** Loops over data must spend from it. */
	readonly meter: Meter;
	/** Whether the component has computed long enough that it should yield to the event loop. */
	readonly needsTurn: boolean;
	/** Yields to the event loop and refills the meter; rejects if the call was aborted meanwhile. */
	turn(): Promise<void>;
	/** Adds a line to the node's trace; lines past the limit are dropped. */
	log(line: string): void;
	/** Passes a piece of a text that the node is writing to whoever watches the run. */
	emit(text: string): void;
}

/**
 * The parameter that ends the turns of a component which repeats the nodes behind its REPEAT edge; undefined for any other
 * component. Such a component also has the parameters `max` and `delay_ms`, and its output has the number of `turns`.
 */
export const findTurnParameter = (component: Component<never>): string | undefined =>
	findExpression(component, "turn");

/** The first parameter of a kind of expression. */
export function findExpression({ expressions }: Component<never>, kind: ExpressionKind): string | undefined {
	for (const name in expressions) if (expressions[name] === kind) return name;
	return undefined;
}

/** Whether the node may have the setting `credential`. */
export const mayHaveCredential = ({ authRecipes, takesCredentials }: Component<never>): boolean =>
	authRecipes === undefined ? takesCredentials : authRecipes.length > 0;

export interface Catalogue<Effects> {
	get(id: string): Component<Effects> | undefined;
	/** For hints. */
	ids(): readonly string[];
}
