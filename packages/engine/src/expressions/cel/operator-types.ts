import { listMembers, listOf, type Type, unionOf } from "../../types/type.ts";

const COMPARABLE: readonly string[] = ["text", "number", "boolean"];

/** Whether `<` and the like may succeed: both sides must be of the same kind. */
export function isComparable(left: Type, right: Type): boolean {
	return listMembers(left).some((one) =>
		listMembers(right).some((other) => {
			if (one.kind === "any") return other.kind === "any" || COMPARABLE.includes(other.kind);
			if (other.kind === "any") return COMPARABLE.includes(one.kind);
			return one.kind === other.kind && COMPARABLE.includes(one.kind);
		}),
	);
}

/** The type of a sum: numbers, texts and lists can be added to their like. Null if no addition succeeds. */
export function inferAdded(left: Type, right: Type): Type | null {
	const sums = listMembers(left).flatMap((one) =>
		listMembers(right).flatMap((other) => addMembers(one, other) ?? []),
	);
	return sums.length === 0 ? null : unionOf(sums);
}

function addMembers(one: Type, other: Type): Type | undefined {
	// A time can be any value, but only another time can be added to it.
	if (one.kind === "any") return ADDABLE.includes(other.kind) ? toSum(other) : undefined;
	if (other.kind === "any") return ADDABLE.includes(one.kind) ? toSum(one) : undefined;
	if (one.kind === "list" && other.kind === "list") return listOf(unionOf([one.element, other.element]));
	return one.kind === other.kind && (one.kind === "number" || one.kind === "text") ? one : undefined;
}

const ADDABLE: readonly string[] = ["any", "number", "text", "list"];

const toSum = (type: Type): Type => (type.kind === "list" ? listOf({ kind: "any" }) : type);
