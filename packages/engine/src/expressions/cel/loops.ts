import { isRefused } from "../path.ts";
import type { Builder, Part } from "./builder.ts";
import { assertBoolean } from "./operators.ts";
import type { ASTNode } from "./syntax.ts";
import { createFailure, describeKind, isMap, type Run, type Scope, type Value } from "./values.ts";
import { deferError, spend } from "./work.ts";

const MAX_LOOPS = 2;

export const LOOPS: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "filter", "map"]);

interface LoopCall {
	readonly name: string;
	readonly receiver: ASTNode;
	readonly args: readonly ASTNode[];
	readonly offset: number;
	readonly node: ASTNode;
}

/** A compiled loop. */
interface Loop {
	readonly over: Run;
	readonly slot: number;
	/** Cost of one iteration. */
	readonly turn: number;
	/** The last argument. `where` is the condition in `map(x, condition, value)`. */
	readonly body: Run;
	readonly where: Run | undefined;
	readonly bodySource: string;
	readonly source: string;
}

/** `list.all(x, ...)` and similar loops; over an object they iterate its keys. */
export function compileLoop(call: LoopCall, builder: Builder, compile: (node: ASTNode) => Part): Part {
	const { name, receiver, args, offset, node } = call;
	const [variable, ...bodies] = args;
	if (bodies.length !== 1 && !(name === "map" && bodies.length === 2))
		return builder.fail(offset, `${name} takes a name and an expression`, `write list.${name}(x, x.ok)`);
	if (variable?.op !== "id") return builder.fail(offset, `the first argument of ${name} must be a name`);
	const variableName = builder.readName(variable);
	if (isRefused(variableName)) return builder.fail(variable.start, `"${variableName}" cannot be a name`);
	if (builder.loops >= MAX_LOOPS)
		return builder.fail(
			offset,
			`loops may be nested at most ${MAX_LOOPS} deep`,
			"compute the inner one in a separate node",
		);
	if (name === "map" || name === "filter") builder.builds = true;
	const over = compile(receiver).run;
	let slot = 0;
	let runs: Run[] = [];
	const turn = builder.compileInLoop(variableName, (place) => {
		slot = place;
		runs = bodies.map((body) => compile(body).run);
	});
	const loop: Loop = {
		over,
		slot,
		turn,
		body: runs.at(-1) as Run,
		where: runs.length === 2 ? runs[0] : undefined,
		bodySource: builder.source(bodies[0] as ASTNode),
		source: builder.source(node),
	};
	return { run: createRun(name, loop), constant: false };
}

function createRun(name: string, loop: Loop): Run {
	switch (name) {
		case "all":
			return (scope) => quantify(loop, scope, false);
		case "exists":
			return (scope) => quantify(loop, scope, true);
		case "exists_one":
			return (scope) => filterElements(loop, scope).length === 1;
		case "filter":
			return (scope) => filterElements(loop, scope);
		default:
			return (scope) => mapElements(loop, scope);
	}
}

/** As in CEL, an element that decides the result overrides an error in another. */
function quantify(loop: Loop, scope: Scope, decides: boolean): boolean {
	let held: unknown;
	for (const element of listElements(loop, scope)) {
		enter(loop, scope, element);
		try {
			if (assertBoolean(loop.body(scope), loop.bodySource) === decides) return decides;
		} catch (error) {
			deferError(error, scope);
			held ??= error;
		}
	}
	if (held !== undefined) throw held;
	return !decides;
}

function filterElements(loop: Loop, scope: Scope): Value[] {
	return listElements(loop, scope).filter((element) => {
		enter(loop, scope, element);
		return assertBoolean(loop.body(scope), loop.bodySource);
	});
}

function mapElements(loop: Loop, scope: Scope): Value[] {
	const result: Value[] = [];
	for (const element of listElements(loop, scope)) {
		enter(loop, scope, element);
		if (loop.where === undefined || assertBoolean(loop.where(scope), loop.bodySource))
			result.push(loop.body(scope));
	}
	return result;
}

function enter(loop: Loop, scope: Scope, element: Value): void {
	spend(scope, loop.turn);
	scope.slots[loop.slot] = element;
}

function listElements(loop: Loop, scope: Scope): readonly Value[] {
	const list = loop.over(scope);
	if (Array.isArray(list)) return list;
	if (isMap(list)) return Object.keys(list);
	throw createFailure(loop.source, `needs a list or an object, but it is ${describeKind(list)}`);
}
