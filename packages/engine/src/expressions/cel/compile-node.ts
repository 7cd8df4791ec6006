import { MAX_DOCUMENT_UNITS, Meter, TooMuchWork } from "../../meter.ts";
import { TerminalError } from "../../terminal-error.ts";
import { isRefused } from "../path.ts";
import { compileAccess, compileName } from "./access.ts";
import type { Builder, Part } from "./builder.ts";
import { compileCall, compileMethod } from "./calls.ts";
import { assertBoolean, createLogical, negate, OPERATORS } from "./operators.ts";
import type { ASTNode } from "./syntax.ts";
import { createFailure, type Run, type Value, type ValueMap } from "./values.ts";

const MAX_DEPTH = 100;

/** Compiles a parsed expression to closures. The builder collects all problems, so that one pass reports them all. */
export function compileNode(node: ASTNode, builder: Builder, depth = 0): Part {
	if (depth > MAX_DEPTH)
		return builder.fail(node.start, "the expression nests too deeply", "split it into two nodes");
	builder.cost++;
	const compile = (inner: ASTNode) => compileNode(inner, builder, depth + 1);
	switch (node.op) {
		case "value":
			return compileLiteral(node.args, node, builder);
		case "id":
			return compileName(node, builder);
		case ".":
		case "[]":
			return compileAccess(node, builder, compile);
		case "call":
			return fold(compileCall(node, builder, compile), node, builder);
		case "rcall":
			return fold(compileMethod(node, builder, compile), node, builder);
		case "list":
			return compileList(node.args.map(compile), builder);
		case "map":
			return compileMap(node.args, builder, compile);
		case "?:":
			return fold(compileChoice(node.args, builder, compile), node, builder);
		case "||":
		case "&&":
			return fold(compileLogical(node.args, node.op === "||", builder, compile), node, builder);
		case "!_": {
			const { run, constant } = compile(node.args);
			const source = builder.source(node.args);
			return fold({ run: (scope) => !assertBoolean(run(scope), source), constant }, node, builder);
		}
		case "-_": {
			const { run, constant } = compile(node.args);
			const source = builder.source(node);
			return fold({ run: (scope) => negate(run(scope), source), constant }, node, builder);
		}
		case ".?":
		case "[?]":
			return builder.fail(node.start, "optional access is not supported", "use has(a.b) ? a.b : c");
		default:
			return fold(compileBinary(node, node.args, builder, compile), node, builder);
	}
}

type Compile = (node: ASTNode) => Part;

function compileLiteral(value: unknown, node: ASTNode, builder: Builder): Part {
	if (value instanceof Uint8Array)
		return builder.fail(node.start, "bytes are not supported", "leave out the b");
	let result: Value;
	if (typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null)
		result = value;
	else {
		result = Number(value);
		if (!Number.isSafeInteger(result))
			return builder.fail(
				node.start,
				"the whole number is too large to be exact",
				"write it with an exponent, such as 1e20",
			);
	}
	return { run: () => result, constant: true };
}

function compileBinary(
	node: ASTNode,
	args: readonly [ASTNode, ASTNode],
	builder: Builder,
	compile: Compile,
): Part {
	const left = compile(args[0]);
	const right = compile(args[1]);
	const operator = OPERATORS[node.op];
	if (operator === undefined) return builder.fail(node.start, `"${node.op}" is not supported`);
	if (node.op === "+" || node.op === "-") builder.builds = true;
	const source = builder.source(node);
	return {
		run: (scope) => operator(left.run(scope), right.run(scope), scope, source),
		constant: left.constant && right.constant,
	};
}

function compileLogical(
	args: readonly [ASTNode, ASTNode],
	decides: boolean,
	builder: Builder,
	compile: Compile,
): Part {
	const left = compile(args[0]);
	const right = compile(args[1]);
	return {
		run: createLogical(left.run, right.run, decides, [builder.source(args[0]), builder.source(args[1])]),
		constant: left.constant && right.constant,
	};
}

function compileChoice(args: readonly [ASTNode, ASTNode, ASTNode], builder: Builder, compile: Compile): Part {
	const [condition, then, otherwise] = args.map(compile) as [Part, Part, Part];
	const source = builder.source(args[0]);
	return {
		run: (scope) => (assertBoolean(condition.run(scope), source) ? then.run(scope) : otherwise.run(scope)),
		constant: condition.constant && then.constant && otherwise.constant,
	};
}

function compileList(parts: readonly Part[], builder: Builder): Part {
	builder.builds = true;
	builder.cost += 2 + parts.length;
	const runs = parts.map(({ run }) => run);
	return {
		run: (scope) => runs.map((run) => run(scope)),
		constant: parts.every(({ constant }) => constant),
	};
}

function compileMap(
	args: readonly (readonly [ASTNode, ASTNode])[],
	builder: Builder,
	compile: Compile,
): Part {
	builder.builds = true;
	builder.cost += 2 + 2 * args.length;
	const entries: { key: Run; value: Run; source: string }[] = [];
	let constant = true;
	for (const [keyNode, valueNode] of args) {
		const key = compile(keyNode);
		const value = compile(valueNode);
		constant &&= key.constant && value.constant;
		const { args: name } = keyNode;
		if (keyNode.op === "value" && (typeof name !== "string" || isRefused(name)))
			return builder.fail(
				keyNode.start,
				`${builder.source(keyNode)} cannot be a key`,
				"a key must be text in quotes",
			);
		entries.push({ key: key.run, value: value.run, source: builder.source(keyNode) });
	}
	return {
		constant,
		run: (scope) => {
			const result: ValueMap = {};
			for (const { key, value, source } of entries) {
				const name = key(scope);
				if (typeof name !== "string") throw createFailure(source, "a key must be text");
				if (isRefused(name)) throw createFailure(source, "cannot be a key");
				result[name] = value(scope);
			}
			return result;
		},
	};
}

/** For folding one constant part, and what must be left of the document's units to fold at all. */
const MAX_FOLD_UNITS = 40_000;
const MIN_UNITS_LEFT = MAX_DOCUMENT_UNITS / 4;

/**
 * Folds a constant part at compile time, so that errors in it are found before a run. A part that takes too long is left
 * to the run, which has its own meter.
 */
function fold(part: Part, node: ASTNode, builder: Builder): Part {
	if (!part.constant || builder.problems.length > 0 || builder.meter.left < MIN_UNITS_LEFT) return part;
	const meter = new Meter(MAX_FOLD_UNITS);
	try {
		const value = part.run({ slots: [], meter });
		// Each run needs its own copy of a list or an object.
		return typeof value === "object" && value !== null ? part : { run: () => value, constant: true };
	} catch (error) {
		if (error instanceof TooMuchWork) return part;
		if (!(error instanceof TerminalError)) throw error;
		return builder.fail(node.start, error.message);
	} finally {
		builder.meter.spend(MAX_FOLD_UNITS - Math.max(0, meter.left));
	}
}
