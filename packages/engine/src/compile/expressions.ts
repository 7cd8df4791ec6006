import type { Json } from "@tripline/contract/json";
import {
	type BoundExpression,
	type Component,
	type Expression,
	type ExpressionKind,
	findTurnParameter,
} from "../component.ts";
import { type Path, quoteText } from "../diagnostics.ts";
import { compileCarried } from "../expressions/carried.ts";
import { compileAggregate, compileExpression } from "../expressions/compile-expression.ts";
import { hasTemplate } from "../expressions/compile-text.ts";
import { addHint } from "../expressions/name-hints.ts";
import type { Compiled } from "../expressions/problem.ts";
import type { Evaluate, Frame, Names } from "../frame.ts";
import type { PlanNode } from "../plan.ts";
import { describeTypes } from "../types/describe.ts";
import { mayOverlap, readElement } from "../types/overlap.ts";
import { ANY, BOOLEAN, TEXT, type Type } from "../types/type.ts";
import { inferParameter, type ParameterContext, unwrapOr } from "./parameter-context.ts";

type Bind<Value> = (frame: Frame) => Value;

/** Further attributes are the sender's. */
const EVENT: Type = {
	kind: "object",
	fields: new Map<string, Type>([
		["type", TEXT],
		["data", ANY],
	]),
	others: ANY,
};

/** Compiles the parameters that hold CEL. Those that are not strings are left to the component's schema. */
export function compileExpressions(
	context: ParameterContext,
	component: Component<unknown>,
): PlanNode<unknown>["expressions"] {
	if (component.expressions === undefined) return null;
	const binds: [string, Bind<BoundExpression>][] = [];
	const element = readElement(inferParameter(context, "items")) ?? ANY;
	for (const [name, kind] of Object.entries(component.expressions)) {
		const value = Object.hasOwn(context.node.params, name) ? context.node.params[name] : undefined;
		const bind = compileParameter(context, name, kind, value, element);
		if (bind !== undefined) binds.push([name, bind]);
		if (component.conditions?.includes(name)) checkCondition(context, [name]);
	}
	if (binds.length === 0) return null;
	return (frame) => Object.fromEntries(binds.map(([name, bind]) => [name, bind(frame)]));
}

/** Compiles the expression that ends the turns of a repeat node; null for any other node. */
export function compileUntil(context: ParameterContext, component: Component<unknown>): Evaluate | null {
	const name = findTurnParameter(component);
	if (name === undefined) return null;
	const value = Object.hasOwn(context.node.params, name) ? context.node.params[name] : undefined;
	const { meter } = context.report;
	const bind = compileBind(context, [name], value, (text) =>
		compileExpression(text, context.turnNames, { item: false, meter }),
	);
	checkCondition(context, [name]);
	return (frame) => bind?.(frame)() ?? null;
}

function compileParameter(
	context: ParameterContext,
	name: string,
	kind: ExpressionKind,
	value: Json | undefined,
	element: Type,
): Bind<BoundExpression> | undefined {
	const { meter } = context.report;
	switch (kind) {
		case "value":
		case "item":
			return compileBind(context, [name], value, (text) =>
				compileExpression(text, context.names, { item: kind === "item", element, meter }),
			);
		case "aggregates":
			return compileByName(context, name, value, (text) =>
				compileAggregate(text, context.names, meter, element),
			);
		case "values":
			return compileByName(context, name, value, (text, names) =>
				compileExpression(text, names, { item: false, meter }),
			);
		case "cases":
			return compileCases(context, name, value);
		case "event":
			return compileBind(context, [name], value, (text) =>
				compileCarried(text, context.names, { element: EVENT, meter }),
			);
		case "turn":
			return undefined;
	}
}

function compileByName<Value>(
	context: ParameterContext,
	name: string,
	value: Json | undefined,
	compile: (text: string, names: Names) => Compiled<Bind<Value>>,
): Bind<Readonly<Record<string, Value>>> | undefined {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
	const names = hintAtSiblings(context.names, value);
	const binds = Object.entries(value).flatMap(([key, text]) => {
		const bind = compileBind(context, [name, key], text, (text) => compile(text, names));
		return bind === undefined ? [] : [[key, bind] as const];
	});
	return (frame) => Object.fromEntries(binds.map(([key, bind]) => [key, bind(frame)]));
}

/** Values are computed independently, so one cannot read another. */
function hintAtSiblings(names: Names, siblings: { readonly [name: string]: Json }): Names {
	return addHint(names, (name) =>
		Object.hasOwn(siblings, name)
			? "the values cannot read each other: repeat the expression, or compute it in a node before"
			: undefined,
	);
}

function compileCases(
	context: ParameterContext,
	name: string,
	value: Json | undefined,
): Bind<readonly Expression[]> | undefined {
	if (!Array.isArray(value)) return undefined;
	const binds = value.map((one, index) => {
		const when = typeof one === "object" && one !== null && !Array.isArray(one) ? one.when : undefined;
		const path = [name, index, "when"];
		const bind = compileBind(context, path, when, (text) =>
			compileExpression(text, context.names, { item: false, meter: context.report.meter }),
		);
		checkCondition(context, path);
		return bind;
	});
	return binds.every((bind) => bind !== undefined) ? (frame) => binds.map((bind) => bind(frame)) : undefined;
}

function checkCondition({ types, report, spot }: ParameterContext, path: Path): void {
	const type = types.readExpression(path);
	if (mayOverlap(type, BOOLEAN)) return;
	const message = `parameter ${quoteText(path.join("."))} must be true or false, but is ${describeTypes(type)}`;
	report.claim("wrong_type", message, spot(path), "Compare it with something, such as > 0 or == true");
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
		if (compiled.ok) context.types.addExpression(path, compiled.type);
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
