import type { Json } from "@tripline/contract/json";
import type { NodeStatus, NodeTrace } from "@tripline/contract/workflows";
import type { NodeCall } from "../component.ts";
import type { Frame } from "../frame.ts";
import type { Plan, PlanNode } from "../plan.ts";
import { listIndexes } from "./journal.ts";
import { toMessage } from "./message.ts";
import type { CapturedStep, NodeProgress, NodeSpan, NodeSpans, RunOptions } from "./options.ts";
import type { Scope } from "./scope.ts";

const RANK: Readonly<Record<NodeStatus, number>> = { skipped: 0, success: 1, cancelled: 2, failed: 3 };

/** Log lines per node, over all elements of a loop, and characters per line: people read traces. */
const MAX_LINES = 100;
const MAX_LINE_LENGTH = 1_000;

/** The outcome of each node, combined over all elements if it is in a loop. */
export class Trace<Effects> {
	private readonly nodes: NodeTrace[];
	private readonly stepCount: number;
	private readonly observe: ((progress: NodeProgress) => void) | undefined;
	private readonly capture: RunOptions<Effects>["capture"];
	private readonly onText: RunOptions<Effects>["onText"];
	private readonly spans: RunOptions<Effects>["spans"];
	/** Failed attempts by node and place, of nodes that are tried again; only if they are captured. */
	private retries: Map<string, number> | null = null;

	constructor(
		{ nodes, stepCount }: Pick<Plan<Effects>, "nodes" | "stepCount">,
		options: Pick<RunOptions<Effects>, "observe" | "capture" | "onText" | "spans"> = {},
	) {
		this.stepCount = stepCount;
		this.observe = options.observe;
		this.capture = options.capture;
		this.onText = options.onText;
		this.spans = options.spans;
		this.nodes = nodes.map(({ id, component }) => ({
			id,
			component: component.id,
			status: "skipped",
			duration_ms: 0,
			attempts: 0,
		}));
	}

	/** All nodes of the workflow, and the steps that were taken. */
	listNodes(): NodeTrace[] {
		if (this.stepCount === 0) return this.nodes;
		const own = this.nodes.length - this.stepCount;
		return this.nodes.filter(({ attempts }, place) => place < own || attempts > 0);
	}

	recordAttempt(scope: Scope<Effects>, node: PlanNode<Effects>, attempt: number): void {
		const item = this.getTrace(node);
		if (attempt > item.attempts) item.attempts = attempt;
		if (this.observe !== undefined) this.notify(scope, node, { status: "running", attempt });
	}

	/** The attempt failed, and another one follows. */
	recordRetry(scope: Scope<Effects>, node: PlanNode<Effects>, attempt: number, thrown: unknown): void {
		if (this.capture !== undefined) this.captureRetry(scope, node, attempt, toMessage(thrown));
		if (this.observe === undefined) return;
		this.notify(scope, node, { status: "retrying", attempt, error: toMessage(thrown) });
	}

	recordSkip(scope: Scope<Effects>, node: PlanNode<Effects>): void {
		if (this.observe !== undefined) this.notify(scope, node, { status: "skipped" });
	}

	recordEnd(
		scope: Scope<Effects>,
		node: PlanNode<Effects>,
		status: Exclude<NodeStatus, "skipped">,
		ms: number,
		error?: string,
		output?: Json,
	): void {
		if (this.spans !== undefined) this.endSpan(scope, node, status);
		if (this.capture !== undefined) this.captureEnd(scope, node, status, ms, error, output);
		if (this.observe !== undefined) {
			this.notify(scope, node, { status, duration_ms: ms, ...(error !== undefined && { error }) });
		}
		const item = this.getTrace(node);
		item.duration_ms += ms;
		if (RANK[status] > RANK[item.status]) item.status = status;
		if (error !== undefined) item.error ??= error;
	}

	addLogLine(node: PlanNode<Effects>, line: string): void {
		const item = this.getTrace(node);
		item.log ??= [];
		addLine(item.log, line);
	}

	passText({ id }: PlanNode<Effects>, text: string): void {
		this.onText?.({ id, text });
	}

	/** Calls the component of a node. */
	attempt(
		scope: Scope<Effects>,
		node: PlanNode<Effects>,
		attempt: number,
		call: NodeCall<Effects>,
	): Json | Promise<Json> {
		const { spans } = this;
		if (spans === undefined) return node.component.run(call);
		return spans.attempt(beginSpan(spans, scope, node), attempt, () => node.component.run(call));
	}

	/** A node that was not attempted here has none. */
	private endSpan(
		scope: Scope<Effects>,
		{ place }: PlanNode<Effects>,
		status: Exclude<NodeStatus, "skipped">,
	): void {
		const span = scope.spans?.[place];
		if (span !== undefined) this.spans?.end(span, status);
	}

	private captureRetry(
		{ frame }: Scope<Effects>,
		node: PlanNode<Effects>,
		attempt: number,
		error: string,
	): void {
		const { id } = node;
		const place = listIndexes(frame);
		this.retries ??= new Map();
		this.retries.set(`${place}:${id}`, attempt);
		this.capture?.record({ id, place, attempt, status: "retried", error, ...this.findParams(frame, node) });
	}

	private captureEnd(
		{ frame }: Scope<Effects>,
		node: PlanNode<Effects>,
		status: CapturedStep["status"],
		duration_ms: number,
		error: string | undefined,
		output: Json | undefined,
	): void {
		const { id } = node;
		const place = listIndexes(frame);
		const attempt = (this.retries?.get(`${place}:${id}`) ?? 0) + 1;
		const params = this.findParams(frame, node);
		this.capture?.record({ id, place, attempt, status, duration_ms, error, output, ...params });
	}

	/** The item of a step's frame. */
	private findParams({ item }: Frame, { place }: PlanNode<Effects>): Pick<CapturedStep, "params"> {
		return place < this.nodes.length - this.stepCount ? {} : { params: item };
	}

	private notify(
		{ loop, frame: { index = 0 } }: Scope<Effects>,
		{ id, component }: PlanNode<Effects>,
		what: Omit<NodeProgress, "id" | "component" | "element">,
	): void {
		const element = loop === null ? {} : { element: { index, of: loop.expected } };
		this.observe?.({ id, component: component.id, ...what, ...element });
	}

	private getTrace(node: PlanNode<Effects>): NodeTrace {
		return this.nodes[node.place] as NodeTrace;
	}
}

/** The span of a node; a later attempt has that of the first. */
function beginSpan<Effects>(
	spans: NodeSpans,
	scope: Scope<Effects>,
	{ place, id, component }: PlanNode<Effects>,
): NodeSpan {
	const { loop } = scope;
	scope.spans ??= [];
	const known = scope.spans[place];
	if (known !== undefined) return known;
	const span = spans.begin({ id, component: component.id }, loop?.scope.spans?.[loop.node.place]);
	scope.spans[place] = span;
	return span;
}

/** Adds a line to a log, unless it is full. */
export function addLine(log: string[], line: string): void {
	if (log.length > MAX_LINES) return;
	log.push(log.length === MAX_LINES ? "(more lines omitted)" : truncateLine(line));
}

const truncateLine = (line: string): string =>
	line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH).toWellFormed()}…` : line;
