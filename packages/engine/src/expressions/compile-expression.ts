import type { Json } from "@tripline/contract/json";
import type { Aggregate, Expression } from "../component.ts";
import type { Frame, Names } from "../frame.ts";
import type { Meter } from "../meter.ts";
import { didYouMean } from "../nearest.ts";
import { ANY, listType, NULL, NUMBER, type Type, unionType } from "../types/type.ts";
import { Builder, INDEX_SLOT, ITEM_SLOT } from "./cel/builder.ts";
import { compileNode } from "./cel/compile-node.ts";
import { inferExpression } from "./cel/infer.ts";
import { type ASTNode, parseExpression } from "./cel/syntax.ts";
import { type Scope, toJson, type Value } from "./cel/values.ts";
import { hintAtElement } from "./name-hints.ts";
import type { Compiled, TextProblem } from "./problem.ts";
import { addNodeHint } from "./split-name.ts";

type Bind<T> = (frame: Frame) => T;

/** For parsing and compiling, in addition to the fixed cost. */
const UNITS_PER_CHARACTER = 10;
const UNITS_PER_EXPRESSION = 300;

interface ExpressionOptions {
	/** Whether it is evaluated for each element. */
	readonly item: boolean;
	/** The type of the elements, if it is known. */
	readonly element?: Type;
	readonly meter: Meter;
}

/** Compiles a CEL expression over the template roots, with `item` and `index` if it is evaluated for each element. */
export function compileExpression(
	text: string,
	names: Names,
	options: ExpressionOptions,
): Compiled<Bind<Expression>> {
	options.meter.spend(UNITS_PER_EXPRESSION + text.length * UNITS_PER_CHARACTER);
	const parsed = parseExpression(text);
	return "code" in parsed
		? toFailure(addNodeHint(parsed, text, names))
		: compileParsed(parsed, text, names, options);
}

const AGGREGATES: readonly string[] = ["sum", "avg", "min", "max", "count", "first", "last", "list"];

const KNOWN_AGGREGATES = `write one of ${AGGREGATES.join(", ")}, as in sum(item.price) or count()`;

/** `sum(item.price)`, or `count()`. */
export function compileAggregate(
	text: string,
	names: Names,
	meter: Meter,
	element: Type = ANY,
): Compiled<Bind<Aggregate>> {
	meter.spend(UNITS_PER_EXPRESSION + text.length * UNITS_PER_CHARACTER);
	const parsed = parseExpression(text);
	if ("code" in parsed) return toFailure(addNodeHint(parsed, text, names));
	if (parsed.op !== "call")
		return toFailure({
			code: "bad_expression",
			message: "this is not an aggregate",
			offset: 0,
			hint: KNOWN_AGGREGATES,
		});
	const [name, args] = parsed.args;
	const problem = findAggregateProblem(name, args.length);
	if (problem !== undefined)
		return toFailure({ code: "bad_expression", offset: parsed.start, hint: KNOWN_AGGREGATES, ...problem });
	const [argument] = args;
	if (argument === undefined)
		return { ok: true, value: () => ({ function: name, each: () => null }), type: NUMBER, claims: [] };
	const each = compileParsed(argument, text, names, { item: true, element, meter });
	if (!each.ok) return each;
	const bind = each.value;
	const type = inferAggregate(name, each.type);
	return { ok: true, value: (frame) => ({ function: name, each: bind(frame) }), type, claims: each.claims };
}

function findAggregateProblem(name: string, count: number): { message: string; hint?: string } | undefined {
	if (!AGGREGATES.includes(name)) {
		const guess = didYouMean(name, AGGREGATES);
		const message = `there is no aggregate "${name}"`;
		return guess === undefined ? { message } : { message, hint: guess };
	}
	if (name === "count")
		return count === 0
			? undefined
			: { message: "count takes no argument", hint: "filter the list before counting it" };
	return count === 1 ? undefined : { message: `${name} takes 1 argument`, hint: `write ${name}(item.price)` };
}

function compileParsed(
	node: ASTNode,
	text: string,
	names: Names,
	options: ExpressionOptions,
): Compiled<Bind<Expression>> {
	const builder = new Builder(text, options.item ? hintAtElement(names) : names, options);
	const { run } = compileNode(node, builder);
	if (builder.problems.length > 0) return { ok: false, problems: builder.problems };
	const { readers, slotCount, cost, builds } = builder;
	const source = builder.source(node);
	const { type, claims } = inferExpression(node, builder, options.item ? (options.element ?? ANY) : null);
	return {
		ok: true,
		type,
		claims,
		value: (frame) => {
			const { meter } = frame.roots;
			const scope: Scope = { slots: new Array<Value | undefined>(slotCount).fill(undefined), meter };
			for (const { slot, read } of readers) scope.slots[slot] = read(frame);
			return (item, index) => {
				meter.spend(cost);
				scope.slots[ITEM_SLOT] = item;
				scope.slots[INDEX_SLOT] = index;
				const result = run(scope);
				// A value that was only read is already JSON.
				return builds ? toJson(result, source, meter) : (result as Json);
			};
		},
	};
}

/** For an empty list `avg`, `min`, `max`, `first` and `last` are null. */
function inferAggregate(name: string, each: Type): Type {
	if (name === "sum") return NUMBER;
	if (name === "avg") return unionType([NUMBER, NULL]);
	return name === "list" ? listType(each) : unionType([each, NULL]);
}

function toFailure(problem: TextProblem): { ok: false; problems: readonly TextProblem[] } {
	return { ok: false, problems: [problem] };
}
