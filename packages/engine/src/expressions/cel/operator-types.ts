import { describeTypes } from "../../types/describe.ts";
import { mayOverlap } from "../../types/overlap.ts";
import {
	ANY,
	ANY_LIST,
	ANY_OBJECT,
	BOOLEAN,
	listMembers,
	listType,
	MAX_MEMBERS,
	NUMBER,
	type Type,
	unionType,
} from "../../types/type.ts";

/** Timestamps and durations have no type of their own: their type is `any`. */
interface InferredOperation {
	readonly type: Type;
	/** Why the operation always fails, if it does. */
	readonly problem?: string | undefined;
}

export const LIST_OR_OBJECT = unionType([ANY_LIST, ANY_OBJECT]);

const VERBS: Readonly<Record<string, string>> = {
	"-": "subtract",
	"*": "multiply",
	"/": "divide",
	"%": "divide",
};

export function inferOperation(operator: string, left: Type, right: Type): InferredOperation {
	const describePair = (verb: string, word: string) =>
		`cannot ${verb} ${describeTypes(left)} ${word} ${describeTypes(right)}`;
	switch (operator) {
		case "==":
		case "!=":
			return { type: BOOLEAN };
		case "<":
		case "<=":
		case ">":
		case ">=":
			return {
				type: BOOLEAN,
				problem: isComparable(left, right) ? undefined : describePair("compare", "with"),
			};
		case "in":
			return {
				type: BOOLEAN,
				problem: mayOverlap(right, LIST_OR_OBJECT)
					? undefined
					: `the right side of "in" must be a list or an object, but it is ${describeTypes(right)}`,
			};
		case "+": {
			const sum = inferSum(left, right);
			return sum === null ? { type: ANY, problem: describePair("add", "and") } : { type: sum };
		}
		default: {
			const isNumeric = mayOverlap(left, NUMBER) && mayOverlap(right, NUMBER);
			// Times can be subtracted.
			const mayBeTime = operator === "-" && (left.kind === "any" || right.kind === "any");
			return {
				type: mayBeTime ? ANY : NUMBER,
				problem: isNumeric ? undefined : describePair(VERBS[operator] ?? "combine", "and"),
			};
		}
	}
}

const COMPARABLE: readonly string[] = ["text", "number", "boolean"];

/** Whether `<` and the like may succeed: both sides must be of the same kind. */
function isComparable(left: Type, right: Type): boolean {
	if (left.kind !== "union" && right.kind !== "union") return areComparable(left.kind, right.kind);
	return listMembers(left).some((one) =>
		listMembers(right).some((other) => areComparable(one.kind, other.kind)),
	);
}

function areComparable(one: string, other: string): boolean {
	if (one === "any") return other === "any" || COMPARABLE.includes(other);
	return (other === "any" || one === other) && COMPARABLE.includes(one);
}

/** Numbers, texts and lists can be added to their like. Null if no addition succeeds. */
function inferSum(left: Type, right: Type): Type | null {
	if (left.kind !== "union" && right.kind !== "union") return addMembers(left, right) ?? null;
	const sums: Type[] = [];
	let lists = 0;
	for (const one of listMembers(left)) {
		for (const other of listMembers(right)) {
			const sum = addMembers(one, other);
			// Each is a type of its own, and the union of so many is any.
			if (sum?.kind === "list" && ++lists > MAX_MEMBERS) return ANY;
			if (sum !== undefined) sums.push(sum);
		}
	}
	return sums.length === 0 ? null : unionType(sums);
}

const ADDABLE: readonly string[] = ["any", "number", "text", "list"];

function addMembers(one: Type, other: Type): Type | undefined {
	if (one.kind === "any" || other.kind === "any") {
		const known = one.kind === "any" ? other : one;
		if (!ADDABLE.includes(known.kind)) return undefined;
		return known.kind === "list" ? ANY_LIST : known;
	}
	if (one.kind === "list" && other.kind === "list") return listType(unionType([one.element, other.element]));
	return one.kind === other.kind && (one.kind === "number" || one.kind === "text") ? one : undefined;
}
