import type { Names, NameTypes } from "../frame.ts";
import type { Meter } from "../meter.ts";
import { explainTypeStep, readTypeStep } from "../types/access.ts";
import { ANY, TEXT, type Type, unionType } from "../types/type.ts";
import { inferConstant, inferFilter } from "./filters/filter-types.ts";
import { quoteSource } from "./path.ts";
import type { TextProblem } from "./problem.ts";
import {
	type FilterCall,
	formatPath,
	isPath,
	type Path,
	type PathStep,
	type Reference,
} from "./reference-syntax.ts";

/** The type of a reference, or why reading it always fails. */
export type InferredReference =
	| { readonly type: Type; readonly claim?: undefined; readonly doubt?: TextProblem | undefined }
	| { readonly claim: TextProblem };

export function inferReference(
	{ source, filters }: Reference,
	{ types }: Names,
	meter: Meter,
): InferredReference {
	if (types === undefined) return UNKNOWN;
	let read: InferredReference = source.kind === "literal" ? { type: TEXT } : inferPath(source, types, meter);
	if (filters.length === 0) return read;
	const what = source.kind === "literal" ? "the text" : quoteSource(formatPath(source));
	for (const filter of filters) {
		if (filter.name === "default") read = inferDefault(filter, read, types, meter);
		// A filter is skipped while the value is missing, so only a `default` recovers from a claim.
		else if (read.claim === undefined) {
			const { doubt } = read;
			const filtered = inferFilter(filter, read.type, what, meter);
			read = filtered.claim === undefined ? { ...filtered, doubt } : filtered;
		}
	}
	return read;
}

function inferDefault(
	{ args }: FilterCall,
	before: InferredReference,
	types: NameTypes,
	meter: Meter,
): InferredReference {
	const value = args[0]?.value;
	const fallback = isPath(value) ? inferPath(value, types, meter) : { type: inferConstant(value) };
	if (fallback.claim !== undefined) return before;
	return { type: before.claim === undefined ? unionType([before.type, fallback.type]) : fallback.type };
}

function inferPath({ steps }: Path, types: NameTypes, meter: Meter): InferredReference {
	const [first, second] = steps as [PathStep, PathStep?];
	const isNode = first.key === "nodes";
	const name = String(isNode ? second?.key : first.key);
	let type = isNode ? types.node(name) : types.named(name);
	let at = isNode ? (second?.path ?? "") : first.path;
	for (let index = isNode ? 2 : 1; index < steps.length; index++) {
		const { key, offset, path } = steps[index] as PathStep;
		const next = readTypeStep(type, key, meter);
		if (next === undefined)
			return { claim: { code: "missing_field", offset, ...explainTypeStep(type, key, at, meter) } };
		type = next;
		at = path;
	}
	if (types.mayBeSkipped(name)) return { type, doubt: describeSkipped(name, first.offset) };
	return type === ANY ? UNKNOWN : { type };
}

/** A warning: the node may have run after all. */
export const describeSkipped = (name: string, offset: number): TextProblem => ({
	code: "may_be_skipped",
	message: `${quoteSource(name)} may have been skipped by then, and has no value in that case`,
	offset,
	hint: 'Add a default, such as | default(""), or ask with has(…) in an expression',
	isConditional: true,
});

const UNKNOWN: InferredReference = { type: ANY };
