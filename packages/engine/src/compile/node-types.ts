import type { Json } from "@tripline/contract/json";
import type { Component, TypedNode } from "../component.ts";
import { type Path, quoteText } from "../diagnostics.ts";
import { hasTemplate } from "../expressions/compile-text.ts";
import type { Meter } from "../meter.ts";
import { readTypeStep } from "../types/access.ts";
import { describeTypes } from "../types/describe.ts";
import { toSchemaType } from "../types/from-schema.ts";
import { mayOverlap } from "../types/overlap.ts";
import { ANY, type Type } from "../types/type.ts";
import { getComponentTypes } from "./component-types.ts";
import { inferParameter, joinKey, type ParameterContext } from "./parameter-context.ts";

/** Reports templates whose value never fits the parameter that they are in. */
export function checkTemplateTypes(
	{ node, types, report, spot }: ParameterContext,
	component: Component<unknown>,
	templates: readonly Path[],
): void {
	for (const path of templates) {
		const text = readPath(node.params, path);
		const type = typeof text === "string" ? types.templates.get(text) : undefined;
		if (type === undefined || type.kind === "any") continue;
		const wanted = readTypePath(getComponentTypes(component).params, path, report.meter);
		if (mayOverlap(type, wanted)) continue;
		const name = quoteText(path.join("."));
		const message = `parameter ${name} must be ${describeTypes(wanted)}, but ${quoteText(String(text))} is ${describeTypes(type)}`;
		report.claim("wrong_type", message, spot(path), suggestConversion(type, wanted));
	}
}

/** The type of the node's output, as precise as its parameters allow. */
export function inferOutput(context: ParameterContext, component: Component<unknown>): Type {
	const { output } = getComponentTypes(component);
	return component.inferOutput === undefined ? output : component.inferOutput(describeNode(context, output));
}

function describeNode(context: ParameterContext, output: Type): TypedNode {
	const { node, types, report, workflowOutputs } = context;
	const { params } = node;
	const readExpression = (path: Path) => types.expressions.get(joinKey(path)) ?? ANY;
	const has = (name: string) => Object.hasOwn(params, name);
	return {
		meter: report.meter,
		output,
		has,
		param: (name) => inferParameter(context, name),
		constant: (name) => (has(name) && !holdsTemplate(params[name] as Json) ? params[name] : undefined),
		workflowOutput(name) {
			const schema = workflowOutputs?.get(name);
			return schema === undefined ? ANY : toSchemaType(schema, report.meter);
		},
		expression: (name) => readExpression([name]),
		expressions: (name) =>
			new Map(Object.keys(params[name] ?? {}).map((key) => [key, readExpression([name, key])])),
	};
}

const holdsTemplate = (value: Json): boolean =>
	typeof value === "string"
		? hasTemplate(value)
		: typeof value === "object" && value !== null && Object.values(value).some(holdsTemplate);

function readPath(value: Json, path: Path): Json | undefined {
	let part: Json | undefined = value;
	for (const key of path) part = (part as { readonly [key: string | number]: Json })[key];
	return part;
}

function readTypePath(type: Type, path: Path, meter: Meter): Type {
	let part = type;
	for (const key of path) {
		const next = readTypeStep(part, key, meter);
		if (next === undefined || next.kind === "any") return ANY;
		part = next;
	}
	return part;
}

function suggestConversion(type: Type, wanted: Type): string | undefined {
	if (wanted.kind === "text") return "Convert it with | json, or | join for a list";
	if (type.kind === "text" && (wanted.kind === "list" || wanted.kind === "object"))
		return "Convert JSON text with | parse_json";
	return undefined;
}
