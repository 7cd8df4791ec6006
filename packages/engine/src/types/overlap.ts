import { listMembers, type Type, unionType } from "./type.ts";

/** Whether some value is of both types. Elements and fields are not compared: an empty list fits every list. */
export function mayOverlap(one: Type, other: Type): boolean {
	if (one.kind === "any" || other.kind === "any") return true;
	if (one.kind !== "union" && other.kind !== "union") return one.kind === other.kind;
	return listMembers(one).some((member) => listMembers(other).some(({ kind }) => kind === member.kind));
}

/** The type of the elements if the value is a list; null if it never is. */
export function readElement(type: Type): Type | null {
	if (type.kind === "any") return type;
	if (type.kind === "list") return type.element;
	const elements = listMembers(type).flatMap((member) => (member.kind === "list" ? [member.element] : []));
	return elements.length === 0 ? null : unionType(elements);
}
