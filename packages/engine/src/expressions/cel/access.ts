import type { Json } from "@tripline/contract/json";
import type { Names } from "../../frame.ts";
import { TerminalError } from "../../terminal-error.ts";
import {
	explainMissing,
	explainNoValue,
	hasLength,
	isRefused,
	quoteSource,
	readStep,
	type Step,
} from "../path.ts";
import type { Builder, Part } from "./builder.ts";
import type { ASTNode } from "./syntax.ts";
import { createFailure, describeKind, isMap, type Run, type Scope, type Value } from "./values.ts";

type AccessNode = Extract<ASTNode, { op: "." | "[]" }>;
type Compile = (node: ASTNode) => Part;
/** Like `Run`, but returns undefined where a `Run` would fail because of a missing value. */
type Probe = (scope: Scope) => Value | undefined;

export function compileName(node: Extract<ASTNode, { op: "id" }>, builder: Builder): Part {
	const slot = findSlot(node, builder);
	return slot === undefined
		? nothing
		: { run: createRequiredReader(slot, builder.readName(node)), constant: false };
}

/** `a.b`, `a["b"]`, `a[0]` and `a[b]`. */
export function compileAccess(node: AccessNode, builder: Builder, compile: Compile): Part {
	const source = builder.source(node);
	const group = findGroup(node, builder);
	if (group !== undefined) {
		const slot = findNodeSlot(node, group, builder);
		return slot === undefined ? nothing : { run: createRequiredReader(slot, source), constant: false };
	}
	const container = compile(node.args[0]);
	const from = builder.source(node.args[0]);
	const key = compileKey(node, builder, compile);
	if (key === undefined) return nothing;
	const { run } = container;
	if (typeof key === "function")
		return {
			constant: false,
			run: (scope) => {
				const target = run(scope);
				const value = readStep(target as Json, checkKey(target, key(scope), source));
				// The key is data, so the message must not show it.
				if (value === undefined)
					throw new TerminalError(
						`${quoteSource(source)} is missing: ${quoteSource(from)} has no such key or index`,
					);
				return value;
			},
		};
	return { constant: false, run: (scope) => readKey(run(scope), key, from, source) };
}

function readKey(container: Value, key: Step, from: string, source: string): Value {
	const value = readStep(container as Json, key);
	if (value !== undefined) return value;
	const why =
		typeof container === "object" && container !== null && !Array.isArray(container) && !isMap(container)
			? `${quoteSource(from)} is ${describeKind(container)}`
			: explainMissing(container as Json, key, from);
	const tip = key === "length" && hasLength(container as Json) ? `; write size(${from})` : "";
	throw new TerminalError(`${quoteSource(source)} is missing: ${why}${tip}`);
}

/** For `has(...)`: no part of the path is required to exist. */
export function compileProbe(node: ASTNode, builder: Builder, compile: Compile): Probe | undefined {
	if (node.op === "id") return probeSlot(findSlot(node, builder));
	if (node.op !== "." && node.op !== "[]") return undefined;
	const group = findGroup(node, builder);
	if (group !== undefined) return probeSlot(findNodeSlot(node, group, builder));
	const container = compileProbe(node.args[0], builder, compile);
	const key = compileKey(node, builder, compile);
	if (container === undefined || key === undefined) return undefined;
	const source = builder.source(node);
	return (scope) => {
		const target = container(scope);
		if (target === undefined) return undefined;
		return readStep(target as Json, typeof key === "function" ? checkKey(target, key(scope), source) : key);
	};
}

const probeSlot = (slot: number | undefined): Probe | undefined =>
	slot === undefined ? undefined : (scope) => scope.slots[slot];

const nothing: Part = { run: () => null, constant: false };

function createRequiredReader(slot: number, source: string): Run {
	return (scope) => {
		const value = scope.slots[slot];
		if (value === undefined)
			throw new TerminalError(`${quoteSource(source)} is missing: ${explainNoValue(source)}`);
		return value;
	};
}

/** Undefined if a problem was reported. */
function findSlot(node: Extract<ASTNode, { op: "id" }>, builder: Builder): number | undefined {
	const name = builder.readName(node);
	const loop = builder.findLoopSlot(name);
	if (loop !== undefined) return loop;
	if (isRefused(name)) return refuse(name, node.start, builder);
	if (name === "nodes" || builder.names.last?.(name) !== undefined) {
		builder.fail(node.start, "the node's name is missing", `write ${name}["my node"]`);
		return undefined;
	}
	if (name === "credential") {
		builder.fail(
			node.start,
			"a credential cannot be read in an expression",
			"use it in a parameter that goes to an outbound call",
			"credential_not_allowed",
		);
		return undefined;
	}
	return builder.assignSlot(name, () => builder.names.named(name), node.start);
}

/** `nodes` or `page_last`: a name that is followed by a node's. */
interface Group {
	readonly name: string;
	find(id: string): ReturnType<Names["node"]>;
}

function findGroup({ args: [root] }: AccessNode, builder: Builder): Group | undefined {
	if (root.op !== "id") return undefined;
	const name = builder.readName(root);
	if (builder.findLoopSlot(name) !== undefined) return undefined;
	const find = name === "nodes" ? builder.names.node : builder.names.last?.(name);
	return find === undefined ? undefined : { name, find };
}

function findNodeSlot(node: AccessNode, group: Group, builder: Builder): number | undefined {
	const id = node.op === "." ? builder.text.slice(node.pos, node.end) : node.args[1].args;
	if (typeof id !== "string" || (node.op === "[]" && node.args[1].op !== "value")) {
		builder.fail(node.start, "a node's name must be text in quotes", `write ${group.name}["my node"]`);
		return undefined;
	}
	if (isRefused(id)) return refuse(id, node.start, builder);
	return builder.assignSlot(`${group.name} ${id}`, () => group.find(id), node.start);
}

/** A constant key, or one that is computed at run time. Undefined if a problem was reported. */
function compileKey(node: AccessNode, builder: Builder, compile: Compile): Step | Run | undefined {
	if (node.op === ".") {
		const name = builder.text.slice(node.pos, node.end);
		return isRefused(name) ? refuse(name, node.pos, builder) : name;
	}
	const [, inner] = node.args;
	const { run, constant } = compile(inner);
	if (!constant) return run;
	const key = inner.op === "value" ? run({ slots: [], meter: builder.meter }) : undefined;
	if (typeof key === "string") return isRefused(key) ? refuse(key, inner.start, builder) : key;
	if (typeof key === "number" && Number.isInteger(key) && key >= 0) return key;
	return run;
}

function refuse(name: string, offset: number, builder: Builder): undefined {
	builder.fail(offset, `${quoteSource(name)} cannot be read`);
	return undefined;
}

function checkKey(container: Value, key: Value, source: string): Step {
	if (Array.isArray(container)) {
		if (typeof key === "number" && Number.isInteger(key) && key >= 0) return key;
		throw createFailure(source, "a list index must be a whole number from 0");
	}
	if (typeof key !== "string")
		throw createFailure(source, `the key must be text, but it is ${describeKind(key)}`);
	if (isRefused(key)) throw createFailure(source, "cannot be read");
	return key;
}
