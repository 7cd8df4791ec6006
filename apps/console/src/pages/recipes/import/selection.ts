import type { DescribedOperations } from "../../../api/types.ts";

export type Operation = DescribedOperations["operations"][number];

/** What the recipe is made of. */
export interface Selection {
	/** Of the operations. */
	readonly ids: ReadonlySet<string>;
	readonly server: string;
	/** The id of the recipe; "" to let the service choose it. */
	readonly name: string;
}

/** More make a recipe that nobody overlooks, and the service refuses it. */
export const MAX_OPERATIONS = 50;

export function toggle(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
	const next = new Set(ids);
	if (!next.delete(id)) next.add(id);
	return next;
}

/** Adds operations as long as there is room. */
export const addUpToMost = (
	ids: ReadonlySet<string>,
	operations: readonly Operation[],
): ReadonlySet<string> =>
	new Set([...new Set([...ids, ...operations.map(({ id }) => id)])].slice(0, MAX_OPERATIONS));

export const withoutEmpty = <Fields extends Readonly<Record<string, string>>>(
	fields: Fields,
): Partial<Fields> =>
	Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== "")) as Partial<Fields>;
