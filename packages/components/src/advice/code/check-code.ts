import type { Json } from "@tripline/contract/json";
import type { CheckedNode, CheckProblem } from "@tripline/engine/advice";
import type { Hint } from "@tripline/engine/diagnostics";
import { hasTemplate } from "@tripline/engine/expressions/compile-text";
import { isObject } from "@tripline/engine/fields";
import { MAX_DOCUMENT_UNITS } from "@tripline/engine/meter";
import { didYouMean } from "@tripline/engine/nearest";
import { MAX_CODE_LENGTH } from "../../code.ts";
import { analyzeCode } from "./analyze-code.ts";
import { adviseForeignCode, FENCE_HINT } from "./foreign-code.ts";
import { GLOBAL_HINTS, GLOBALS } from "./globals.ts";
import { CODE_START } from "./parse-code.ts";
import type { References } from "./references.ts";

/** Warnings about one code; more are not read. */
const MAX_WARNINGS = 20;

/** Parses the code as the sandbox will, and finds names that it will not have. */
export function checkCode({ params, meter }: CheckedNode): readonly CheckProblem[] {
	const { code } = params;
	// Half of the document's work is left for everything else.
	if (typeof code !== "string" || code.length > MAX_CODE_LENGTH || meter.left < MAX_DOCUMENT_UNITS / 2)
		return [];
	const analysis = analyzeCode(code, meter);
	if (analysis === null) return [];
	if ("problem" in analysis) {
		const { problem, offset } = analysis;
		const { line, column } = locate(code, offset);
		const message = `the code is not valid JavaScript: ${problem} (line ${line}, column ${column} of the code)`;
		const hint = adviseForeignCode(code, offset) ?? "Check the brackets, quotes and commas before this place";
		return [{ severity: "error", code: "bad_code", message, path: ["code"], offset, hint }];
	}
	const isFenced = code.trimStart().startsWith("```");
	return [
		...(isFenced ? [warn("bad_code", "the code starts with ```", CODE_START, FENCE_HINT)] : []),
		...listUnknown(analysis),
		...listMissingInputs(analysis, params.input),
		...analysis.imports.map((start) =>
			warn("unknown_global", "modules cannot be imported in code", start, GLOBAL_HINTS.require),
		),
		...analysis.badRegexes.map((start) => warn("bad_code", "this regular expression is not valid", start)),
	].slice(0, MAX_WARNINGS);
}

const warn = (code: string, message: string, start: number, hint?: Hint): CheckProblem => ({
	severity: "warning",
	code,
	message,
	path: ["code"],
	offset: Math.max(0, start - CODE_START),
	hint,
});

const DECLARE_HINT = "Declare it, or pass it in the node's `input`";

function listUnknown({ declared, uses, isDynamic }: References): CheckProblem[] {
	const unknown = new Map<string, number>();
	for (const { name, start } of isDynamic ? [] : uses) {
		if (declared.has(name) || GLOBALS.has(name)) continue;
		unknown.set(name, Math.min(start, unknown.get(name) ?? start));
	}
	return [...unknown].slice(0, MAX_WARNINGS).map(([name, start]) => {
		const known = Object.hasOwn(GLOBAL_HINTS, name) ? GLOBAL_HINTS[name] : undefined;
		const guess = () => didYouMean(name, [...declared, ...GLOBALS]) ?? DECLARE_HINT;
		return warn("unknown_global", `"${name}" is not defined in code`, start, known ?? guess);
	});
}

function listMissingInputs({ inputs }: References, passed: Json | undefined): CheckProblem[] {
	const isUnknown =
		typeof passed === "string" ? hasTemplate(passed) : passed !== undefined && !isObject(passed);
	if (isUnknown) return [];
	const names = Object.keys((passed ?? {}) as object);
	const missing = new Map<string, number>();
	for (const { name, start } of inputs) {
		if (names.includes(name) || name in Object.prototype) continue;
		missing.set(name, Math.min(start, missing.get(name) ?? start));
	}
	return [...missing].slice(0, MAX_WARNINGS).map(([name, start]) => {
		const message = `"input.${name}" is not passed in the node's \`input\``;
		const hint = () =>
			didYouMean(name, names) ?? `Pass it: input: { ${name}: "{{input.${name}}}" }, or another reference`;
		return warn("missing_input", message, start, hint);
	});
}

function locate(code: string, offset: number): { readonly line: number; readonly column: number } {
	const lines = code.slice(0, offset).split("\n");
	return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
