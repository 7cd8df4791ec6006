import assert from "node:assert/strict";
import type { Json } from "@tripline/contract/json";
import { type Expression, TerminalError } from "../../src/component.ts";
import { compileExpression } from "../../src/expressions/compile-expression.ts";
import { compileText } from "../../src/expressions/compile-text.ts";
import type { Compiled, TextProblem } from "../../src/expressions/problem.ts";
import type { Evaluate, Frame, Names } from "../../src/frame.ts";
import { MAX_NODE_UNITS, Meter } from "../../src/meter.ts";

/** `skipped` is a node without an output; every other name is a key of `data`. */
export function namesOf(data: { [name: string]: Json }, credentials = false): Names {
	const named = (name: string) =>
		name === "skipped"
			? () => undefined
			: Object.hasOwn(data, name)
				? () => data[name]
				: ({ code: "unknown_reference", message: `nothing here is called ${name}` } as const);
	return { named, node: named, credentials };
}

/** With the units of one node. */
export const freshMeter = (): Meter => new Meter(MAX_NODE_UNITS);

export const frameWith = (meter: Meter): Frame => ({
	roots: {
		meter,
		input: null,
		context: null,
		workflow: null,
		execution: null,
		credential: (name, field) => `<${name}${field === undefined ? "" : ` ${field}`}>`,
	},
	parent: null,
	outputs: [],
});

type Data = { [name: string]: Json };

export function textValue(text: string, data: Data, credentials = false): Json {
	return compiled(compileText(text, namesOf(data, credentials), freshMeter()))(frameWith(freshMeter()));
}

export function textProblems(text: string, data: Data = {}, credentials = false): readonly TextProblem[] {
	return problemsOf<Evaluate>(compileText(text, namesOf(data, credentials), freshMeter()));
}

export function celValue(text: string, data: Data = {}): Json {
	const meter = freshMeter();
	return compiled(compileExpression(text, namesOf(data), { item: false, meter }))(frameWith(meter))();
}

export function celItem(text: string, item: Json, index = 0, data: Data = {}): Json {
	const meter = freshMeter();
	return compiled(compileExpression(text, namesOf(data), { item: true, meter }))(frameWith(meter))(
		item,
		index,
	);
}

export function celProblems(text: string, data: Data = {}): readonly TextProblem[] {
	return problemsOf<(frame: Frame) => Expression>(
		compileExpression(text, namesOf(data), { item: false, meter: freshMeter() }),
	);
}

export function compiled<T>(result: Compiled<T>): T {
	if (!result.ok) assert.fail(`does not compile: ${JSON.stringify(result.problems)}`);
	return result.value;
}

function problemsOf<T>(result: Compiled<T>): readonly TextProblem[] {
	return result.ok ? [] : result.problems;
}

/** The message of the `TerminalError` that `run` throws. */
export function failureOf(run: () => unknown): string {
	try {
		run();
	} catch (error) {
		assert.ok(error instanceof TerminalError, `throws ${String(error)}, not a TerminalError`);
		return error.message;
	}
	return assert.fail("does not fail");
}
