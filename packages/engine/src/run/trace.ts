import type { NodeStatus, NodeTrace } from "@tripline/contract/workflows";
import type { PlanNode } from "../plan.ts";

const RANK: Readonly<Record<NodeStatus, number>> = { skipped: 0, success: 1, cancelled: 2, failed: 3 };

/** Lines and characters of each, over all elements of a loop: a trace is for reading. */
const MOST_LINES = 100;
const MOST_CHARACTERS = 1_000;

/** What became of the nodes, over all elements where they are in a loop. */
export class Trace<Effects> {
	readonly nodes: NodeTrace[];

	constructor(nodes: readonly PlanNode<Effects>[]) {
		this.nodes = nodes.map(({ id, component }) => ({
			id,
			component: component.id,
			status: "skipped",
			duration_ms: 0,
			attempts: 0,
		}));
	}

	tried(node: PlanNode<Effects>): void {
		this.of(node).attempts += 1;
	}

	ended(node: PlanNode<Effects>, status: NodeStatus, ms: number, error?: string): void {
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
		log.push(log.length === MOST_LINES ? "(more lines were left out)" : cut(line));
	}

	private of(node: PlanNode<Effects>): NodeTrace {
		return this.nodes[node.place] as NodeTrace;
	}
}

const cut = (line: string): string =>
	line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS).toWellFormed()}…` : line;
