import { isDeepStrictEqual } from "node:util";
import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileExpression } from "@tripline/engine/expressions/compile-expression";
import type { Frame, Names, Reader } from "@tripline/engine/frame";
import { compileInputCheck } from "@tripline/engine/input-schema";
import { MAX_NODE_UNITS, Meter } from "@tripline/engine/meter";
import { didYouMean } from "@tripline/engine/nearest";
import { TerminalError } from "@tripline/engine/terminal-error";
import { isObject } from "../data-file.ts";
import { toBrief } from "./brief.ts";

/** One expectation. */
export interface Check {
	readonly kind: "equals" | "contains" | "schema" | "cel";
	/** What is wrong with the output, or null. */
	findProblem(output: Json, input: JsonObject): string | null;
}

/** Reports a problem of the expectation itself. */
type Fail = (message: string, at?: { offset?: number; hint?: string | undefined }) => void;

const MAX_ISSUES = 5;

export const compileEquals = (expected: Json): Check => ({
	kind: "equals",
	findProblem: (output) =>
		isDeepStrictEqual(output, expected) ? null : `expected ${toBrief(expected)}, got ${toBrief(output)}`,
});

export const compileContains = (expected: Json): Check => ({
	kind: "contains",
	findProblem(output) {
		const missing =
			typeof expected !== "string"
				? findMissing(output, expected, "output")
				: hasText(output, expected)
					? null
					: `no text contains ${toBrief(expected)}`;
		return missing === null ? null : `${missing}; got ${toBrief(output)}`;
	},
});

/** Some text of the value contains it. */
function hasText(value: Json, text: string): boolean {
	if (typeof value === "string") return value.includes(text);
	if (typeof value !== "object" || value === null) return false;
	return Object.values(value).some((each) => hasText(each as Json, text));
}

/** What the value lacks: fields may have others beside them, elements of a list may have others around them. */
function findMissing(value: Json, expected: Json, at: string): string | null {
	if (Array.isArray(expected)) {
		if (!Array.isArray(value)) return `${at} is no list`;
		const missing = expected.find((each) => !value.some((one) => findMissing(one, each, at) === null));
		return missing === undefined ? null : `${at} has no element ${toBrief(missing)}`;
	}
	if (!isObject(expected))
		return isDeepStrictEqual(value, expected) ? null : `${at} is not ${toBrief(expected)}`;
	if (!isObject(value)) return `${at} is no object`;
	for (const [name, each] of Object.entries(expected)) {
		if (!Object.hasOwn(value, name)) return `${at} has no ${JSON.stringify(name)}`;
		const missing = findMissing(value[name] as Json, each, `${at}.${name}`);
		if (missing !== null) return missing;
	}
	return null;
}

export function compileSchemaCheck(schema: JsonObject, fail: Fail): Check | null {
	const check = compileInputCheck(schema);
	if (typeof check !== "function") {
		fail(`schema ${check.problem}`);
		return null;
	}
	return {
		kind: "schema",
		findProblem(output) {
			const issues = check(output);
			if (issues.length === 0) return null;
			const shown = issues.slice(0, MAX_ISSUES).map(({ path, message }) => `${path || "output"} ${message}`);
			return `${shown.join("; ")}; got ${toBrief(output)}`;
		},
	};
}

const ROOTS: Readonly<Record<string, Reader>> = {
	input: ({ roots }) => roots.input,
	output: ({ outputs }) => outputs[0],
};

const resolveName = (name: string) => {
	const read = Object.hasOwn(ROOTS, name) ? ROOTS[name] : undefined;
	return (
		read ?? {
			code: "unknown_reference" as const,
			message: `there is no ${JSON.stringify(name)} here`,
			hint: didYouMean(name, Object.keys(ROOTS)) ?? "An expression reads input and output",
		}
	);
};

const NAMES: Names = { named: resolveName, node: resolveName, credentials: false };

/** The language of conditions in workflows, over `input` and `output`. */
export function compileCel(text: string, meter: Meter, fail: Fail): Check | null {
	const compiled = compileExpression(text, NAMES, { item: false, meter });
	if (!compiled.ok) {
		for (const { message, offset, hint } of compiled.problems) fail(message, { offset, hint });
		return null;
	}
	return {
		kind: "cel",
		findProblem(output, input) {
			const result = evaluate(compiled.value, output, input);
			return result === null ? null : `${text.trim()}: ${result}; got ${toBrief(output)}`;
		},
	};
}

/** Why it is not true, or null. */
function evaluate(bind: (frame: Frame) => () => Json, output: Json, input: JsonObject): string | null {
	const meter = new Meter(MAX_NODE_UNITS);
	try {
		const value = bind({
			roots: { input, context: null, workflow: null, execution: null, meter },
			parent: null,
			outputs: [output],
		})();
		return value === true ? null : `is ${toBrief(value)}`;
	} catch (error) {
		if (error instanceof TerminalError) return error.message;
		throw error;
	}
}
