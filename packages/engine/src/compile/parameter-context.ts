import type { Json } from "@tripline/contract/json";
import type { GraphNode, JsonObject } from "@tripline/contract/workflows";
import type { Component } from "../component.ts";
import type { Path, Report, Spot } from "../diagnostics.ts";
import { hasTemplate } from "../expressions/compile-text.ts";
import type { Compiled } from "../expressions/problem.ts";
import type { Names } from "../frame.ts";
import type { Meter } from "../meter.ts";
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
	readonly types: ParameterTypes;
}

/** A template whose type is known. */
interface TypedTemplate {
	readonly path: Path;
	readonly text: string;
	readonly type: Type;
}

/** The types of what was compiled so far. Most nodes know few of them or are not asked, so maps are made on demand. */
export class ParameterTypes {
	readonly templates: TypedTemplate[] = [];
	#byText: Map<string, Type> | undefined;
	#expressions: Map<string, Type> | undefined;

	/** Of a template by its text, once all are compiled. */
	readTemplate(text: string): Type {
		this.#byText ??= new Map(this.templates.map((template) => [template.text, template.type]));
		return this.#byText.get(text) ?? ANY;
	}

	addExpression(path: Path, type: Type): void {
		this.#expressions ??= new Map();
		this.#expressions.set(joinKey(path), type);
	}

	readExpression(path: Path): Type {
		return this.#expressions?.get(joinKey(path)) ?? ANY;
	}
}

const joinKey = (path: Path): string => (path.length === 1 ? String(path[0]) : path.join("\n"));

export function holdsTemplate(value: unknown, meter: Meter): boolean {
	meter.spend(1);
	if (typeof value === "string") return hasTemplate(value);
	if (typeof value !== "object" || value === null) return false;
	return Object.values(value).some((part) => holdsTemplate(part, meter));
}

/** The type of a parameter whose templates are compiled; any if it is absent. */
export function inferParameter({ node, types, report }: ParameterContext, name: string): Type {
	if (!Object.hasOwn(node.params, name)) return ANY;
	const readText = (text: string) => (hasTemplate(text) ? types.readTemplate(text) : TEXT);
	return toValueType(node.params[name] as Json, report.meter, readText);
}

/** What a node's parameters are compiled with. */
export interface ParameterContext extends TemplateContext {
	readonly node: GraphNode;
	/** A hint for a parameter that the component does not have. */
	advise(name: string): string | undefined;
	readonly workflowOutputs: ReadonlyMap<string, JsonObject> | undefined;
	/** What the expression of a repeat node can read after a turn. */
	readonly turnNames: Names;
}

/** The compiled value; on failure, reports each problem at its offset in the text and returns `otherwise`. `path` is copied. */
export function unwrapOr<Value>(
	compiled: Compiled<Value>,
	otherwise: Value,
	{ report, spot }: TemplateContext,
	path: Path,
): Value {
	if (compiled.ok) {
		for (const { code, message, offset, hint, isConditional } of compiled.claims) {
			const place = { ...spot([...path]), offset };
			if (isConditional) report.warning(code, message, place, hint);
			else report.claim(code, message, place, hint);
		}
		return compiled.value;
	}
	for (const { code, message, offset, hint } of compiled.problems) {
		report.error(code, message, { ...spot([...path]), offset }, hint);
	}
	return otherwise;
}
