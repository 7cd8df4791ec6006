import { explainTypeStep, readTypeStep } from "../../types/access.ts";
import { describeTypes } from "../../types/describe.ts";
import { mayOverlap, readElement } from "../../types/overlap.ts";
import {
	ANY,
	ANY_LIST,
	ANY_OBJECT,
	BOOLEAN,
	listMembers,
	listOf,
	NULL,
	NUMBER,
	objectOf,
	TEXT,
	type Type,
	unionOf,
} from "../../types/type.ts";
import { quoteSource } from "../path.ts";
import type { TextProblem } from "../problem.ts";
import { describeSkipped } from "../reference-type.ts";
import type { Builder } from "./builder.ts";
import { FUNCTION_TYPES, METHOD_TYPES } from "./function-types.ts";
import { LOOPS } from "./loops.ts";
import { inferAdded, isComparable } from "./operator-types.ts";
import type { ASTNode } from "./syntax.ts";

export interface InferredExpression {
	readonly type: Type;
	readonly claims: readonly TextProblem[];
}

/** Infers the type of an expression that compiles, and claims the parts whose evaluation always fails. */
export function inferExpression(node: ASTNode, builder: Builder, item: Type | null): InferredExpression {
	if (builder.names.types === undefined) return { type: ANY, claims: [] };
	const inference = new Inference(builder, item);
	const type = inference.infer(node);
	return { type, claims: inference.listClaims() };
}

/** Timestamps and durations have no type of their own: they count as any value. */
const LIST_OR_OBJECT = unionOf([ANY_LIST, ANY_OBJECT]);

interface Claim {
	readonly problem: TextProblem;
	/** The path as written, for a missing field. */
	readonly path?: string;
}

class Inference {
	readonly #builder: Builder;
	readonly #variables: { readonly name: string; readonly type: Type }[] = [];
	readonly #claims: Claim[] = [];
	/** Paths in `has(…)`: reading them is expected to fail sometimes. */
	readonly #probed: string[] = [];
	#isTypeTested = false;
	#conditions = 0;

	constructor(builder: Builder, item: Type | null) {
		this.#builder = builder;
		if (item !== null) this.#variables.push({ name: "item", type: item }, { name: "index", type: NUMBER });
	}

	listClaims(): TextProblem[] {
		if (this.#isTypeTested) return [];
		return this.#claims
			.filter(({ path }) => path === undefined || !this.#probed.some((probed) => probed.startsWith(path)))
			.map(({ problem }) => problem);
	}

	infer(node: ASTNode): Type {
		this.#builder.meter.spend(UNITS_PER_PART);
		switch (node.op) {
			case "value":
				return inferLiteral(node.args);
			case "id":
				return this.#inferName(this.#readName(node), node.start);
			case ".":
			case "[]":
				return this.#inferAccess(node);
			case "call":
				return this.#inferCall(node);
			case "rcall":
				return this.#inferMethod(node);
			case "list":
				return listOf(node.args.length === 0 ? ANY : unionOf(node.args.map((part) => this.infer(part))));
			case "map":
				return this.#inferMap(node.args);
			case "?:": {
				const [condition, then, otherwise] = node.args;
				this.#expect(condition, BOOLEAN);
				return unionOf([this.#inferConditional(then), this.#inferConditional(otherwise)]);
			}
			case "||":
			case "&&":
				// A side that decides overrides an error in the other.
				this.#conditions++;
				for (const side of node.args) this.#expect(side, BOOLEAN);
				this.#conditions--;
				return BOOLEAN;
			case "!_":
				this.#expect(node.args, BOOLEAN);
				return BOOLEAN;
			case "-_":
				return this.#expect(node.args, NUMBER).kind === "any" ? ANY : NUMBER;
			default:
				return "args" in node ? this.#inferBinary(node) : ANY;
		}
	}

	#inferConditional(node: ASTNode): Type {
		this.#conditions++;
		const type = this.infer(node);
		this.#conditions--;
		return type;
	}

	#readName(node: ASTNode): string {
		return this.#builder.text.slice(node.start, node.end);
	}

	#inferName(name: string, offset: number): Type {
		const variable = this.#variables.findLast((known) => known.name === name);
		if (variable !== undefined) return variable.type;
		this.#doubt(name, name, offset);
		return this.#builder.names.types?.named(name) ?? ANY;
	}

	/** `path` is the node as written. */
	#doubt(name: string, path: string, offset: number): void {
		if (this.#builder.names.types?.mayBeSkipped(name)) this.#claim(describeSkipped(name, offset), path);
	}

	#inferAccess(node: Extract<ASTNode, { op: "." | "[]" }>): Type {
		const builder = this.#builder;
		const key = this.#readKey(node);
		const [inner] = node.args;
		if (inner.op === "id" && this.#readName(inner) === "nodes" && typeof key === "string") {
			this.#doubt(key, builder.source(node), node.start);
			return builder.names.types?.node(key) ?? ANY;
		}
		const container = this.infer(inner);
		if (key === undefined) return readElement(container) ?? ANY;
		const read = readTypeStep(container, key);
		if (read !== undefined) return read;
		const offset = node.op === "." ? (node.pos ?? node.start) : node.args[1].start;
		const why = explainTypeStep(container, key, builder.source(inner));
		this.#claim({ code: "missing_field", offset, ...why }, builder.source(node));
		return ANY;
	}

