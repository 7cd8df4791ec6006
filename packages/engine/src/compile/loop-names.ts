import { isLoopRelation, type LoopRelation } from "@tripline/contract/workflows";
import { type Positions, RESERVED } from "../definition.ts";
import { quoteText, type Report } from "../diagnostics.ts";
import { isIdentifier } from "../expressions/identifiers.ts";
import type { Flow } from "./flow.ts";
import type { Loop, Loops } from "./loops.ts";

/** A loop gives its body two names: `order` and `order_index`, or `page` and `page_last`. */
export interface NamedLoop {
	readonly on: LoopRelation;
	readonly name: string;
}

const SUFFIXES: Readonly<Record<LoopRelation, string>> = { FOREACH: "_index", REPEAT: "_last" };

const toSecondName = ({ on, name }: NamedLoop): string => name + SUFFIXES[on];

/** Compares without building the second name: there may be many loops. */
export function isSecondName(word: string, { on, name }: NamedLoop): boolean {
	const suffix = SUFFIXES[on];
	return word.length === name.length + suffix.length && word.endsWith(suffix) && word.startsWith(name);
}

/** `page` for `page_last`; undefined for any other name. */
export const readTurnName = (word: string): string | undefined =>
	word.endsWith(SUFFIXES.REPEAT) ? word.slice(0, -SUFFIXES.REPEAT.length) : undefined;

export const listNames = (loop: NamedLoop): string[] => [loop.name, toSecondName(loop)];

/** Reports names of loops that templates could not use, or that would hide another name. */
export function checkLoopNames(flow: Flow, loops: Loops | null, positions: Positions, report: Report): void {
	const byEdge = new Map(loops?.all.map((loop) => [loop.link.index, loop]));
	for (const [index, { on, as = "" }] of flow.graph.edges.entries()) {
		if (!isLoopRelation(on)) continue;
		const problem = findNameProblem({ on, name: as }, flow) ?? findHiddenName(byEdge.get(index));
		if (problem === undefined) continue;
		const spot = positions.edges[index]?.relation ?? { path: [] };
		report.error("reserved_name", `the ${on} name ${quoteText(as)} ${problem}`, spot, "Choose another name");
	}
}

function findNameProblem(loop: NamedLoop, flow: Flow): string | undefined {
	if (!isIdentifier(loop.name)) {
		return "must consist of letters, digits and _, and must not start with a digit";
	}
	if (RESERVED.has(loop.name)) return "is reserved: templates use it";
	const node = listNames(loop).find((name) => flow.places.has(name));
	return node === undefined ? undefined : `hides the node ${quoteText(node)}`;
}

function findHiddenName(loop: Loop | undefined): string | undefined {
	if (loop === undefined) return undefined;
	const own = listNames(loop);
	for (let outer = loop.parent; outer !== null; outer = outer.parent) {
		if (listNames(outer).some((name) => own.includes(name))) {
			return `hides the name ${quoteText(outer.name)} of the enclosing loop`;
		}
	}
	return undefined;
}
