import type { Json } from "@tripline/contract/json";
import type { Evaluate, Frame, NameProblem, Names, Reader } from "../frame.ts";
import type { Meter } from "../meter.ts";
import { TerminalError } from "../terminal-error.ts";
import { ANY, TEXT } from "../types/type.ts";
import { compileCredential, isCredential } from "./credential-reference.ts";
import { compileFilter, type Filter } from "./filters/compile-filter.ts";
import { explainMissing, explainNoValue, hasLength, isRefused, quoteSource, readStep } from "./path.ts";
import { type Compiled, MAX_PROBLEMS, type TextProblem } from "./problem.ts";
import { formatPath, type Path, type PathStep, type Reference } from "./reference-syntax.ts";
import { inferReference } from "./reference-type.ts";
import { addNodeHint } from "./split-name.ts";
import { parseTemplate } from "./template-syntax.ts";
import { checkTextLength, estimateTextBytes, formatText } from "./text-size.ts";

export function hasTemplate(text: string): boolean {
	return text.includes("{{");
}

/** A single reference keeps its value's type; anything else becomes text. The result is never parsed as a template again. */
export function compileText(text: string, names: Names, meter: Meter): Compiled<Evaluate> {
	const parsed = parseTemplate(text, meter);
	const { pieces } = parsed;
	const problems = parsed.problems.map((problem) => addNodeHint(problem, text, names));
	const parts: (string | Evaluate)[] = [];
	let claims = NO_CLAIMS;
	let type = TEXT;
	for (const piece of pieces) {
		if (problems.length >= MAX_PROBLEMS) break;
		parts.push(typeof piece === "string" ? piece : compileReference(piece, names, problems));
		if (typeof piece === "string" || problems.length > 0) continue;
		const inferred = inferReference(piece, names, meter);
		const claim = inferred.claim ?? inferred.doubt;
		if (claim !== undefined) claims = [...claims, claim];
		if (pieces.length === 1) type = inferred.claim === undefined ? inferred.type : ANY;
	}
	if (problems.length > 0) return { ok: false, problems: problems.sort((a, b) => a.offset - b.offset) };
	return { ok: true, value: joinParts(parts), type, claims };
}

const NO_CLAIMS: readonly TextProblem[] = [];

function joinParts(parts: readonly (string | Evaluate)[]): Evaluate {
	const [only = ""] = parts;
	if (parts.length > 1) return createJoin(parts);
	return typeof only === "string" ? () => only : only;
}

function createJoin(parts: readonly (string | Evaluate)[]): Evaluate {
	return (frame) => {
		const { meter } = frame.roots;
		let text = "";
		for (const part of parts) {
			const added = typeof part === "string" ? part : formatText(part(frame), "the template", meter);
			meter.spendOnText(added.length);
			text += added;
			checkTextLength(text, "the template");
		}
		meter.recordBytes(estimateTextBytes(text.length));
		return text;
	};
}

const never: Evaluate = () => null;

function compileReference(reference: Reference, names: Names, problems: TextProblem[]): Evaluate {
	if (isCredential(reference)) return compileCredential(reference, names, problems);
	const before = problems.length;
	const readFallback = (path: Path) => compileFallback(path, names, problems);
	const filters = reference.filters.flatMap((call) => compileFilter(call, problems, readFallback) ?? []);
	if (reference.source.kind === "literal") {
		const { value } = reference.source;
		return problems.length > before
			? never
			: createFiltered(
					() => value,
					() => explainNoValue("text"),
					"the text",
					filters,
				);
	}
	const path = compilePath(reference.source, names, problems);
	if (path === undefined || problems.length > before) return never;
	const written = formatPath(reference.source);
	const missing = (frame: Frame) => `${quoteSource(written)} is missing: ${path.why(frame)}`;
	if (filters.length > 0) return createFiltered(path.read, missing, quoteSource(written), filters);
	const { read } = path;
	return (frame) => {
		const value = read(frame);
		if (value === undefined) throw new TerminalError(missing(frame));
		return value;
	};
}

