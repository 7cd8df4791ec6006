import { listTools } from "@tripline/components/agent/list-tools";
import type { Diagnostic, GraphNode } from "@tripline/contract/workflows";
import { readFlow } from "@tripline/engine/compile/flow";
import { findLoops, type Loop, type Loops } from "@tripline/engine/compile/loops";
import { orderNodes } from "@tripline/engine/compile/order";
import type { Definition, Positions } from "@tripline/engine/definition";
import { Report } from "@tripline/engine/diagnostics";
import { readSource } from "@tripline/engine/source";
import type { DocumentSource } from "@tripline/executor/client";
import { toSource } from "./local-compile.ts";
import { estimateCost, isBuiltIn } from "./request-costs.ts";

/** Limits of the free plan, per invocation of a worker. */
const MAX_REQUESTS = 50;
const MAX_CPU_MS = 10;
const MAX_AFTER_ANSWER_MS = 30_000;
const MAX_MEMORY_MB = 128;
/** The approximate share of that memory that the service itself uses. */
const OWN_MEMORY_MB = 32;

/** One request to find the workflow, and one to write the record. */
const REQUESTS_PER_RUN = 2;
/** One request each for own recipes, own auth recipes, installed components and seeded recipes. */
const REQUESTS_FOR_RECIPES = 4;
/** Requests to read the value and its key, and to record that it was used. */
const REQUESTS_PER_CREDENTIAL = 4;

/** An answer is at most 2 MiB, and is held both as text and as a parsed value. */
const ANSWER_MB = 4;
const DEFAULT_CONCURRENCY = 8;
const DEFAULT_DELAY_MS = 1_000;
const DEFAULT_FACTOR = 2;
const MAX_NAMES = 5;

interface LimitCheck {
	readonly definition: Definition;
	readonly nodes: readonly GraphNode[];
	readonly loops: Loops;
	warn(code: string, node: string, message: string, hint: string): void;
}

/** The limits of the free plan that a run of this workflow would or may exceed. The workflow must compile. */
export function checkWorkersLimits(source: DocumentSource): readonly Diagnostic[] {
	const { definition, positions } = readSource(toSource(source), { named: true });
	const loops = definition === null ? null : readLoops(definition, positions);
	if (definition === null || loops === null) return [];
	const report = new Report();
	const looked: LimitCheck = {
		definition,
		nodes: definition.graph.nodes,
		loops,
		warn: (code, node, message, hint) =>
			report.warning(code, message, positions.nodes.get(node)?.node ?? { path: [] }, hint),
	};
	warnAboutRequests(looked);
	warnAboutCode(looked);
	warnAboutAnswers(looked);
	warnAboutWaits(looked);
	warnAboutFolders(looked);
	return report.diagnostics(positions.locate);
}

function readLoops({ graph }: Definition, positions: Positions): Loops | null {
	const report = new Report();
	const flow = readFlow(graph, positions, report);
	const order = flow === null ? null : orderNodes(flow, positions, report);
	return flow === null || order === null ? null : findLoops(flow, order, positions, report);
}

function warnAboutRequests({ nodes, loops, definition, warn }: LimitCheck): void {
	const calling = nodes.filter((node) => estimateCost(node).min > 0);
	const [first] = calling;
	if (first === undefined) return;
	const own = countOwnRequests(definition);
	const outside = calling.filter((node) => loops.around[nodes.indexOf(node)] === null);
	const least = own + sum(outside.map((node) => estimateCost(node).min));
	const most = own + sum(outside.map((node) => estimateCost(node).max));
	const hint = `On the free plan a run may make ${MAX_REQUESTS} requests, ${own} of them the service's own. Split it into workflows that start each other by events`;
	if (least > MAX_REQUESTS)
		warn("workers_requests", first.id, `a run in which all nodes run makes ${least} requests`, hint);
	else if (most > MAX_REQUESTS) {
		const [costliest = first] = [...outside].sort(
			(one, other) => estimateCost(other).max - estimateCost(one).max,
		);
		const message = `a run may make ${most} requests with all pages, attempts and retries, ${estimateCost(costliest).max} of them by ${joinNames([costliest])}`;
		warn("workers_requests", costliest.id, message, `${hint}, or lower attempts, max_pages or retry`);
	}
	for (const loop of loops.all) {
		if (loop.parent === null) warnAboutLoop(loop, MAX_REQUESTS - least);
	}

	function warnAboutLoop(loop: Loop, left: number): void {
		const within = calling.filter(
			(node) => findOutermost(loops.around[nodes.indexOf(node)] ?? null) === loop,
		);
		const [start] = within;
		if (start === undefined || left < 0) return;
		const each = sum(within.map((node) => estimateCost(node).min));
		const fits = Math.floor(left / each);
		const elements = countElements(nodes[loop.subject]);
		if (elements !== null && elements <= fits) return;
		const unit = loop.on === "FOREACH" ? "element" : "turn";
		const which =
			elements === null ? `more than ${fits} ${unit}s` : `${elements} ${unit}s (at most ${fits} fit)`;
		const message = `${joinNames(within)} run${within.length === 1 ? "s" : ""} once for each ${unit}: with ${which} the run makes more than ${MAX_REQUESTS} requests`;
		warn("workers_requests", start.id, message, hint);
	}
}