	/** Undefined if the key is computed. */
	#readKey(node: Extract<ASTNode, { op: "." | "[]" }>): string | number | undefined {
		if (node.op === ".") return this.#builder.text.slice(node.pos, node.end);
		const [, key] = node.args;
		if (key.op === "value" && typeof key.args === "string") return key.args;
		const number = key.op === "value" ? Number(key.args) : Number.NaN;
		if (Number.isInteger(number)) return number;
		this.infer(key);
		return undefined;
	}

	#inferCall(node: Extract<ASTNode, { op: "call" }>): Type {
		const [name, args] = node.args;
		if (name === "has") {
			for (const path of args) this.#probed.push(this.#builder.source(path));
			return BOOLEAN;
		}
		if (name === "type") this.#isTypeTested = true;
		const types = args.map((part) => this.infer(part));
		return name === "dyn" ? (types[0] ?? ANY) : this.#inferFunction(FUNCTION_TYPES.get(name), types[0], node);
	}

	#inferMethod(node: Extract<ASTNode, { op: "rcall" }>): Type {
		const [name, receiver, args] = node.args;
		const type = this.infer(receiver);
		if (LOOPS.has(name)) return this.#inferLoop(name, type, args, node);
		for (const part of args) this.infer(part);
		return this.#inferFunction(METHOD_TYPES.get(name), type, node);
	}

	#inferFunction(
		known: { takes: Type; gives: Type } | undefined,
		given: Type | undefined,
		node: ASTNode,
	): Type {
		if (known === undefined) return ANY;
		if (given !== undefined && !mayOverlap(given, known.takes))
			this.#claimWrong(node, `needs ${describeTypes(known.takes)}, but it is ${describeTypes(given)}`);
		return known.gives;
	}

	#inferLoop(name: string, over: Type, args: readonly ASTNode[], node: ASTNode): Type {
		if (!mayOverlap(over, LIST_OR_OBJECT))
			this.#claimWrong(node, `needs a list or an object, but it is ${describeTypes(over)}`);
		// Over an object a loop reads the keys.
		const mayBeObject = listMembers(over).some(({ kind }) => kind === "object");
		const element = unionOf([...(mayBeObject ? [TEXT] : []), ...[readElement(over) ?? []].flat()]);
		const [variable, ...bodies] = args;
		this.#variables.push({
			name: variable === undefined ? "" : this.#readName(variable),
			type: element,
		});
		const types = bodies.map((body) => this.#inferConditional(body));
		this.#variables.pop();
		if (name === "map") return listOf(types.at(-1) ?? ANY);
		return name === "filter" ? listOf(element) : BOOLEAN;
	}

	#inferMap(entries: readonly (readonly [ASTNode, ASTNode])[]): Type {
		const fields = new Map<string, Type>();
		let isClosed = true;
		for (const [key, value] of entries) {
			const type = this.infer(value);
			if (key.op === "value" && typeof key.args === "string") fields.set(key.args, type);
			else isClosed = false;
		}
		return isClosed ? objectOf(fields) : ANY_OBJECT;
	}

	#inferBinary(node: ASTNode): Type {
		const [left, right] = (node.args as readonly [ASTNode, ASTNode]).map((part) => this.infer(part)) as [
			Type,
			Type,
		];
		switch (node.op) {
			case "==":
			case "!=":
				return BOOLEAN;
			case "<":
			case "<=":
			case ">":
			case ">=":
				if (!isComparable(left, right)) this.#claimPair(node, "compare", left, "with", right);
				return BOOLEAN;
			case "in":
				if (!mayOverlap(right, LIST_OR_OBJECT))
					this.#claimWrong(
						node,
						`the right side of "in" must be a list or an object, but it is ${describeTypes(right)}`,
					);
				else if (typeof (node.args as readonly ASTNode[])[0]?.args === "string") this.#isTypeTested = true;
				return BOOLEAN;
			case "+": {
				const sum = inferAdded(left, right);
				if (sum === null) this.#claimPair(node, "add", left, "and", right);
				return sum ?? ANY;
			}
			default: {
				const isNumeric = mayOverlap(left, NUMBER) && mayOverlap(right, NUMBER);
				if (!isNumeric) this.#claimPair(node, VERBS[node.op] ?? "combine", left, "and", right);
				// Times can be subtracted.
				return node.op === "-" && (left.kind === "any" || right.kind === "any") ? ANY : NUMBER;
			}
		}
	}

	#expect(node: ASTNode, wanted: Type): Type {
		const type = this.infer(node);
		if (!mayOverlap(type, wanted))
			this.#claimWrong(node, `must be ${describeTypes(wanted)}, but it is ${describeTypes(type)}`);
		return type;
	}

	#claimPair(node: ASTNode, verb: string, left: Type, word: string, right: Type): void {
		this.#claimWrong(node, `cannot ${verb} ${describeTypes(left)} ${word} ${describeTypes(right)}`);
	}

	#claimWrong(node: ASTNode, message: string): void {
		const source = quoteSource(this.#builder.source(node));
		this.#claim({ code: "wrong_type", offset: node.start, message: `${source}: ${message}` });
	}

	#claim(problem: TextProblem, path?: string): void {
		if (this.#claims.length >= MAX_CLAIMS) return;
		const isConditional = this.#conditions > 0 && path === undefined;
		this.#claims.push({
			problem: isConditional ? { ...problem, isConditional } : problem,
			...(path !== undefined && { path }),
		});
	}
}

const UNITS_PER_PART = 8;
const MAX_CLAIMS = 20;
const VERBS: Readonly<Record<string, string>> = {
	"-": "subtract",
	"*": "multiply",
	"/": "divide",
	"%": "divide",
};

function inferLiteral(value: unknown): Type {
	if (value === null) return NULL;
	if (typeof value === "string") return TEXT;
	return typeof value === "boolean" ? BOOLEAN : NUMBER;
}
