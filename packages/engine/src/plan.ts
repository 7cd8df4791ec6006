import type { Json } from "@tripline/contract/json";
import type { Graph, LoopRelation, Options, Relation, Retry } from "@tripline/contract/workflows";
import type { BoundExpression, Component, PlannedStep } from "./component.ts";
import type { Evaluate, Frame } from "./frame.ts";

/** A compiled workflow: running it parses nothing. */
export interface Plan<Effects> {
	readonly graph: Graph;
	readonly context: { readonly [name: string]: Json };
	readonly options: Options;
	/** The workflow's own nodes, then the steps that they may take. */
	readonly nodes: readonly PlanNode<Effects>[];
	/** How many of the nodes are steps. */
	readonly stepCount: number;
	/** The top level: nodes that are in no loop. */
	readonly region: Region;
	/** The chosen result, read in the top frame when the last node has settled; null if there is none. */
	readonly result: Evaluate | null;
	/** Whether anything reads the root `request`. */
	readonly readsRequest: boolean;
}

/** Nodes that run together: the top level, or the body of a loop. */
export interface Region {
	/** Indexes in `plan.nodes` of its own nodes; nested loops have their own regions. */
	readonly members: readonly number[];
	/** Members that start the region: reached from the trigger or by the edge of the loop, or without incoming edges. */
	readonly starts: readonly number[];
}

export interface PlanNode<Effects> {
	readonly place: number;
	readonly id: string;
	readonly component: Component<Effects>;
	/** Resolves templates and checks the result; null if `params` contains no templates. */
	readonly resolve: ((frame: Frame) => { readonly [name: string]: Json }) | null;
	readonly params: { readonly [name: string]: Json };
	/** Binds the expression parameters to a frame; null if there are none. */
	readonly expressions: ((frame: Frame) => Readonly<Record<string, BoundExpression>>) | null;
	readonly credential: string | undefined;
	readonly retry: Retry | undefined;
	readonly timeoutMs: number | undefined;
	/** Edges from other nodes of its region; an edge from the trigger is not counted. */
	readonly incoming: number;
	/** Has an edge from the trigger, so it runs even if no other edge was taken. */
	readonly fromInput: boolean;
	/** All but those that start loops, in the order of the graph. */
	readonly edges: readonly PlanEdge[];
	readonly loops: readonly PlanLoop[];
	/** Of a node with a REPEAT edge, which is then its only loop: read in the frame of each turn when it has settled. */
	readonly until: Evaluate | null;
	/** What it may run as steps of its own, if its component does that; null otherwise. */
	readonly steps: readonly PlanStep<Effects>[] | null;
	/** FOREACH: elements processed at a time, over all its loops. */
	readonly concurrency: number;
	readonly onItemError: "stop" | "collect";
	/** Where the frame keeps what is known of the node while it waits; null without ON_WAIT edges. */
	readonly waitSlot: number | null;
	/** Reached only while another node waits: the run does not end with it. */
	readonly isAside: boolean;
}

/** A step of a node. It has a place in `plan.nodes` after those of the workflow's own nodes, and is in no region of theirs. */
export interface PlanStep<Effects> {
	readonly planned: PlannedStep<Effects>;
	readonly region: Region;
}

export interface PlanEdge {
	readonly to: number;
	readonly on: Exclude<Relation, LoopRelation>;
	/** CASE. */
	readonly value?: string;
}

export interface PlanLoop {
	/** The element's name, or the turn's. */
	readonly name: string;
	readonly body: Region;
	/** Indexes of all body nodes, including nested loops. After a FOREACH their outputs are lists, after a REPEAT those of the last turn. */
	readonly all: readonly number[];
}
