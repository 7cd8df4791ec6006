import type { Json } from "@tripline/contract/json";
import type { GraphNode, JsonObject } from "@tripline/contract/workflows";
import type { Component } from "../component.ts";
import type { Path, Report, Spot } from "../diagnostics.ts";
import { hasTemplate } from "../expressions/compile-text.ts";
import type { Compiled } from "../expressions/problem.ts";
import type { Names } from "../frame.ts";
import { toValueType } from "../types/from-value.ts";
import { ANY, TEXT, type Type } from "../types/type.ts";

/** What values with templates are compiled with. */
export interface TemplateContext {
	/** Null if it is unknown, or if the value belongs to no node. */
	readonly component: Component<unknown> | null;
	readonly names: Names;
	/** The spot of a path into the value. */
	spot(path: Path): Spot;
	readonly report: Report;
	/** Types of what was compiled so far: of templates by their text, of expressions by their path. */
	readonly types: { readonly templates: Map<string, Type>; readonly expressions: Map<string, Type> };
}

export const joinKey = (path: readonly PropertyKey[]): string => path.map(String).join("\n");

/** The type of a parameter whose templates are compiled; any if it is absent. */
export function inferParameter({ node, types, report }: ParameterContext, name: string): Type {
	if (!Object.hasOwn(node.params, name)) return ANY;
	const readText = (text: string) => (hasTemplate(text) ? (types.templates.get(text) ?? ANY) : TEXT);
	return toValueType(node.params[name] as Json, report.meter, readText);
}

/** What a node's parameters are compiled with. */
export interface ParameterContext extends TemplateContext {
	readonly node: GraphNode;
	/** A hint for a parameter that the component does not have. */
	advise(name: string): string | undefined;
	readonly workflowOutputs: ReadonlyMap<string, JsonObject> | undefined;
	/** What the expression of a repeat node can read after a turn. */
	readonly turnNames?: Names;
}

/** The compiled value; on failure, reports each problem at its offset in the text and returns `otherwise`. */
export function unwrapOr<Value>(
	compiled: Compiled<Value>,
	otherwise: Value,
	{ report, spot }: TemplateContext,
	path: Path,
): Value {
	if (compiled.ok) {
		for (const { code, message, offset, hint, isConditional } of compiled.claims) {
			const place = { ...spot(path), offset };
			if (isConditional) report.warning(code, message, place, hint);
			else report.claim(code, message, place, hint);
		}
		return compiled.value;
	}
	for (const { code, message, offset, hint } of compiled.problems) {
		report.error(code, message, { ...spot(path), offset }, hint);
	}
	return otherwise;
}
