import { didYouMean } from "../../nearest.ts";
import { compileProbe } from "./access.ts";
import type { Builder, Part } from "./builder.ts";
import { FUNCTIONS, type KnownFunction, METHODS } from "./functions.ts";
import { OTHER_FUNCTIONS } from "./hints.ts";
import { compileLoop, LOOPS } from "./loops.ts";
import type { ASTNode } from "./syntax.ts";

type Compile = (node: ASTNode) => Part;

/** `size(x)` and `has(a.b)`. */
export function compileCall(
	node: Extract<ASTNode, { op: "call" }>,
	builder: Builder,
	compile: Compile,
): Part {
	const [name, args] = node.args;
	if (name === "has") return compileHas(node, args, builder, compile);
	return compileFunction(name, node.start, FUNCTIONS, METHODS, args, undefined, node, builder, compile);
}

/** `x.size()` and `list.all(x, x > 1)`. */
export function compileMethod(
	node: Extract<ASTNode, { op: "rcall" }>,
	builder: Builder,
	compile: Compile,
): Part {
	const [name, receiver, args] = node.args;
	const offset = Math.max(builder.text.indexOf(name, receiver.end), receiver.start);
	if (LOOPS.has(name)) return compileLoop({ name, receiver, args, offset, node }, builder, compile);
	return compileFunction(name, offset, METHODS, FUNCTIONS, args, receiver, node, builder, compile);
}

function compileFunction(
	name: string,
	offset: number,
	known: ReadonlyMap<string, KnownFunction>,
	others: ReadonlyMap<string, KnownFunction>,
	args: readonly ASTNode[],
	receiver: ASTNode | undefined,
	node: ASTNode,
	builder: Builder,
	compile: Compile,
): Part {
	const found = known.get(name);
	if (found === undefined) return reportUnknown(name, offset, known, others, builder, receiver !== undefined);
	if (args.length < found.min || args.length > found.max)
		return builder.fail(offset, `${name} takes ${describeCount(found)}`);
	builder.builds = true;
	const parts = (receiver === undefined ? args : [receiver, ...args]).map(compile);
	const runs = parts.map(({ run }) => run);
	const source = builder.source(node);
	return {
		run: (scope) =>
			found.call(
				runs.map((run) => run(scope)),
				scope,
				source,
			),
		constant: parts.every(({ constant }) => constant),
	};
}

function compileHas(node: ASTNode, args: readonly ASTNode[], builder: Builder, compile: Compile): Part {
	const [asked] = args;
	const isPath = asked?.op === "." || asked?.op === "[]" || asked?.op === "id";
	if (asked === undefined || !isPath || args.length > 1)
		return builder.fail(node.start, "has takes one path", "write has(input.name)");
	const probe = compileProbe(asked, builder, compile);
	if (probe === undefined) {
		if (builder.problems.length === 0)
			builder.fail(asked.start, "has takes one path", "write has(input.name)");
		return { run: () => false, constant: false };
	}
	return { run: (scope) => probe(scope) !== undefined, constant: false };
}

function reportUnknown(
	name: string,
	offset: number,
	known: ReadonlyMap<string, KnownFunction>,
	others: ReadonlyMap<string, KnownFunction>,
	builder: Builder,
	isMethod: boolean,
): Part {
	const written = builder.text.slice(offset, offset + name.length);
	if (Object.hasOwn(OTHER_FUNCTIONS, name))
		return builder.fail(offset, `${written}() is not supported`, OTHER_FUNCTIONS[name]);
	if (others.has(name))
		return builder.fail(
			offset,
			`${written} is ${isMethod ? "a function, not a method" : "a method, not a function"}`,
			isMethod ? `write ${name}(value)` : `write value.${name}(...)`,
		);
	const candidates = isMethod ? [...known.keys(), ...LOOPS] : [...known.keys(), "has"];
	const guess = didYouMean(name, candidates);
	return builder.fail(
		offset,
		`there is no function "${written}"`,
		guess ?? `known functions: ${candidates.slice(0, 20).join(", ")}`,
	);
}

function describeCount({ min: least, max: most }: KnownFunction): string {
	if (most === 0) return "no argument";
	const range = least === most ? `${most}` : `${least} to ${most}`;
	return `${range} ${most === 1 ? "argument" : "arguments"}`;
}
