import type { Component, TypedNode } from "../component.ts";
import { type Path, quoteText } from "../diagnostics.ts";
import type { Meter } from "../meter.ts";
import { readTypeStep } from "../types/access.ts";
import { describeTypes } from "../types/describe.ts";
import { toSchemaType } from "../types/from-schema.ts";
import { mayOverlap } from "../types/overlap.ts";
import { ANY, type Type } from "../types/type.ts";
import { getComponentTypes } from "./component-types.ts";
import { holdsTemplate, inferParameter, type ParameterContext } from "./parameter-context.ts";

/** Reports templates whose value never fits the parameter that they are in. */
export function checkTemplateTypes(
	{ types, report, spot }: ParameterContext,
	component: Component<unknown>,
): void {
	for (const { path, text, type } of types.templates) {
		const wanted = readTypePath(getComponentTypes(component).params, path, report.meter);
		if (mayOverlap(type, wanted)) continue;
		const name = quoteText(path.join("."));
		const message = `parameter ${name} must be ${describeTypes(wanted)}, but ${quoteText(text)} is ${describeTypes(type)}`;
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
	const has = (name: string) => Object.hasOwn(params, name);
	return {
		meter: report.meter,
		output,
		has,
		param: (name) => inferParameter(context, name),
		constant: (name) => (has(name) && !holdsTemplate(params[name], report.meter) ? params[name] : undefined),
		workflowOutput(name) {
			const schema = workflowOutputs?.get(name);
			return schema === undefined ? ANY : toSchemaType(schema, report.meter);
		},
		expression: (name) => types.readExpression([name]),
		expressions: (name) =>
			new Map(Object.keys(params[name] ?? {}).map((key) => [key, types.readExpression([name, key])])),
	};
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