function countOwnRequests({ graph, options }: Definition): number {
	const credentials = new Set(
		[
			...graph.nodes.flatMap((node) => [node, ...listTools(node)]).map(({ credential }) => credential),
			options.signature?.credential,
		].filter((name) => name !== undefined),
	);
	const components = graph.nodes.flatMap((node) => [
		node.component,
		...listTools(node).flatMap(({ component = [] }) => component),
	]);
	const others = components.every(isBuiltIn) ? 0 : REQUESTS_FOR_RECIPES;
	return REQUESTS_PER_RUN + others + REQUESTS_PER_CREDENTIAL * credentials.size;
}

const findOutermost = (loop: Loop | null): Loop | null =>
	loop === null || loop.parent === null ? loop : findOutermost(loop.parent);

const DEFAULT_TURNS = 20;

/** The length of a literal list, or the maximum of turns; null if it is known only at run time. */
function countElements(subject: GraphNode | undefined): number | null {
	if (subject?.component === "repeat") {
		const { max = DEFAULT_TURNS } = subject.params;
		return typeof max === "number" ? max : null;
	}
	const items = subject?.component === "foreach" ? subject.params.items : undefined;
	return Array.isArray(items) ? items.length : null;
}

function warnAboutCode({ nodes, loops, warn }: LimitCheck): void {
	for (const [place, node] of nodes.entries()) {
		if (node.component !== "code") continue;
		const loop = loops.around[place] ?? null;
		const often = loop === null ? "" : `, for all ${loop.on === "FOREACH" ? "elements" : "turns"} together`;
		warn(
			"workers_cpu",
			node.id,
			`the code of ${joinNames([node])} may use ${MAX_CPU_MS} ms of CPU time${often}, minus what the rest of the run uses`,
			"On the free plan this limit applies regardless of timeout_ms. Use components such as map, filter and aggregate instead",
		);
	}
}

/** Answers to the elements of a loop may arrive at the same time and must fit into memory together. */
function warnAboutAnswers({ nodes, loops, warn }: LimitCheck): void {
	for (const [place, node] of nodes.entries()) {
		const loop = loops.around[place] ?? null;
		const isOutbound = node.component === "http_request" || !isBuiltIn(node.component);
		if (loop === null || !isOutbound) continue;
		const atOnce = loop.on === "REPEAT" ? 1 : (nodes[loop.subject]?.concurrency ?? DEFAULT_CONCURRENCY);
		if (atOnce * ANSWER_MB + OWN_MEMORY_MB <= MAX_MEMORY_MB) continue;
		warn(
			"workers_memory",
			node.id,
			`${atOnce} answers to ${joinNames([node])} may arrive at once and take ${atOnce * ANSWER_MB} MB: a worker has ${MAX_MEMORY_MB} MB in total`,
			`Lower the concurrency of ${joinNames([nodes[loop.subject] as GraphNode])}`,
		);
	}
}

function warnAboutWaits({ nodes, definition, warn }: LimitCheck): void {
	const seconds = MAX_AFTER_ANSWER_MS / 1000;
	const { trigger } = definition;
	const isAfterAnswer = trigger?.type === "schedule" || trigger?.type === "event";
	const when = isAfterAnswer ? `a run by ${trigger.type}` : "a run that the caller does not wait for";
	const hint = `On Workers ${when} is stopped after ${seconds} seconds. Continue later by a schedule instead`;
	const waiting = nodes.filter(({ component }) => component === "wait");
	const waited = sum(waiting.map(({ params }) => (typeof params.ms === "number" ? params.ms : 0)));
	const [first] = waiting;
	if (first !== undefined && waited >= MAX_AFTER_ANSWER_MS)
		warn("workers_wait", first.id, `${waited / 1000} seconds of waiting at ${joinNames(waiting)}`, hint);
	for (const node of nodes) {
		const { max = 0, delay_ms = DEFAULT_DELAY_MS, factor = DEFAULT_FACTOR } = node.retry ?? {};
		const delay = sum(Array.from({ length: max }, (_, retry) => delay_ms * factor ** retry));
		if (delay < MAX_AFTER_ANSWER_MS) continue;
		const message = `the retries of ${joinNames([node])} wait ${Math.round(delay / 1000)} seconds in total`;
		warn("workers_wait", node.id, message, hint);
	}
}

function warnAboutFolders({ nodes, warn }: LimitCheck): void {
	for (const node of nodes) {
		if (node.component !== "folder") continue;
		warn(
			"workers_folder",
			node.id,
			`${joinNames([node])} uses a folder, and Workers have no disk`,
			"Keep files with file_keep, or in a bucket of S3",
		);
	}
}

function joinNames(nodes: readonly GraphNode[]): string {
	const names = nodes.slice(0, MAX_NAMES).map(({ id }) => JSON.stringify(id));
	const more = nodes.length - names.length;
	return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
