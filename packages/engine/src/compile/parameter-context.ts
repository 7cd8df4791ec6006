import type { GraphNode } from "@tripline/contract/workflows";
import type { Component } from "../component.ts";
import type { Path, Report, Spot } from "../diagnostics.ts";
import type { Compiled } from "../expressions/problem.ts";
import type { Names } from "../frame.ts";

/** What of a node's parameters is compiled against: the component, null if it is unknown. */
export interface ParameterContext {
	readonly node: GraphNode;
	readonly component: Component<unknown> | null;
	readonly names: Names;
	/** Of a path into the parameters. */
	spot(path: Path): Spot;
	readonly report: Report;
}

/** What was compiled; its problems are reported at the characters of the text that holds them. */
export function valueOr<Value>(
	compiled: Compiled<Value>,
	otherwise: Value,
	{ report, spot }: ParameterContext,
	path: Path,
): Value {
	if (compiled.ok) return compiled.value;
	for (const { code, message, offset, hint } of compiled.problems) {
		report.error(code, message, { ...spot(path), offset }, hint);
	}
	return otherwise;
}
