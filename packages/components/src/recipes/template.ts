import type { Issue } from "@tripline/contract/failures";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileText, hasTemplate } from "@tripline/engine/expressions/compile-text";
import { isCredential } from "@tripline/engine/expressions/credential-reference";
import { readStep } from "@tripline/engine/expressions/path";
import {
	isPath,
	listPaths,
	type Path,
	type PathStep,
	type Reference,
} from "@tripline/engine/expressions/reference-syntax";
import { parseTemplate } from "@tripline/engine/expressions/template-syntax";
import type { CredentialText, Frame, Names } from "@tripline/engine/frame";
import type { Meter } from "@tripline/engine/meter";
import { didYouMean } from "@tripline/engine/nearest";

/** Returns undefined if a value that it reads is missing; the result is then omitted. */
export type Build = (frame: Frame) => Json | undefined;

/** The values that a recipe's templates may read. */
export interface Scope {
	readonly roots: readonly string[];
	readonly credentials: boolean;
	/** The problem of a path whose root is known. */
	check(steps: readonly PathStep[]): string | undefined;
}

export const createFrame = (values: JsonObject, meter: Meter, credential?: CredentialText): Frame => ({
	roots: { input: values, context: null, workflow: null, execution: null, credential, meter },
	parent: null,
	outputs: [],
});

/** Compiles a value with templates in its texts. Adds findings to `problems`. */
export function compileTemplate(
	value: Json,
	scope: Scope,
	path: string,
	problems: Issue[],
	meter: Meter,
): Build {
	if (typeof value === "string") return compileOneText(value, scope, path, problems, meter);
	if (typeof value !== "object" || value === null) return () => value;
	const entries = Object.entries(value).map(
		([key, inner]) => [key, compileTemplate(inner, scope, `${path}.${key}`, problems, meter)] as const,
	);
	if (entries.length === 0) return () => value;
	const isList = Array.isArray(value);
	return (frame) => {
		const kept: [string, Json][] = [];
		for (const [key, build] of entries) {
			const built = build(frame);
			if (built !== undefined) kept.push([key, built]);
		}
		if (kept.length === 0) return undefined;
		return isList ? kept.map(([, built]) => built) : Object.fromEntries(kept);
	};
}

function compileOneText(text: string, scope: Scope, path: string, problems: Issue[], meter: Meter): Build {
	if (!hasTemplate(text)) return () => text;
	const compiled = compileText(text, createNames(scope), meter);
	if (!compiled.ok) {
		for (const { message, hint } of compiled.problems)
			problems.push({ path, message: hint === undefined ? message : `${message}. ${hint}` });
		return () => undefined;
	}
	/** Of each list one path must be present. */
	const needed: (readonly Path[])[] = [];
	for (const piece of parseTemplate(text, meter).pieces) {
		if (typeof piece === "string") continue;
		const paths = listPaths(piece);
		for (const { steps } of paths) {
			const message = scope.check(steps);
			if (message !== undefined) problems.push({ path, message });
		}
		if (piece.source.kind === "path" && !isCredential(piece) && !hasConstantDefault(piece))
			needed.push(paths);
	}
	return (frame) =>
		needed.every((paths) => paths.some((path) => isPresent(path, frame))) ? compiled.value(frame) : undefined;
}

const hasConstantDefault = ({ filters }: Reference): boolean =>
	filters.some(({ name, args }) => name === "default" && !isPath(args[0]?.value));

function isPresent({ steps }: Path, { roots }: Frame): boolean {
	let value: Json | undefined = roots.input;
	for (const { key } of steps) value = readStep(value, key);
	return value !== undefined;
}

function createNames({ roots, credentials }: Scope): Names {
	const unknown = (name: string) => ({
		code: "unknown_reference" as const,
		message: `"${name}" cannot be read here`,
		hint:
			didYouMean(name, roots) ?? `Known: ${[...roots, ...(credentials ? ["credential"] : [])].join(", ")}`,
	});
	return {
		credentials,
		named: (name) => (roots.includes(name) ? ({ roots }) => readStep(roots.input, name) : unknown(name)),
		node: () => unknown("nodes"),
	};
}
