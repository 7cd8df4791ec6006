import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../../api/api.ts";
import type { Traversal } from "../../api/types.ts";
import { findCompleteNodes, foldName, type Known, mergeAnswer, NOTHING } from "./knowledge-graph.ts";

/** Maximum number of facts in one response. */
export const MAX_FACTS = 1000;
export const DEFAULT_FACTS = 200;

interface Asked {
	readonly name: string;
	readonly depth: number;
	readonly limit: number;
	readonly predicate?: string;
}

export interface Expansion {
	readonly limit: number;
	/** There are more facts than the limit. */
	readonly isTruncated: boolean;
}

interface State {
	/** Key of the exploration: start node and depth. */
	readonly of: string;
	readonly known: Known;
	readonly start: Expansion | null;
	readonly expanded: ReadonlyMap<string, Expansion>;
	readonly busy: ReadonlySet<string>;
	readonly problem: { readonly error: Error; readonly asked: Asked } | null;
}

export interface Exploration extends State {
	expand(name: string, more?: { readonly limit?: number; readonly predicate?: string }): void;
	showMore(): void;
	retry(): void;
}

/** Loads the neighbourhood of a node, then every node that is expanded. */
export function useExploration(node: string, depth: number, withDeprecated: boolean): Exploration {
	const of = `${depth}\n${foldName(node)}`;
	const [held, setHeld] = useState<State>(() => createState(of));
	const state = held.of === of ? held : createState(of);
	const asked = useRef<{ of: string; all: Asked[]; stop: AbortController }>(null);

	const ask = useCallback(
		(wanted: Asked) => {
			const here = asked.current;
			if (here === null || here.of !== of) return;
			const key = foldName(wanted.name);
			const isStart = wanted.depth === depth && wanted.predicate === undefined && key === foldName(node);
			const { signal } = here.stop;
			change((before) => ({ ...before, problem: null, busy: new Set(before.busy).add(key) }));
			const { name, ...filter } = wanted;
			api.graph.traverse(name, { ...filter, includeDeprecated: withDeprecated }, signal).then(
				(answer) =>
					change((before) => {
						const isTruncated = answer.truncated;
						// A response for one predicate says nothing about the others.
						const isWhole = wanted.predicate === undefined;
						return {
							...before,
							known: mergeAnswer(before.known, answer),
							start: isStart ? { limit: wanted.limit, isTruncated } : before.start,
							expanded: isWhole ? addComplete(before.expanded, wanted, answer) : before.expanded,
							busy: removeKey(before.busy, key),
						};
					}),
				(error: unknown) => {
					if (signal.aborted) return;
					const problem = { error: error instanceof Error ? error : new Error(String(error)), asked: wanted };
					change((before) => ({ ...before, problem, busy: removeKey(before.busy, key) }));
				},
			);

			function change(next: (before: State) => State): void {
				if (!signal.aborted) setHeld((before) => next(before.of === of ? before : createState(of)));
			}
		},
		[of, node, depth, withDeprecated],
	);

	// Reloads to include outdated facts; excluding them needs only the filter.
	useEffect(() => {
		const again = asked.current?.of === of ? asked.current.all : [];
		const all = again.length > 0 ? again : [{ name: node, depth, limit: DEFAULT_FACTS }];
		const stop = new AbortController();
		asked.current = { of, all, stop };
		for (const each of all) ask(each);
		return () => stop.abort();
	}, [ask, of, node, depth]);

	const remember = useCallback(
		(wanted: Asked) => {
			asked.current?.all.push(wanted);
			ask(wanted);
		},
		[ask],
	);
	return {
		...state,
		expand: (name, { limit = DEFAULT_FACTS, predicate } = {}) =>
			remember({ name, depth: 1, limit, ...(predicate !== undefined && { predicate }) }),
		showMore: () => {
			if (asked.current !== null) asked.current.all[0] = { name: node, depth, limit: MAX_FACTS };
			ask({ name: node, depth, limit: MAX_FACTS });
		},
		retry: () => state.problem !== null && ask(state.problem.asked),
	};
}

const createState = (of: string): State => ({
	of,
	known: NOTHING,
	start: null,
	expanded: new Map(),
	busy: new Set(),
	problem: null,
});

function addComplete(
	before: ReadonlyMap<string, Expansion>,
	{ name, depth, limit }: Asked,
	answer: Traversal,
): ReadonlyMap<string, Expansion> {
	const expanded = new Map(before);
	const whole = findCompleteNodes(answer, depth);
	for (const key of whole) expanded.set(key, { limit, isTruncated: false });
	if (!whole.has(foldName(name))) expanded.set(foldName(name), { limit, isTruncated: true });
	return expanded;
}

function removeKey(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
	const rest = new Set(keys);
	rest.delete(key);
	return rest;
}
