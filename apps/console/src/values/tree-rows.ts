import { isOpenAtFirst, type Json, listChildren } from "./json-parts.ts";
import { buildMatcher } from "./matches.ts";
import type { Step } from "./template-path.ts";

export const MAX_TEXT_LENGTH = 1000;
const MAX_CHILDREN = 100;

/** One visible line of a tree. */
export interface Row {
	readonly id: string;
	readonly kind: "value" | "more";
	readonly steps: readonly Step[];
	/** Null for the whole value. */
	readonly name: string | null;
	readonly value: Json;
	/** From 1. */
	readonly level: number;
	/** Undefined if there is nothing to open. A long text is cut until it is opened. */
	readonly isOpen: boolean | undefined;
	readonly isMatch: boolean;
	/** From 1, among all `size` children of the same value. */
	readonly position: number;
	readonly size: number;
}

export interface TreeState {
	/** What the user has opened and closed, by row. */
	readonly opened: ReadonlyMap<string, boolean>;
	/** How many more children are shown, by row. */
	readonly more: ReadonlyMap<string, number>;
}

export const INITIAL_STATE: TreeState = { opened: new Map(), more: new Map() };

const buildId = (steps: readonly Step[]): string => JSON.stringify(steps);

interface Found {
	/** Values whose key or text matches. */
	readonly matches: ReadonlySet<string>;
	/** Values that contain a match. */
	readonly around: ReadonlySet<string>;
}

/** Finds the keys, texts, numbers and words that contain the query. */
export function findMatches(value: Json, query: string): Found {
	const isMatch = buildMatcher(query);
	const matches = new Set<string>();
	const around = new Set<string>();
	visit(value, null, []);
	return { matches, around };

	function visit(current: Json, name: string | null, steps: readonly Step[]): boolean {
		const children = listChildren(current);
		const isOwn = (name !== null && isMatch(name)) || (children === null && isMatch(renderScalar(current)));
		if (isOwn) matches.add(buildId(steps));
		let hasInside = false;
		for (const [key, child] of children ?? [])
			if (visit(child, Array.isArray(current) ? null : key, [...steps, toStep(current, key)]))
				hasInside = true;
		if (hasInside) around.add(buildId(steps));
		return isOwn || hasInside;
	}
}

/** The visible lines of a value. With matches, only these and what is around and inside them. */
export function listRows(value: Json, { opened, more }: TreeState, found: Found | null): readonly Row[] {
	const rows: Row[] = [];
	addRows({ value, name: null, steps: [], position: 1, size: 1 }, found === null);
	return rows;

	function addRows(of: Pick<Row, "value" | "name" | "steps" | "position" | "size">, isShown: boolean): void {
		const id = buildId(of.steps);
		const isMatch = found?.matches.has(id) ?? false;
		const isAround = found?.around.has(id) ?? false;
		if (!isShown && !isMatch && !isAround) return;
		const level = of.steps.length + 1;
		const children = listChildren(of.value) ?? [];
		const isLong = typeof of.value === "string" && of.value.length > MAX_TEXT_LENGTH;
		const isOpenUntouched = found === null ? isOpenAtFirst(of.value, level - 1) : isAround;
		const isOpen =
			children.length > 0
				? (opened.get(id) ?? isOpenUntouched)
				: isLong
					? (opened.get(id) ?? false)
					: undefined;
		rows.push({ ...of, id, kind: "value", level, isOpen, isMatch });
		if (isOpen !== true || children.length === 0) return;
		const isEveryChildShown = isShown || isMatch;
		const shown = children
			.map(([key, child], index) => ({
				value: child,
				name: key,
				steps: [...of.steps, toStep(of.value, key)],
				position: index + 1,
				size: children.length,
			}))
			.filter(({ steps }) => isEveryChildShown || isFound(buildId(steps)));
		const limit = MAX_CHILDREN + (more.get(id) ?? 0);
		for (const child of shown.slice(0, limit)) addRows(child, isEveryChildShown);
		const left = shown.length - limit;
		if (left <= 0) return;
		const last = { name: null, value: left, position: children.length, size: children.length };
		rows.push({
			...last,
			id: `more ${id}`,
			kind: "more",
			steps: of.steps,
			level: level + 1,
			isOpen: undefined,
			isMatch: false,
		});
	}

	function isFound(id: string): boolean {
		return found !== null && (found.matches.has(id) || found.around.has(id));
	}
}

/** Shows the rest of a long list, some hundred at a time. */
export const showMore = (state: TreeState, steps: readonly Step[]): TreeState => {
	const id = buildId(steps);
	return { ...state, more: new Map(state.more).set(id, (state.more.get(id) ?? 0) + MAX_CHILDREN * 5) };
};

export const setOpen = (state: TreeState, id: string, isOpen: boolean): TreeState => ({
	...state,
	opened: new Map(state.opened).set(id, isOpen),
});

const toStep = (container: Json, key: string): Step => (Array.isArray(container) ? Number(key) : key);

export const renderScalar = (value: Json): string =>
	typeof value === "string" ? value : JSON.stringify(value);
