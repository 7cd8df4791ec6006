import type { PlanNode } from "../plan.ts";
import { formatNode } from "./running.ts";
import type { Scope } from "./scope.ts";

export const CANCELLED = "cancelled";
const DEFAULT_MAX_STEPS = 10_000;

/** Names the node whose loop took most of them, if there is one. */
export function describeTooManySteps<Effects>(
	{ maxSteps = DEFAULT_MAX_STEPS }: { readonly maxSteps?: number | undefined },
	node?: PlanNode<Effects>,
): string {
	const message = `more than ${maxSteps} steps`;
	if (node === undefined) return message;
	const { id, until, loops } = node;
	const relation = until === null ? "FOREACH" : "REPEAT";
	return `${message}, most of them in the loop "${id} >> ${relation} ${loops[0]?.name}"`;
}

export const describeTimeout = (timeoutMs: number) => `the run took longer than ${timeoutMs} ms`;

/** Thrown to end the whole run. It is not a node's failure, so no edge can handle it. */
export class Halt extends Error {
	/** The node that was computing. */
	running: string | null = null;

	within<Effects>(scope: Scope<Effects>, node: PlanNode<Effects>): this {
		this.running ??= formatNode(scope, node);
		return this;
	}
}

/** The run's deadline has passed. */
export class TimedOut extends Halt {
	constructor(timeoutMs: number) {
		super(describeTimeout(timeoutMs));
	}
}

/** A plain error, so the node may be retried. */
export const createTimeoutError = (ms: number): Error => new Error(`timed out after ${ms} ms`);
