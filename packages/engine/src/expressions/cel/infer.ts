import { explainTypeStep, readTypeStep } from "../../types/access.ts";
import { describeTypes } from "../../types/describe.ts";
import { mayOverlap, readElement } from "../../types/overlap.ts";
import {
	ANY,
	ANY_OBJECT,
	BOOLEAN,
	countMembers,
	listMembers,
	listType,
	NULL,
	NUMBER,
	objectType,
	TEXT,
	type Type,
	unionType,
} from "../../types/type.ts";
import { quoteSource } from "../path.ts";
import type { TextProblem } from "../problem.ts";
import { describeSkipped } from "../reference-type.ts";
import type { Builder } from "./builder.ts";
import { Claims } from "./claims.ts";
import { FUNCTION_TYPES, METHOD_TYPES } from "./function-types.ts";
import { LOOPS } from "./loops.ts";
import { inferOperation, LIST_OR_OBJECT } from "./operator-types.ts";
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
	return { type, claims: inference.claims.list() };
}

class Inference {
	readonly #builder: Builder;
	readonly #variables: { readonly name: string; readonly type: Type }[] = [];
	readonly claims = new Claims();

	constructor(builder: Builder, item: Type | null) {
		this.#builder = builder;
		if (item !== null) this.#variables.push({ name: "item", type: item }, { name: "index", type: NUMBER });
	}

	infer(node: ASTNode): Type {
		this.#builder.meter.spend(UNITS_PER_PART);
		switch (node.op) {
			case "value":
				return inferLiteral(node.args);
			case "id":
				return this.#inferName(this.#builder.readName(node), node.start);
			case ".":
			case "[]":
				return this.#inferAccess(node);
			case "call":
				return this.#inferCall(node);
			case "rcall":
				return this.#inferMethod(node);
			case "list":
				return listType(node.args.length === 0 ? ANY : unionType(node.args.map((part) => this.infer(part))));
			case "map":
				return this.#inferMap(node.args);
			case "?:": {
				const [condition, then, otherwise] = node.args;
				this.#expect(condition, BOOLEAN);
				return this.#unite(this.#inferConditional(then), this.#inferConditional(otherwise));
			}
			case "||":
			case "&&":
				// A side that decides overrides an error in the other.
				this.claims.enterCondition();
				for (const side of node.args) this.#expect(side, BOOLEAN);
				this.claims.leaveCondition();
				return BOOLEAN;
			case "!_":
				this.#expect(node.args, BOOLEAN);
				return BOOLEAN;
			case "-_":
				return this.#expect(node.args, NUMBER).kind === "any" ? ANY : NUMBER;
			default:
				return this.#inferOperation(node.op, node.args as readonly [ASTNode, ASTNode], node);
		}
	}

	#unite(one: Type, other: Type): Type {
		this.#builder.meter.spend(countMembers(one) * countMembers(other));
		return unionType([one, other]);
	}

	#inferConditional(node: ASTNode): Type {
		this.claims.enterCondition();
		const type = this.infer(node);
		this.claims.leaveCondition();
		return type;
	}

	#inferName(name: string, offset: number): Type {
		const variable = this.#variables.findLast((known) => known.name === name);
		if (variable !== undefined) return variable.type;
		this.#doubt(name, name, offset);
		return this.#builder.names.types?.named(name) ?? ANY;
	}

	/** `path` is the node as written. */
	#doubt(name: string, path: string, offset: number): void {
		if (this.#builder.names.types?.mayBeSkipped(name)) this.claims.add(describeSkipped(name, offset), path);
	}

	#inferAccess(node: Extract<ASTNode, { op: "." | "[]" }>): Type {
		const builder = this.#builder;
		const key = this.#readKey(node);
		const [inner] = node.args;
		if (inner.op === "id" && this.#builder.readName(inner) === "nodes" && typeof key === "string") {
			this.#doubt(key, builder.source(node), node.start);
			return builder.names.types?.node(key) ?? ANY;
		}
		const container = this.infer(inner);
		if (key === undefined) return readElement(container) ?? ANY;
		const read = readTypeStep(container, key, builder.meter);
		if (read !== undefined) return read;
		const offset = node.op === "." ? (node.pos ?? node.start) : node.args[1].start;
		const why = explainTypeStep(container, key, builder.source(inner), builder.meter);
		this.claims.add({ code: "missing_field", offset, ...why }, builder.source(node));
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
			for (const path of args) this.claims.recordProbe(this.#builder.source(path));
			return BOOLEAN;
		}
		if (name === "type") this.claims.recordTypeTest();
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
		const element = unionType([...(mayBeObject ? [TEXT] : []), ...[readElement(over) ?? []].flat()]);
		const [variable, ...bodies] = args;
		this.#variables.push({
			name: variable === undefined ? "" : this.#builder.readName(variable),
			type: element,
		});
		const types = bodies.map((body) => this.#inferConditional(body));
		this.#variables.pop();
		if (name === "map") return listType(types.at(-1) ?? ANY);
		return name === "filter" ? listType(element) : BOOLEAN;
	}

	#inferMap(entries: readonly (readonly [ASTNode, ASTNode])[]): Type {
		const fields = new Map<string, Type>();
		let isClosed = true;
		for (const [key, value] of entries) {
			const type = this.infer(value);
			if (key.op === "value" && typeof key.args === "string") fields.set(key.args, type);
			else isClosed = false;
		}
		return isClosed ? objectType(fields) : ANY_OBJECT;
	}

	#inferOperation(operator: string, sides: readonly [ASTNode, ASTNode], node: ASTNode): Type {
		const [left, right] = sides;
		if (operator === "in" && typeof left.args === "string") this.claims.recordTypeTest();
		const [one, other] = [this.infer(left), this.infer(right)];
		this.#builder.meter.spend(UNITS_PER_PAIR * countMembers(one) * countMembers(other));
		const { type, problem } = inferOperation(operator, one, other);
		if (problem !== undefined) this.#claimWrong(node, problem);
		return type;
	}

	#expect(node: ASTNode, wanted: Type): Type {
		const type = this.infer(node);
		if (!mayOverlap(type, wanted))
			this.#claimWrong(node, `must be ${describeTypes(wanted)}, but it is ${describeTypes(type)}`);
		return type;
	}

	#claimWrong(node: ASTNode, message: string): void {
		const source = quoteSource(this.#builder.source(node));
		this.claims.add({ code: "wrong_type", offset: node.start, message: `${source}: ${message}` }, null);
	}
}

const UNITS_PER_PART = 30;
const UNITS_PER_PAIR = 32;

function inferLiteral(value: unknown): Type {
	if (value === null) return NULL;
	if (typeof value === "string") return TEXT;
	return typeof value === "boolean" ? BOOLEAN : NUMBER;
}
