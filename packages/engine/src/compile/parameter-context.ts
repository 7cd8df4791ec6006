import type { GraphNode } from "@tripline/contract/workflows";
import type { Component } from "../component.ts";
import type { Path, Report, Spot } from "../diagnostics.ts";
import type { Compiled } from "../expressions/problem.ts";
import type { Names } from "../frame.ts";
import type { Type } from "../types/type.ts";

/** What a node's parameters are compiled with. The component is null if it is unknown. */
export interface ParameterContext {
	readonly node: GraphNode;
	readonly component: Component<unknown> | null;
	readonly names: Names;
	/** The spot of a path into the parameters. */
	spot(path: Path): Spot;
	readonly report: Report;
	/** Types of what was compiled so far: of templates by their text, of expressions by their path. */
	readonly types: { readonly templates: Map<string, Type>; readonly expressions: Map<string, Type> };
}

export const joinKey = (path: readonly PropertyKey[]): string => path.map(String).join("\n");

/** The compiled value; on failure, reports each problem at its offset in the text and returns `otherwise`. */
export function unwrapOr<Value>(
	compiled: Compiled<Value>,
	otherwise: Value,
	{ report, spot }: ParameterContext,
	path: Path,
): Value {
	if (compiled.ok) {
		for (const { code, message, offset, hint } of compiled.claims)
			report.claim(code, message, { ...spot(path), offset }, hint);
		return compiled.value;
	}
	for (const { code, message, offset, hint } of compiled.problems) {
		report.error(code, message, { ...spot(path), offset }, hint);
	}
	return otherwise;
}
