import { type Json, listChildren } from "./json-parts.ts";
import type { Step } from "./template-path.ts";

/** A place at which two values differ. Undefined: there is nothing at this place. */
export interface Change {
	readonly steps: readonly Step[];
	readonly one: Json | undefined;
	readonly other: Json | undefined;
}

/** The first places at which two values differ, in the order of the first value. Lists are compared by index. */
export function compareValues(one: Json, other: Json, max: number): readonly Change[] {
	const changes: Change[] = [];
	visit(one, other, []);
	return changes;

	function visit(before: Json | undefined, after: Json | undefined, steps: readonly Step[]): void {
		if (changes.length >= max) return;
		const [left, right] = [listInside(before), listInside(after)];
		if (left === null || right === null || Array.isArray(before) !== Array.isArray(after)) {
			if (!isSame(before, after)) changes.push({ steps, one: before, other: after });
			return;
		}
		for (const key of new Set([...left.keys(), ...right.keys()]))
			visit(left.get(key), right.get(key), [...steps, Array.isArray(before) ? Number(key) : key]);
	}
}

const listInside = (value: Json | undefined): ReadonlyMap<string, Json> | null => {
	const children = value === undefined ? null : listChildren(value);
	return children === null ? null : new Map(children);
};

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
	one === other ||
	(one !== undefined && other !== undefined && JSON.stringify(one) === JSON.stringify(other));
