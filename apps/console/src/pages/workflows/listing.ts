import type { WorkflowItem } from "../../api/types.ts";

export const SORTS = ["name", "last", "next", "changed"] as const;
export type Sort = (typeof SORTS)[number];

/** Workflows whose name, description, trigger or #tags contain every word of the filter. */
export function filterWorkflows(items: readonly WorkflowItem[], filter: string): readonly WorkflowItem[] {
	const words = filter.toLocaleLowerCase().split(/\s+/).filter(Boolean);
	if (words.length === 0) return items;
	return items.filter((item) => {
		const { trigger } = item;
		const text = [
			...[item.name, item.description, trigger?.type, trigger?.event, trigger?.cron],
			...item.tags.map((tag) => `#${tag}`),
		]
			.join("\n")
			.toLocaleLowerCase();
		return words.every((word) => text.includes(word));
	});
}

const collator = new Intl.Collator(undefined, { numeric: true });

/** Sorts by name, latest run or change first, or soonest next run first. Workflows without a value come last. */
export function sortWorkflows(items: readonly WorkflowItem[], by: Sort): readonly WorkflowItem[] {
	const byName = (one: WorkflowItem, other: WorkflowItem) => collator.compare(one.name, other.name);
	if (by === "name") return [...items].sort(byName);
	const getSortKey = KEYS[by];
	const direction = by === "next" ? 1 : -1;
	return [...items].sort((one, other) => {
		const [first, second] = [getSortKey(one), getSortKey(other)];
		if (first === second) return byName(one, other);
		if (first === null) return 1;
		if (second === null) return -1;
		return first < second ? -direction : direction;
	});
}

const KEYS: Readonly<Record<Exclude<Sort, "name">, (item: WorkflowItem) => string | null>> = {
	last: (item) => item.last_execution?.time ?? null,
	next: (item) => item.next_run_at,
	changed: (item) => item.updated_at,
};
