import type { Relation } from "../../../api/types.ts";

export interface EdgeStyle {
	/** CSS class of the colour. */
	readonly tone: "plain" | "bad" | "violet" | "good" | "warn" | "teal" | "accent";
	/** Dashes and the label distinguish relations without colour. */
	readonly dash: string | undefined;
	readonly isThick: boolean;
}

const style = (tone: EdgeStyle["tone"], dash?: string, isThick = false): EdgeStyle => ({
	tone,
	dash,
	isThick,
});

export const EDGE_STYLES: Readonly<Record<Relation, EdgeStyle>> = {
	ON_SUCCESS: style("plain"),
	ON_FAIL: style("bad", "7 4"),
	ALWAYS: style("violet", "2 4"),
	ON_TRUE: style("good"),
	ON_FALSE: style("warn", "10 3"),
	CASE: style("teal"),
	DEFAULT: style("teal", "8 3 2 3"),
	ON_WAIT: style("violet", "6 3 2 3"),
	FOREACH: style("accent", undefined, true),
	REPEAT: style("accent", "9 4", true),
};

/** The relations used in a graph, in the order of the style table. */
export function listRelations(edges: readonly { readonly on: Relation }[]): readonly Relation[] {
	const used = new Set(edges.map(({ on }) => on));
	return (Object.keys(EDGE_STYLES) as Relation[]).filter((relation) => used.has(relation));
}
