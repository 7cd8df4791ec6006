import type { Json } from "@tripline/contract/json";
import type * as z from "zod";
import type { Component } from "../component.ts";
import { quoteText } from "../diagnostics.ts";
import { compileText, hasTemplate } from "../expressions/compile-text.ts";
import type { Evaluate, Frame } from "../frame.ts";
import { getValueAt, type SchemaIssue, toPathPart, toSchemaIssues } from "../issues.ts";
import { parseWithMeter } from "../parse-with-meter.ts";
import type { PlanNode } from "../plan.ts";
import { TerminalError } from "../terminal-error.ts";
import { ANY, type Type } from "../types/type.ts";
import { compileExpressions, compileUntil } from "./expressions.ts";
import { checkTemplateTypes, inferOutput } from "./node-types.ts";
import { holdsTemplate, type ParameterContext, type TemplateContext, unwrapOr } from "./parameter-context.ts";

type Params = { readonly [name: string]: Json };

export interface CompiledParameters
	extends Pick<PlanNode<unknown>, "params" | "resolve" | "expressions" | "until"> {
	/** The type of the node's output. */
	readonly output: () => Type;
}

export function compileParameters(context: ParameterContext): CompiledParameters {
	const { node, component } = context;
	const evaluate = compileObject(node.params, [], context);
	const expressions = component === null ? null : compileExpressions(context, component);
	const until = component === null ? null : compileUntil(context, component);
	const read =
		component === null ? null : parseWithMeter(component.params, node.params, context.report.meter);
	if (component === null || read === null)
		return { params: node.params, resolve: null, expressions, until, output: () => ANY };
	if (!read.success) reportIssues(context, component, read.error.issues, evaluate !== null);
	checkTemplateTypes(context, component);
	const params = read.success ? (read.data as Params) : node.params;
	const resolve =
		evaluate === null
			? null
			: read.success && hasOnlyFreeTemplates(context, component)
				? createFiller(params, evaluate, component)
				: createResolver(component, evaluate);
	let output: Type | undefined;
	return { params, expressions, until, resolve, output: () => (output ??= inferOutput(context, component)) };
}

/** Compiles a value outside of nodes, such as the document's `result`. */
export const compileTemplates = (value: Json, context: TemplateContext): Evaluate =>
	compileValue(value, [], context) ?? (() => value);

const UNITS_PER_VALUE = 8;
/** Smaller lists and objects are not worth counting. */
const MANY_PARTS = 32;
const BYTES_PER_ELEMENT = 8;
const BYTES_PER_ENTRY = 24;

const never: Evaluate = () => null;

/** Null if the value contains no template. `path` is shared and mutated during the walk: copy it to keep it. */
function compileValue(value: Json, path: (string | number)[], context: TemplateContext): Evaluate | null {
	context.report.meter.spend(UNITS_PER_VALUE);
	if (typeof value === "string") {
		if (!hasTemplate(value) || isVerbatim(context.component, path)) return null;
		const compiled = compileText(value, context.names, context.report.meter);
		if (compiled.ok && compiled.type.kind !== "any")
			context.types.templates.push({ path: [...path], text: value, type: compiled.type });
		return unwrapOr(compiled, never, context, path);
	}
	if (typeof value !== "object" || value === null) return null;
	return Array.isArray(value) ? compileList(value, path, context) : compileObject(value, path, context);
}

function compileList(
	list: readonly Json[],
	path: (string | number)[],
	context: TemplateContext,
): Evaluate | null {
	const parts: [number, Evaluate][] = [];
	for (const [index, value] of list.entries()) {
		path.push(index);
		const part = compileValue(value, path, context);
		path.pop();
		if (part !== null) parts.push([index, part]);
	}
	if (parts.length === 0) return null;
	return (frame) => {
		if (list.length > MANY_PARTS) frame.roots.meter.recordBytes(BYTES_PER_ELEMENT * list.length);
		const resolved = [...list];
		for (const [index, evaluate] of parts) resolved[index] = evaluate(frame);
		return resolved;
	};
}

