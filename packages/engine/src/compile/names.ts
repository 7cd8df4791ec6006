import type { Json } from "@tripline/contract/json";
import { type GraphEdge, isLoopRelation, type JsonObject } from "@tripline/contract/workflows";
import { type Positions, REQUEST, RESERVED } from "../definition.ts";
import { quoteText } from "../diagnostics.ts";
import type { Frame, NameProblem, Names, NameTypes, Reader, Roots } from "../frame.ts";
import { didYouMean } from "../nearest.ts";
import { buildStepKey } from "../step-key.ts";
import type { IsAncestor } from "./ancestors.ts";
import type { Asides } from "./asides.ts";
import type { Flow } from "./flow.ts";
import { isSecondName, listNames, readTurnName } from "./loop-names.ts";
import { findLoop, formatLoop, isInside, type Loop, type Loops } from "./loops.ts";

export interface Scope {
	readonly flow: Flow;
	readonly positions: Positions;
	/** Null if the order of nodes is not known; then any node may be read. */
	readonly reach: { readonly loops: Loops; readonly isAncestor: IsAncestor } | null;
	readonly asides: Asides;
	/** Hints for unknown names, by name. */
	readonly guesses: Map<string, string | undefined>;
	/** Roots that cost something to provide, if anything reads them. */
	readonly reads: { request: boolean };
}

/** Resolves the names that are visible at one node. */
export function buildNames(scope: Scope, place: number, credentials: boolean, types: NameTypes): Names {
	return {
		credentials,
		types,
		named: (name) =>
			(name === EXECUTION ? createExecutionReader(scope, place) : findRootReader(name)) ??
			findElementReader(scope, place, name) ??
			findRequestReader(scope, name) ??
			findNodeReader(scope, place, name),
		node: (id) => findNodeReader(scope, place, id),
		isNode: (id) => scope.flow.places.has(id),
		last: (name) => findLastTurn(scope, scope.reach?.loops.around[place] ?? null, name),
	};
}

/** At the expression of a repeat node that is read after each turn: its body has run, and the frame is the turn's. */
export function buildTurnNames(scope: Scope, place: number, types: NameTypes): Names {
	const outside = buildNames(scope, place, false, types);
	const loops = scope.reach?.loops;
	const link = scope.flow.outgoing[place]?.find(({ edge }) => edge.on === "REPEAT");
	const loop = loops === undefined ? undefined : findLoop(loops, link);
	if (loop === undefined || loops === undefined) return outside;
	const findBodyReader = (id: string): Reader | undefined => {
		const other = scope.flow.places.get(id);
		return other !== undefined && isInside(loops, other, loop) ? (frame) => frame.outputs[other] : undefined;
	};
	const enclose = (read: Reader | NameProblem) =>
		typeof read === "function" ? (frame: Frame) => read(frame.parent as Frame) : read;
	return {
		credentials: false,
		types,
		named: (name) =>
			name === loop.name ? (frame) => frame.item : (findBodyReader(name) ?? enclose(outside.named(name))),
		node: (id) => findBodyReader(id) ?? enclose(outside.node(id)),
		last: (name) => findLastTurn(scope, loop, name),
	};
}

/** At the document's `result`, where every node has settled: body nodes are what their loop has made of them. */
export function buildResultNames(scope: Scope, types: NameTypes): Names {
	const findReader = (id: string): Reader | NameProblem => {
		const place = scope.flow.places.get(id);
		return place === undefined ? explainUnknown(scope, null, id) : (frame) => frame.outputs[place];
	};
	return {
		credentials: false,
		types,
		named: (name) => findRootReader(name) ?? findRequestReader(scope, name) ?? findReader(name),
		node: findReader,
	};
}

/** Records which names are read. */
export function recordNames(names: Names, reads: Set<string>): Names {
	const record = (name: string) => {
		reads.add(name);
		return name;
	};
	return {
		...names,
		named: (name) => names.named(record(name)),
		node: (id) => names.node(record(id)),
		last: (name) => names.last?.(record(name)),
	};
}

