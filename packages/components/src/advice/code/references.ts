import type { Meter } from "@tripline/engine/meter";
import type { SyntaxNode } from "./parse-code.ts";

interface Use {
	readonly name: string;
	/** Position in the parsed text. */
	readonly start: number;
}

/** The names that a function uses. */
export interface References {
	/** Declared or assigned anywhere in it, in whatever scope. */
	readonly declared: ReadonlySet<string>;
	readonly uses: readonly Use[];
	/** Properties of the parameter `input` that are read. Empty if the name is declared a second time. */
	readonly inputs: readonly Use[];
	/** Positions of `import(…)`. */
	readonly imports: readonly number[];
	/** Positions of regular expressions that the platform refuses. */
	readonly badRegexes: readonly number[];
	/** Whether names may come from elsewhere: `with`. */
	readonly isDynamic: boolean;
}

const UNITS_PER_NODE = 6;
const INPUT = "input";
const MAX_USES = 5_000;

export function findReferences(main: SyntaxNode, meter: Meter): References {
	const walk = new Walk();
	walk.add(main, false);
	for (let next = walk.pop(); next !== undefined; next = walk.pop()) {
		meter.spend(UNITS_PER_NODE);
		walk.visit(next.node, next.isBinding);
	}
	const { declared, uses, inputs, inputBindings, written, imports, badRegexes, isDynamic } = walk;
	const read = inputBindings > 1 ? [] : inputs.filter(({ name }) => !written.has(name));
	return { declared, uses, inputs: read, imports, badRegexes, isDynamic };
}

/** Visits every node once. A node is a binding if it declares or assigns the names in it. */
class Walk {
	readonly declared = new Set<string>();
	readonly uses: Use[] = [];
	readonly inputs: Use[] = [];
	/** Properties of `input` that the code sets. */
	readonly written = new Set<string>();
	readonly imports: number[] = [];
	readonly badRegexes: number[] = [];
	inputBindings = 0;
	isDynamic = false;
	readonly #todo: { readonly node: SyntaxNode; readonly isBinding: boolean }[] = [];

	pop() {
		return this.#todo.pop();
	}

	add(node: unknown, isBinding: boolean): void {
		if (Array.isArray(node)) for (const each of node) this.add(each, isBinding);
		else if (isNode(node)) this.#todo.push({ node, isBinding });
	}

	visit(node: SyntaxNode, isBinding: boolean): void {
		switch (node.type) {
			case "Identifier":
				this.#name(node, isBinding);
				break;
			case "VariableDeclarator":
				this.#destructure(node.id, node.init);
				this.add(node.id, true);
				this.add(node.init, false);
				break;
			case "FunctionDeclaration":
			case "FunctionExpression":
			case "ArrowFunctionExpression":
			case "ClassDeclaration":
			case "ClassExpression":
			case "CatchClause":
				this.add([node.id, node.params, node.param], true);
				this.add([node.superClass, node.body], false);
				break;
			case "AssignmentExpression":
				this.#destructure(node.left, node.right);
				this.add(node.left, node.operator === "=");
				this.add(node.right, false);
				break;
			case "ForInStatement":
			case "ForOfStatement":
				this.add(node.left, true);
				this.add([node.right, node.body], false);
				break;
			case "AssignmentPattern":
				this.add(node.left, isBinding);
				this.add(node.right, false);
				break;
			case "ArrayPattern":
			case "ObjectPattern":
			case "RestElement":
				this.add([node.elements, node.properties, node.argument], isBinding);
				break;
			case "Property":
			case "MethodDefinition":
			case "PropertyDefinition":
				if (node.computed) this.add(node.key, false);
				this.add(node.value, isBinding);
				break;
			case "MemberExpression":
				this.#member(node, isBinding);
				break;
			case "LabeledStatement":
				this.add(node.body, false);
				break;
			case "BreakStatement":
			case "ContinueStatement":
			case "MetaProperty":
				break;
			case "UnaryExpression":
				// `typeof fetch` is how code asks whether a name exists.
				if (node.operator === "typeof" && isNode(node.argument) && node.argument.type === "Identifier")
					this.declared.add(node.argument.name as string);
				this.add(node.argument, false);
				break;
			default:
				if (node.type === "WithStatement") this.isDynamic = true;
				if (node.type === "ImportExpression") this.imports.push(node.start);
				if (node.regex !== undefined && node.value === null) this.badRegexes.push(node.start);
				for (const field of Object.values(node)) if (typeof field === "object") this.add(field, isBinding);
		}
	}

	#name({ name, start }: SyntaxNode, isBinding: boolean): void {
		if (isBinding) {
			this.declared.add(name as string);
			if (name === INPUT) this.inputBindings++;
		} else if (this.uses.length < MAX_USES) this.uses.push({ name: name as string, start });
	}

	#member({ object, property, computed }: SyntaxNode, isBinding: boolean): void {
		if (computed) this.add(property, false);
		this.add(object, false);
		if (!isNode(object) || object.type !== "Identifier" || !isNode(property)) return;
		const name = computed ? property.value : property.name;
		if (typeof name !== "string") return;
		if (object.name === "globalThis") this.declared.add(name);
		if (object.name !== INPUT) return;
		if (isBinding) this.written.add(name);
		else this.inputs.push({ name, start: property.start });
	}

	/** `const { a, b } = input` reads both, unless there is a default. */
	#destructure(pattern: unknown, value: unknown): void {
		if (!isNode(pattern) || pattern.type !== "ObjectPattern") return;
		if (!isNode(value) || value.type !== "Identifier" || value.name !== INPUT) return;
		for (const { type, key, value, computed } of pattern.properties as readonly SyntaxNode[]) {
			if (type !== "Property" || computed || !isNode(key) || !isNode(value)) continue;
			const name = key.name ?? key.value;
			if (value.type !== "AssignmentPattern" && typeof name === "string")
				this.inputs.push({ name, start: key.start });
		}
	}
}

const isNode = (value: unknown): value is SyntaxNode =>
	typeof value === "object" && value !== null && typeof (value as SyntaxNode).type === "string";