function compileObject(
	object: Params,
	path: (string | number)[],
	context: TemplateContext,
): ((frame: Frame) => Params & Json) | null {
	const parts: [string, Evaluate][] = [];
	for (const [name, value] of Object.entries(object)) {
		if (path.length === 0 && isNoTemplate(context.component, name)) continue;
		path.push(name);
		const part = compileValue(value, path, context);
		path.pop();
		if (part !== null) parts.push([name, part]);
	}
	if (parts.length === 0) return null;
	const names = Object.keys(object).length;
	return (frame) => {
		if (names > MANY_PARTS) frame.roots.meter.recordBytes(BYTES_PER_ENTRY * names);
		const resolved: { [name: string]: Json } = { ...object };
		for (const [name, evaluate] of parts) {
			// The copy already owns every name, so "__proto__" is set like any other property.
			resolved[name] = evaluate(frame);
		}
		return resolved;
	};
}

const isNoTemplate = (component: ParameterContext["component"], name: string): boolean =>
	component !== null &&
	((component.expressions !== undefined && Object.hasOwn(component.expressions, name)) ||
		(component.verbatim?.includes(name) ?? false));

/** Whether a text at this path is left as it is. One that stands for a list or an object with such texts is, too. */
function isVerbatim(component: ParameterContext["component"], path: readonly PropertyKey[]): boolean {
	const nested = component?.verbatim?.filter((name) => name.includes(".")) ?? [];
	if (nested.length === 0) return false;
	const place = path.filter((part) => typeof part === "string").join(".");
	return nested.some((name) => name === place || name.startsWith(`${place}.`));
}

/** Whether no template can change what the schema says about the parameters. */
function hasOnlyFreeTemplates(
	{ node, report }: ParameterContext,
	{ anyInside }: Component<unknown>,
): boolean {
	if (anyInside === undefined) return false;
	return Object.entries(node.params).every(
		([name, value]) =>
			(typeof value === "object" && anyInside.includes(name)) || !holdsTemplate(value, report.meter),
	);
}

/** Resolves parameters that were checked when they were compiled. */
function createFiller(
	checked: Params,
	evaluate: (frame: Frame) => Params,
	{ anyInside = [] }: Component<unknown>,
): (frame: Frame) => Params {
	const names = anyInside.filter((name) => Object.hasOwn(checked, name));
	return (frame) => {
		const resolved = evaluate(frame);
		const filled: { [name: string]: Json } = { ...checked };
		for (const name of names) filled[name] = resolved[name] as Json;
		return filled;
	};
}

/** Resolves parameters and checks them. */
export function createResolver(
	{ params: schema, schemas }: Component<unknown>,
	evaluate: (frame: Frame) => Params,
): (frame: Frame) => Params {
	return (frame) => {
		const params = evaluate(frame);
		// The schemas of built-in components are small and need no meter.
		const read =
			schemas === undefined ? schema.safeParse(params) : parseWithMeter(schema, params, frame.roots.meter);
		if (read.success) return read.data as Params;
		const problems = toSchemaIssues(schema, params, read.error.issues).map(describeIssue);
		throw new TerminalError(problems.slice(0, 3).join("; "));
	};
}

/** A value with a template can be checked only at run time; unknown names can be reported now. */
function reportIssues(
	context: ParameterContext,
	component: Component<unknown>,
	issues: readonly z.core.$ZodIssue[],
	hasTemplates: boolean,
): void {
	const { node, report, spot, advise } = context;
	const isOpen = (path: readonly PropertyKey[]) =>
		hasTemplates &&
		(path.length === 0 ||
			(!isNoTemplate(component, String(path[0])) &&
				!isVerbatim(component, path) &&
				holdsTemplate(getValueAt(node.params, path.map(toPathPart)), report.meter)));
	const certain = issues.filter(({ code, path }) => code === "unrecognized_keys" || !isOpen(path));
	for (const issue of toSchemaIssues(component.params, node.params, certain)) {
		const code = CODES[issue.kind];
		const place = { ...spot(issue.path), key: issue.kind === "unknown" };
		const advice =
			issue.kind === "unknown" && issue.path.length === 1 ? advise(String(issue.path[0])) : undefined;
		report.error(code, describeIssue(issue), place, advice ?? issue.hint);
	}
}

const CODES = { unknown: "unknown_parameter", missing: "missing_parameter", wrong: "wrong_type" } as const;

function describeIssue({ kind, path, message }: SchemaIssue): string {
	const name = quoteText(path.join("."));
	if (path.length === 0) return `the parameters: ${message}`;
	return kind === "unknown" ? `unknown parameter ${name}` : `parameter ${name} ${message}`;
}