function findRootReader(name: string): Reader | undefined {
	switch (name) {
		case "input":
		case "context":
		case "workflow":
		case EXECUTION:
			return createRootReader(name);
		default:
			return undefined;
	}
}

const EXECUTION = "execution";

const createRootReader =
	(name: Exclude<keyof Roots, "credential" | "meter" | "stepPrefix">): Reader =>
	({ roots }) =>
		roots[name];

/** At a node, the root `execution` also has the key of its step. */
function createExecutionReader({ flow }: Scope, place: number): Reader {
	const id = flow.graph.nodes[place]?.id ?? "";
	return (frame) => ({
		...(frame.roots.execution as JsonObject),
		step_key: buildStepKey(frame, id),
	});
}

/** The root `request`, unless a node has that name. */
function findRequestReader({ flow, reads }: Scope, name: string): Reader | undefined {
	if (name !== REQUEST || flow.places.has(REQUEST)) return undefined;
	reads.request = true;
	return createRootReader(REQUEST);
}

/** `<name>` of the loops around a node, and `<name>_index` of a FOREACH. */
function findElementReader(scope: Scope, place: number, name: string): Reader | undefined {
	const around = scope.reach?.loops.around[place] ?? null;
	for (let loop = around, hops = 0; loop !== null; loop = loop.parent, hops++) {
		if (name === loop.name) return readOuter(hops, (frame) => frame.item);
		if (loop.on === "FOREACH" && isSecondName(name, loop)) return readOuter(hops, (frame) => frame.index);
	}
	return undefined;
}

/** `<name>_last` of a REPEAT at or around a node. Any node of its body may be read: all have run in the turn before. */
function findLastTurn(
	scope: Scope,
	around: Loop | null,
	name: string,
): ReturnType<NonNullable<Names["last"]>> {
	const turn = readTurnName(name);
	if (turn === undefined) return undefined;
	for (let loop = around, hops = 0; loop !== null; loop = loop.parent, hops++) {
		if (loop.on !== "REPEAT" || loop.name !== turn) continue;
		const found = loop;
		const depth = hops;
		return (id) => findLastReader(scope, found, depth, id);
	}
	const isNamed = ({ on, as }: GraphEdge) => on === "REPEAT" && as === turn;
	if (scope.reach === null && scope.flow.graph.edges.some(isNamed)) return () => () => undefined;
	return undefined;
}

function findLastReader(scope: Scope, loop: Loop, hops: number, id: string): Reader | NameProblem {
	const { flow, reach, positions } = scope;
	const place = flow.places.get(id);
	const loops = reach?.loops;
	if (loops === undefined) return () => undefined;
	if (place !== undefined && isInside(loops, place, loop))
		return readOuter(hops, (frame) => frame.last?.[place]);
	if (place === undefined && positions.unread.mayName(id)) return () => undefined;
	const listBody = () =>
		flow.graph.nodes.flatMap((node, index) => (isInside(loops, index, loop) ? [node.id] : []));
	const hint = findGuess(scope, id, listBody) ?? (place === undefined ? undefined : "Read it without _last");
	return {
		code: "unknown_reference",
		message: `${quoteText(id)} is not a node of the loop "${formatLoop(flow, loop)}"`,
		...(hint !== undefined && { hint }),
	};
}

