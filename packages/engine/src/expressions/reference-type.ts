import type { Names, NameTypes } from "../frame.ts";
import { explainTypeStep, readTypeStep } from "../types/access.ts";
import { ANY, TEXT, type Type, unionOf } from "../types/type.ts";
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
	| { readonly type: Type; readonly claim?: undefined }
	| { readonly claim: TextProblem };

export function inferReference({ source, filters }: Reference, { types }: Names): InferredReference {
	if (types === undefined) return UNKNOWN;
	let read = source.kind === "literal" ? { type: TEXT } : inferPath(source, types);
	if (filters.length === 0) return read;
	const what = source.kind === "literal" ? "the text" : quoteSource(formatPath(source));
	for (const filter of filters) {
		if (filter.name === "default") read = inferDefault(filter, read, types);
		// A filter is skipped while the value is missing, so only a `default` recovers from a claim.
		else if (read.claim === undefined) read = inferFilter(filter, read.type, what);
	}
	return read;
}

function inferDefault({ args }: FilterCall, before: InferredReference, types: NameTypes): InferredReference {
	const value = args[0]?.value;
	const fallback = isPath(value) ? inferPath(value, types) : { type: inferConstant(value) };
	if (fallback.claim !== undefined) return before;
	return before.claim === undefined ? { type: unionOf([before.type, fallback.type]) } : fallback;
}

function inferPath({ steps }: Path, types: NameTypes): InferredReference {
	const [first, second] = steps as [PathStep, PathStep?];
	const isNode = first.key === "nodes";
	let type = isNode ? types.node(String(second?.key)) : types.named(String(first.key));
	let at = isNode ? (second?.path ?? "") : first.path;
	for (let index = isNode ? 2 : 1; index < steps.length; index++) {
		const { key, offset, path } = steps[index] as PathStep;
		const next = readTypeStep(type, key);
		if (next === undefined)
			return { claim: { code: "missing_field", offset, ...explainTypeStep(type, key, at) } };
		type = next;
		at = path;
	}
	return type === ANY ? UNKNOWN : { type };
}

const UNKNOWN: InferredReference = { type: ANY };
