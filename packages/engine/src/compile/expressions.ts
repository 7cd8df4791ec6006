import type { Json } from "@tripline/contract/json";
import type { Aggregate, Component, Expression } from "../component.ts";
import { type Path, quoteText } from "../diagnostics.ts";
import { compileAggregate, compileExpression } from "../expressions/compile-expression.ts";
import { hasTemplate } from "../expressions/compile-text.ts";
import type { Compiled } from "../expressions/problem.ts";
import type { Frame } from "../frame.ts";
import type { PlanNode } from "../plan.ts";
import { readElement } from "../types/overlap.ts";
import { ANY, type Type } from "../types/type.ts";
import { inferParameter, joinKey, type ParameterContext, unwrapOr } from "./parameter-context.ts";

type Bound = Expression | Readonly<Record<string, Aggregate>>;
type Bind<Value> = (frame: Frame) => Value;

/** Compiles the parameters that hold CEL. Those that are not strings are left to the component's schema. */
export function compileExpressions(
	context: ParameterContext,
	component: Component<unknown>,
): PlanNode<unknown>["expressions"] {
	const binds: [string, Bind<Bound>][] = [];
	const { meter } = context.report;
	const element = readElement(inferParameter(context, "items")) ?? ANY;
	for (const [name, kind] of Object.entries(component.expressions ?? {})) {
		const value = Object.hasOwn(context.node.params, name) ? context.node.params[name] : undefined;
		const bind =
			kind === "aggregates"
				? compileAggregates(context, name, value, element)
				: compileBind(context, [name], value, (text) =>
						compileExpression(text, context.names, { item: kind === "item", element, meter }),
					);
		if (bind !== undefined) binds.push([name, bind]);
	}
	if (binds.length === 0) return null;
	return (frame) => Object.fromEntries(binds.map(([name, bind]) => [name, bind(frame)]));
}

function compileAggregates(
	context: ParameterContext,
	name: string,
	value: Json | undefined,
	element: Type,
): Bind<Readonly<Record<string, Aggregate>>> | undefined {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
	const binds = Object.entries(value).flatMap(([key, text]) => {
		const bind = compileBind(context, [name, key], text, (text) =>
			compileAggregate(text, context.names, context.report.meter, element),
		);
		return bind === undefined ? [] : [[key, bind] as const];
	});
	return (frame) => Object.fromEntries(binds.map(([key, bind]) => [key, bind(frame)]));
}

function compileBind<Value>(
	context: ParameterContext,
	path: Path,
	text: Json | undefined,
	compile: (text: string) => Compiled<Bind<Value>>,
): Bind<Value> | undefined {
	if (typeof text !== "string") return undefined;
	if (!hasTemplate(text)) {
		const compiled = compile(text);
		if (compiled.ok) context.types.expressions.set(joinKey(path), compiled.type);
		return unwrapOr<Bind<Value> | undefined>(compiled, undefined, context, path);
	}
	context.report.error(
		"bad_expression",
		`parameter ${quoteText(path.join("."))} is an expression, not a template`,
		{ ...context.spot(path), offset: text.indexOf("{{") },
		"Write it without braces, such as input.total > 100",
	);
	return undefined;
}
