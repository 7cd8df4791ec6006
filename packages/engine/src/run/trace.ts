import type { NodeStatus, NodeTrace } from "@tripline/contract/workflows";
import type { PlanNode } from "../plan.ts";
import type { NodeProgress } from "../run.ts";
import { messageOf } from "./message.ts";
import type { Scope } from "./scope.ts";

const RANK: Readonly<Record<NodeStatus, number>> = { skipped: 0, success: 1, cancelled: 2, failed: 3 };

/** Log lines per node, over all elements of a loop, and characters per line: people read traces. */
const MOST_LINES = 100;
const MOST_CHARACTERS = 1_000;

/** The outcome of each node, combined over all elements if it is in a loop. */
export class Trace<Effects> {
	readonly nodes: NodeTrace[];
	private readonly observe: ((progress: NodeProgress) => void) | undefined;

	constructor(nodes: readonly PlanNode<Effects>[], observe?: (progress: NodeProgress) => void) {
		this.observe = observe;
		this.nodes = nodes.map(({ id, component }) => ({
			id,
			component: component.id,
			status: "skipped",
			duration_ms: 0,
			attempts: 0,
		}));
	}

	tried(scope: Scope<Effects>, node: PlanNode<Effects>, attempt: number): void {
		this.of(node).attempts += 1;
		if (this.observe !== undefined) this.tell(scope, node, { status: "running", attempt });
	}

	/** The attempt failed, and another one follows. */
	retrying(scope: Scope<Effects>, node: PlanNode<Effects>, attempt: number, thrown: unknown): void {
		if (this.observe === undefined) return;
		this.tell(scope, node, { status: "retrying", attempt, error: messageOf(thrown) });
	}

	skipped(scope: Scope<Effects>, node: PlanNode<Effects>): void {
		if (this.observe !== undefined) this.tell(scope, node, { status: "skipped" });
	}

	ended(
		scope: Scope<Effects>,
		node: PlanNode<Effects>,
		status: NodeStatus,
		ms: number,
		error?: string,
	): void {
		if (this.observe !== undefined) {
			this.tell(scope, node, { status, duration_ms: ms, ...(error !== undefined && { error }) });
		}
		const item = this.of(node);
		item.duration_ms += ms;
		if (RANK[status] > RANK[item.status]) item.status = status;
		if (error !== undefined) item.error ??= error;
	}

	logged(node: PlanNode<Effects>, line: string): void {
		const item = this.of(node);
		item.log ??= [];
		const { log } = item;
		if (log.length > MOST_LINES) return;
		log.push(log.length === MOST_LINES ? "(more lines omitted)" : cut(line));
	}

	private tell(
		{ loop, frame: { index = 0 } }: Scope<Effects>,
		{ id, component }: PlanNode<Effects>,
		what: Omit<NodeProgress, "id" | "component" | "element">,
	): void {
		const element = loop === null ? {} : { element: { index, of: loop.expected } };
		this.observe?.({ id, component: component.id, ...what, ...element });
	}

	private of(node: PlanNode<Effects>): NodeTrace {
		return this.nodes[node.place] as NodeTrace;
	}
}

const cut = (line: string): string =>
	line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS).toWellFormed()}…` : line;
