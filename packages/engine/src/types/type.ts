/**
 * What the compiler knows about a value before the run. A type only excludes: whatever it does not exclude is possible,
 * so a check may rely on what a type rules out and on nothing else.
 */
export type Type = { readonly kind: "any" | Scalar } | ListType | ObjectType | UnionType;

type Scalar = "text" | "number" | "boolean" | "null";

interface ListType {
	readonly kind: "list";
	readonly element: Type;
}

export interface ObjectType {
	readonly kind: "object";
	/** Fields that are always or sometimes there. */
	readonly fields: ReadonlyMap<string, Type>;
	/** The type of all other fields; null if there are none. */
	readonly others: Type | null;
}

interface UnionType {
	readonly kind: "union";
	/** At least two; none is `any` or a union. */
	readonly members: readonly Member[];
}

type Member = Exclude<Type, UnionType>;

export const ANY: Type = { kind: "any" };
export const TEXT: Type = { kind: "text" };
export const NUMBER: Type = { kind: "number" };
export const BOOLEAN: Type = { kind: "boolean" };
export const NULL: Type = { kind: "null" };
export const ANY_LIST: Type = { kind: "list", element: ANY };
export const ANY_OBJECT: Type = { kind: "object", fields: new Map(), others: ANY };

export const listType = (element: Type): Type => (element === ANY ? ANY_LIST : { kind: "list", element });

/** An object with these fields and no others. */
export const objectType = (
	fields: Readonly<Record<string, Type>> | ReadonlyMap<string, Type>,
): ObjectType => ({
	kind: "object",
	fields: fields instanceof Map ? fields : new Map(Object.entries(fields)),
	others: null,
});

/** An object type with some fields replaced, or removed if null; any other type is returned as it is. */
export function replaceFields(type: Type, changes: Readonly<Record<string, Type | null>>): Type {
	if (type.kind !== "object") return type;
	const fields = new Map(type.fields);
	for (const [name, field] of Object.entries(changes)) {
		if (field === null) fields.delete(name);
		else fields.set(name, field);
	}
	return { ...type, fields };
}

/** A union with more members says too little to be worth its cost. */
export const MAX_MEMBERS = 16;

export function unionType(types: readonly Type[]): Type {
	const members: Member[] = [];
	for (const type of types) {
		if (type.kind === "any") return ANY;
		for (const member of type.kind === "union" ? type.members : [type]) {
			if (members.some((other) => isSame(other, member))) continue;
			if (members.length === MAX_MEMBERS) return ANY;
			members.push(member);
		}
	}
	const [only] = members;
	if (only === undefined) return ANY;
	return members.length === 1 ? only : { kind: "union", members };
}

export const listMembers = (type: Type): readonly Member[] => (type.kind === "union" ? type.members : [type]);

export const countMembers = (type: Type): number => (type.kind === "union" ? type.members.length : 1);

/** Does not look into lists and objects, which may be large. */
const isSame = (a: Type, b: Type): boolean =>
	a === b || (a.kind === b.kind && a.kind !== "list" && a.kind !== "object");
