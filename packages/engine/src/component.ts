import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type * as z from "zod";
import type { Meter } from "./meter.ts";

/**
 * How a parameter that holds CEL is read: over the template roots alone, for each element as `item` (its place as
 * `index`), or as an object of aggregates such as `sum(item.price)`. Such parameters are not templates.
 */
type ExpressionKind = "value" | "item" | "aggregates";

export type Expression = (item?: Json, index?: number) => Json;
export interface Aggregate {
	readonly function: string;
	readonly each: Expression;
}

/** What a node runs. `Effects` is everything a component may do beside computing. */
export interface Component<Effects> {
	readonly id: string;
	readonly version: string;
	readonly title: string;
	readonly description: string;
	/** A strict object. Parameters with templates are checked again when they are known. */
	readonly params: z.ZodType;
	readonly output: z.ZodType;
	/** What `params` and `output` were made from, where that was JSON Schema. */
	readonly schemas?: { readonly params: JsonObject; readonly output: JsonObject };
	readonly expressions?: Readonly<Record<string, ExpressionKind>>;
	/** Parameters that are texts in a language of their own: never templates, whatever braces are in them. */
	readonly verbatim?: readonly string[];
	/** Hosts it may call; `*` is any public one. */
	readonly hosts: readonly string[];
	/** Whether `{{credential.NAME}}` may stand in its parameters: only where they go to an outbound call. */
	readonly takesCredentials: boolean;
	/** Auth recipes that the node's credential must be of; empty: it takes none. Left out: any, if it takes credentials. */
	readonly authRecipes?: readonly string[];
	readonly examples: readonly ComponentExample[];
	/** A value at once costs no turn of the event loop, so what computes only is not async. */
	run(call: NodeCall<Effects>): Json | Promise<Json>;
}

interface ComponentExample {
	readonly title: string;
	/** As a node's settings in a workflow document, without `component`. */
	readonly params: { readonly [name: string]: Json };
	/** The trigger context it runs with. */
	readonly input?: { readonly [name: string]: Json };
	/** What it gives; left out where that differs from run to run. */
	readonly output?: Json;
	/** What it fails with instead. */
	readonly error?: string;
}

export interface NodeCall<Effects> {
	/** Templates resolved, checked against the schema, defaults filled in. */
	readonly params: { readonly [name: string]: Json };
	readonly expressions: Readonly<Record<string, Expression | Readonly<Record<string, Aggregate>>>>;
	readonly node: {
		readonly id: string;
		readonly credential: string | undefined;
		readonly timeoutMs: number | undefined;
	};
	/** Aborted when the node times out, the run's deadline passes or the run is cancelled. Made when first read. */
	readonly signal: AbortSignal;
	readonly effects: Effects;
	/** Whatever loops over data spends from it. */
	readonly meter: Meter;
	/** Whether so much was computed that the event loop is due its turn. */
	readonly needsTurn: boolean;
	/** Gives the event loop its turn, and the meter its units back; rejects when the call was aborted meanwhile. */
	turn(): Promise<void>;
	/** Adds a line to the node's trace; lines past the limit are left out. */
	log(line: string): void;
}

/** Whether the node may have the setting `credential`. */
export const takesCredential = ({ authRecipes, takesCredentials }: Component<never>): boolean =>
	authRecipes === undefined ? takesCredentials : authRecipes.length > 0;

/** Trying again cannot help: retries are not used. */
export class TerminalError extends Error {
	override readonly name = "TerminalError";
}

export interface Catalogue<Effects> {
	get(id: string): Component<Effects> | undefined;
	/** For hints. */
	ids(): readonly string[];
}