function findNodeReader(scope: Scope, place: number, id: string): Reader | NameProblem {
	const { flow, reach } = scope;
	const other = flow.places.get(id);
	if (other === undefined) return explainUnknown(scope, reach?.loops.around[place] ?? null, id);
	if (other === place) return toUnreachable(`${quoteText(id)} cannot read its own output`);
	if (reach === null) return () => undefined;
	const { loops, isAncestor } = reach;
	const shared = findSharedLoop(loops, place, other);
	const own = findStandIn(loops, place, shared);
	const theirs = findStandIn(loops, other, shared);
	// Inside a loop its subject has already run, but another loop of the same subject may still be running.
	const hasRun = own === theirs ? own === other : isAncestor(theirs, own);
	if (!hasRun) {
		return toUnreachable(
			`${quoteText(flow.graph.nodes[place]?.id ?? "")} does not run after ${quoteText(id)}, so its output is not available`,
			"Connect the two with an edge, directly or through other nodes",
		);
	}
	const hops = getDepth(loops.around[place]) - getDepth(shared);
	const seen = scope.asides.see(place, other);
	if (seen === "either") {
		return toUnreachable(
			`${quoteText(flow.graph.nodes[place]?.id ?? "")} runs after ${quoteText(id)} and while it waits, so it is not known what it would read of it`,
			"Read it in a node that is reached in one of the two ways only",
		);
	}
	const slot = seen === "wait" ? (scope.asides.slot(other) ?? other) : other;
	return readOuter(hops, (frame) => frame.outputs[slot]);
}

function explainUnknown(scope: Scope, around: Loop | null, id: string): Reader | NameProblem {
	const { flow, positions, reach } = scope;
	if (reach === null && isLoopName(flow, id)) return () => undefined;
	const loops = reach?.loops.all ?? [];
	const loop = loops.find((loop) => loop.name === id || isSecondName(id, loop));
	if (loop !== undefined)
		return toUnreachable(`${quoteText(id)} is available only inside the loop "${formatLoop(flow, loop)}"`);
	if (positions.unread.mayName(id)) return () => undefined;
	const known = () => [...listLoopNames(around), ...RESERVED, REQUEST, ...flow.places.keys()];
	const hint = findGuess(scope, id, known);
	const message = `${quoteText(id)} is neither a node nor a known template name`;
	return { code: "unknown_reference", message, ...(hint !== undefined && { hint }) };
}

/** Looking for a similar name is slow, and a wrong name often occurs many times. */
const MAX_GUESSES = 50;

function findGuess({ guesses }: Scope, name: string, known: () => readonly string[]): string | undefined {
	if (!guesses.has(name) && guesses.size < MAX_GUESSES) guesses.set(name, didYouMean(name, known()));
	return guesses.get(name);
}

const isLoopName = ({ graph }: Flow, name: string): boolean =>
	graph.edges.some(
		({ on, as = "" }) => isLoopRelation(on) && (as === name || isSecondName(name, { on, name: as })),
	);

function listLoopNames(loop: Loop | null): string[] {
	return loop === null ? [] : [...listNames(loop), ...listLoopNames(loop.parent)];
}

/** The innermost loop around both nodes. */
export function findSharedLoop(loops: Loops, place: number, other: number): Loop | null {
	let [a, b] = [loops.around[place] ?? null, loops.around[other] ?? null];
	while (a !== b) {
		if (getDepth(a) >= getDepth(b)) a = a?.parent ?? null;
		else b = b?.parent ?? null;
	}
	return a;
}

/** The node itself, or the subject of the outermost loop around it that is not shared. */
export function findStandIn(loops: Loops, place: number, shared: Loop | null): number {
	let stand = place;
	for (let loop = loops.around[place] ?? null; loop !== shared && loop !== null; loop = loop.parent) {
		stand = loop.subject;
	}
	return stand;
}

const getDepth = (loop: Loop | null | undefined): number => loop?.depth ?? 0;

function readOuter(hops: number, read: (frame: Frame) => Json | undefined): Reader {
	if (hops === 0) return read;
	if (hops === 1) return (frame) => read(frame.parent as Frame);
	return (frame) => {
		let outer = frame;
		for (let count = 0; count < hops; count++) outer = outer.parent as Frame;
		return read(outer);
	};
}

function toUnreachable(message: string, hint?: string): NameProblem {
	return { code: "unreachable_reference", message, ...(hint !== undefined && { hint }) };
}
