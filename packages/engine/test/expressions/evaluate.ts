import assert from "node:assert/strict";
import type { Json } from "@tripline/contract/json";
import type { Expression } from "../../src/component.ts";
import { compileExpression } from "../../src/expressions/compile-expression.ts";
import { compileText } from "../../src/expressions/compile-text.ts";
import type { Compiled, TextProblem } from "../../src/expressions/problem.ts";
import type { Evaluate, Frame, Names } from "../../src/frame.ts";
import { MAX_NODE_UNITS, Meter } from "../../src/meter.ts";
import { TerminalError } from "../../src/terminal-error.ts";

/** `skipped` is a node without an output; every other name is a key of `data`. */
export function createNames(data: { [name: string]: Json }, credentials = false): Names {
	const resolveName = (name: string) =>
		name === "skipped"
			? () => undefined
			: Object.hasOwn(data, name)
				? () => data[name]
				: ({ code: "unknown_reference", message: `nothing here is called ${name}` } as const);
	return { named: resolveName, node: resolveName, credentials };
}

/** With the units of one node. */
export const createMeter = (): Meter => new Meter(MAX_NODE_UNITS);

export const createFrame = (meter: Meter): Frame => ({
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

export function evaluateText(text: string, data: Data, credentials = false): Json {
	return assertCompiled(compileText(text, createNames(data, credentials), createMeter()))(
		createFrame(createMeter()),
	);
}

export function findTextProblems(text: string, data: Data = {}, credentials = false): readonly TextProblem[] {
	return listProblems<Evaluate>(compileText(text, createNames(data, credentials), createMeter()));
}

export function evaluateCel(text: string, data: Data = {}): Json {
	const meter = createMeter();
	return assertCompiled(compileExpression(text, createNames(data), { item: false, meter }))(
		createFrame(meter),
	)();
}

export function evaluateCelItem(text: string, item: Json, index = 0, data: Data = {}): Json {
	const meter = createMeter();
	return assertCompiled(compileExpression(text, createNames(data), { item: true, meter }))(
		createFrame(meter),
	)(item, index);
}

export function findCelProblems(text: string, data: Data = {}): readonly TextProblem[] {
	return listProblems<(frame: Frame) => Expression>(
		compileExpression(text, createNames(data), { item: false, meter: createMeter() }),
	);
}

export function assertCompiled<T>(result: Compiled<T>): T {
	if (!result.ok) assert.fail(`does not compile: ${JSON.stringify(result.problems)}`);
	return result.value;
}

function listProblems<T>(result: Compiled<T>): readonly TextProblem[] {
	return result.ok ? [] : result.problems;
}

/** The message of the `TerminalError` that `run` throws. */
export function catchFailure(run: () => unknown): string {
	try {
		run();
	} catch (error) {
		assert.ok(error instanceof TerminalError, `throws ${String(error)}, not a TerminalError`);
		return error.message;
	}
	return assert.fail("does not fail");
}
