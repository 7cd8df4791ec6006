import type { Json } from "@tripline/contract/json";
import { type Positions, RESERVED } from "../definition.ts";
import { quoteText } from "../diagnostics.ts";
import type { Frame, NameProblem, Names, Reader, Roots } from "../frame.ts";
import { didYouMean } from "../nearest.ts";
import type { IsAncestor } from "./ancestors.ts";
import type { Flow } from "./flow.ts";
import type { Loop, Loops } from "./loops.ts";

export interface Scope {
	readonly flow: Flow;
	readonly positions: Positions;
	/** Null if the order of nodes is not known; then any node may be read. */
	readonly reach: { readonly loops: Loops; readonly isAncestor: IsAncestor } | null;
	/** Hints for unknown names, by name. */
	readonly guesses: Map<string, string | undefined>;
}

/** Resolves the names that are visible at one node. */
export function buildNames(scope: Scope, place: number, credentials: boolean): Names {
	return {
		credentials,
		named: (name) =>
			findRootReader(name) ?? findElementReader(scope, place, name) ?? findNodeReader(scope, place, name),
		node: (id) => findNodeReader(scope, place, id),
		isNode: (id) => scope.flow.places.has(id),
	};
}

function findRootReader(name: string): Reader | undefined {
	switch (name) {
		case "input":
		case "context":
		case "workflow":
		case "execution":
			return createRootReader(name);
		default:
			return undefined;
	}
}

const createRootReader =
	(name: Exclude<keyof Roots, "credential" | "meter">): Reader =>
	({ roots }) =>
		roots[name];

/** `<name>` and `<name>_index` of the loops around a node. */
function findElementReader(scope: Scope, place: number, name: string): Reader | undefined {
	const around = scope.reach?.loops.around[place] ?? null;
	for (let loop = around, hops = 0; loop !== null; loop = loop.parent, hops++) {
		if (name === loop.name) return readOuter(hops, (frame) => frame.item);
		if (isIndexName(name, loop)) return readOuter(hops, (frame) => frame.index);
	}
	return undefined;
}

function findNodeReader(scope: Scope, place: number, id: string): Reader | NameProblem {
	const { flow, reach } = scope;
	const other = flow.places.get(id);
	if (other === undefined) return explainUnknown(scope, place, id);
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
	return readOuter(hops, (frame) => frame.outputs[other]);
}

function explainUnknown(scope: Scope, place: number, id: string): Reader | NameProblem {
	const { flow, positions, reach } = scope;
	if (reach === null && isForeachName(flow, id)) return () => undefined;
	const loops = reach?.loops.all ?? [];
	const loop = loops.find((loop) => loop.name === id || toIndexName(loop) === id);
	if (loop !== undefined) {
		const subject = flow.graph.nodes[loop.subject]?.id;
		return toUnreachable(
			`${quoteText(id)} is available only inside the loop "${subject} >> FOREACH ${loop.name}"`,
		);
	}
	if (positions.unread.mayName(id)) return () => undefined;
	const known = () => [
		...listLoopNames(reach?.loops.around[place] ?? null),
		...RESERVED,
		...flow.places.keys(),
	];
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

const isForeachName = ({ graph }: Flow, name: string): boolean =>
	graph.edges.some(
		({ on, as = "" }) => on === "FOREACH" && (as === name || toIndexName({ name: as }) === name),
	);

function listLoopNames(loop: Loop | null): string[] {
	return loop === null ? [] : [loop.name, toIndexName(loop), ...listLoopNames(loop.parent)];
}

const INDEX = "_index";

export const toIndexName = (loop: { readonly name: string }): string => `${loop.name}${INDEX}`;

/** Compares without building the index name: there may be many loops. */
export const isIndexName = (name: string, loop: { readonly name: string }): boolean =>
	name.length === loop.name.length + INDEX.length && name.endsWith(INDEX) && name.startsWith(loop.name);

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
function findStandIn(loops: Loops, place: number, shared: Loop | null): number {
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
