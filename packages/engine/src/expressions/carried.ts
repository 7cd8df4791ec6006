import type { Json } from "@tripline/contract/json";
import type { CarriedExpression, Expression } from "../component.ts";
import type { Frame, Names, Reader } from "../frame.ts";
import type { Meter } from "../meter.ts";
import type { Type } from "../types/type.ts";
import { type ASTNode, parseExpression } from "./cel/syntax.ts";
import { compileExpression } from "./compile-expression.ts";
import { readStep, type Step } from "./path.ts";
import type { Compiled } from "./problem.ts";

/** Compiles an expression that is evaluated for elements, as `item`, where the run is not. */
export function compileCarried(
	text: string,
	names: Names,
	options: { readonly element: Type; readonly meter: Meter },
): Compiled<(frame: Frame) => CarriedExpression> {
	const readers = new Map<string, Reader>();
	const compiled = compileExpression(text, recordReaders(names, readers), { ...options, item: true });
	if (!compiled.ok) return compiled;
	const paths = listPaths(text, readers, options.meter);
	const value = (frame: Frame): CarriedExpression => {
		const values: [string, Json][] = [];
		for (const [name, read] of readers) {
			const picked = pick(read(frame), paths.get(name) ?? [], frame.roots.meter);
			if (picked !== undefined) values.push([name, picked]);
		}
		return { text, values: Object.fromEntries(values) };
	};
	return { ...compiled, value };
}

const MAX_COMPILED = 100;

/** Evaluates carried expressions. Those with the same text are compiled once. */
export class CarriedExpressions {
	readonly #compiled = new Map<string, Compiled<(frame: Frame) => Expression>>();

	/** Throws if the evaluation fails. */
	evaluate({ text, values }: CarriedExpression, item: Json, meter: Meter): Json {
		const key = JSON.stringify([text, ...Object.keys(values)]);
		let compiled = this.#compiled.get(key);
		if (compiled === undefined) {
			compiled = compileExpression(text, createNames(values), { item: true, meter });
			if (this.#compiled.size === MAX_COMPILED) this.#compiled.clear();
			this.#compiled.set(key, compiled);
		}
		if (!compiled.ok) throw new Error(compiled.problems[0]?.message);
		const roots = { input: values, context: null, workflow: null, execution: null, meter };
		return compiled.value({ roots, parent: null, outputs: [] })(item, 0);
	}
}

/** Of `nodes["my node"]`, or of `page_last["my node"]`. */
const buildName = (group: string, id: string): string => `${group} ${id}`;

/** The same names. Whatever reads one of them is added to `readers`. */
function recordReaders(names: Names, readers: Map<string, Reader>): Names {
	const record = (name: string, found: ReturnType<Names["named"]>) => {
		if (typeof found === "function") readers.set(name, found);
		return found;
	};
	return {
		...names,
		named: (name) => record(name, names.named(name)),
		node: (id) => record(buildName("nodes", id), names.node(id)),
		last(name) {
			const find = names.last?.(name);
			return find && ((id) => record(buildName(name, id), find(id)));
		},
	};
}

/** The names that the carried values have. They are the only root. */
function createNames(values: CarriedExpression["values"]): Names {
	const known = Object.keys(values);
	const read =
		(name: string): Reader =>
		({ roots }) =>
			readStep(roots.input, name);
	return {
		named: read,
		node: (id) => read(buildName("nodes", id)),
		last: (name) =>
			known.some((one) => one.startsWith(buildName(name, "")))
				? (id) => read(buildName(name, id))
				: undefined,
		credentials: false,
	};
}

type Path = readonly Step[];

/** What an expression reads below each name. */
function listPaths(text: string, names: ReadonlyMap<string, unknown>, meter: Meter): Map<string, Path[]> {
	const paths = new Map<string, Path[]>();
	visit(parseExpression(text));
	return paths;

	function visit(part: unknown): void {
		meter.spend(1);
		if (Array.isArray(part)) for (const inner of part) visit(inner);
		if (typeof part !== "object" || part === null || !("op" in part)) return;
		const node = part as ASTNode;
		if (node.op === "value") return;
		const path = readPath(node, text);
		if (path === null) visit(node.args);
		else add(path);
	}

	function add([root, ...path]: readonly [string, ...Step[]]): void {
		const [id, ...below] = path;
		const isGroup = typeof id === "string" && names.has(buildName(root, id));
		const name = isGroup ? buildName(root, id) : root;
		const known = paths.get(name);
		const found = isGroup ? below : path;
		if (known === undefined) paths.set(name, [found]);
		else known.push(found);
	}
}

/** A name and the constant keys that follow it; null for anything else. */
function readPath(node: ASTNode, text: string): [string, ...Step[]] | null {
	if (node.op === "id") return [text.slice(node.start, node.end)];
	if (node.op !== "." && node.op !== "[]") return null;
	const [inner, key] = node.args;
	const path = readPath(inner, text);
	if (path === null) return null;
	if (node.op === ".") return [...path, text.slice(node.pos, node.end)];
	const constant = typeof key === "object" && key.op === "value" ? key.args : undefined;
	return typeof constant === "string" || typeof constant === "number" ? [...path, constant] : null;
}

/** The value with only those parts of its objects to which the paths lead. */
function pick(value: Json | undefined, paths: readonly Path[], meter: Meter): Json | undefined {
	meter.spend(1 + paths.length);
	if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
	const below = new Map<string, Path[]>();
	for (const [key, ...rest] of paths) {
		if (key === undefined) return value;
		const known = below.get(String(key));
		if (known === undefined) below.set(String(key), [rest]);
		else known.push(rest);
	}
	const picked: [string, Json][] = [];
	for (const [key, inner] of below) {
		const part = pick(readStep(value, key), inner, meter);
		if (part !== undefined) picked.push([key, part]);
	}
	return Object.fromEntries(picked);
}