/** The path of a `default`; undefined if it cannot be read here. */
function compileFallback(path: Path, names: Names, problems: TextProblem[]): Reader | undefined {
	const [root] = path.steps;
	if (root?.key !== "credential") return compilePath(path, names, problems)?.read;
	problems.push({
		code: "credential_not_allowed",
		message: "a credential cannot be the default of another value",
		offset: root.offset,
		hint: "name the credential in the node's setting `credential`",
	});
	return undefined;
}

/** While the value is missing, filters are skipped until a `default` supplies one. */
function createFiltered(
	read: Reader,
	missing: (frame: Frame) => string,
	source: string,
	filters: readonly Filter[],
): Evaluate {
	return (frame) => {
		let value = read(frame);
		let what = source;
		let why: string | undefined;
		for (const filter of filters) {
			if (value === undefined) {
				value = filter.fallback?.read(frame);
				if (value !== undefined) what = filter.fallback?.name ?? what;
			} else {
				value = filter.apply(value, what, frame.roots.meter);
				if (value === undefined) why = `${what} is empty: | ${filter.name} has nothing to return`;
			}
		}
		if (value === undefined) throw new TerminalError(why ?? missing(frame));
		return value;
	};
}

interface CompiledPath {
	readonly read: Reader;
	readonly why: (frame: Frame) => string;
}

function compilePath(path: Path, names: Names, problems: TextProblem[]): CompiledPath | undefined {
	for (const { key, offset } of path.steps)
		if (isRefused(key)) {
			problems.push({ code: "bad_template", message: `${quoteSource(String(key))} cannot be read`, offset });
			return undefined;
		}
	const root = resolveRoot(path.steps, names, problems);
	if (root === undefined) return undefined;
	const { read, rest, at } = root;
	return { read: descend(read, rest), why: explain(read, at, rest) };
}

/** The reader of the first step (the first two for `nodes["my node"]` and `page_last.fetch`) and the rest of the path. */
function resolveRoot(
	steps: readonly PathStep[],
	names: Names,
	problems: TextProblem[],
): { read: Reader; at: string; rest: readonly PathStep[] } | undefined {
	const [first, second] = steps as [PathStep, PathStep?];
	const root = first.key as string;
	const fail = (problem: Omit<TextProblem, "offset"> | NameProblem) => {
		problems.push({ ...problem, offset: first.offset });
		return undefined;
	};
	const find = root === "nodes" ? names.node : names.last?.(root);
	if (find !== undefined) {
		if (typeof second?.key !== "string")
			return fail({
				code: "bad_template",
				message: "the node's name is missing",
				hint: `write {{${root}["my node"]}}`,
			});
		const read = find(second.key);
		return typeof read === "function" ? { read, at: second.path, rest: steps.slice(2) } : fail(read);
	}
	const read = names.named(root);
	return typeof read === "function" ? { read, at: first.path, rest: steps.slice(1) } : fail(read);
}

function descend(read: Reader, rest: readonly PathStep[]): Reader {
	const keys = rest.map(({ key }) => key);
	const [first] = keys;
	if (first === undefined) return read;
	if (keys.length === 1) return (frame) => readStep(read(frame), first);
	return (frame) => {
		let value = read(frame);
		for (const key of keys) {
			value = readStep(value, key);
			if (value === undefined) return undefined;
		}
		return value;
	};
}

/** Walks the path again to find the missing step, so that only failures pay for their message. */
function explain(read: Reader, root: string, rest: readonly PathStep[]): (frame: Frame) => string {
	return (frame) => {
		let value: Json | undefined = read(frame);
		let at = root;
		for (const { key, path } of rest) {
			const next = readStep(value, key);
			if (next === undefined) {
				const tip = key === "length" && hasLength(value) ? `; write {{${at} | length}}` : "";
				return explainMissing(value, key, at) + tip;
			}
			value = next;
			at = path;
		}
		return explainNoValue(at);
	};
}
