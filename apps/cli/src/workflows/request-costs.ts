import { builtInCatalogue } from "@tripline/components/catalogue";
import type { Json } from "@tripline/contract/json";
import type { GraphNode } from "@tripline/contract/workflows";

/** How many requests a node makes per run: at least, and at most with all its pages, attempts and retries. */
export interface Cost {
	readonly least: number;
	readonly most: number;
}

const NONE: Cost = { least: 0, most: 0 };
const DEFAULT_ATTEMPTS = 3;
const DEFAULT_PAGES = 10;
/** One request to find listeners, and about three more for each listening workflow. */
const EVENT: Cost = { least: 1, most: 4 };

export function costOf(node: GraphNode): Cost {
	const { least, most } = onceOf(node);
	return { least, most: most * (1 + (node.retry?.max ?? 0)) };
}

function onceOf({ component, params }: GraphNode): Cost {
	if (component === "http_request") return { least: 1, most: pagesOf(params.paginate) * attemptsOf(params) };
	if (component === "llm_chat" || component === "embed") return { least: 1, most: attemptsOf(params) };
	if (component === "emit_event") return EVENT;
	if (component === "workflow" || component.startsWith("kb_")) return { least: 1, most: 1 };
	// An operation of a recipe, or an installed component, which may make more calls.
	return isBuiltIn(component) ? NONE : { least: 1, most: DEFAULT_ATTEMPTS };
}

export const isBuiltIn = (component: string): boolean => builtInCatalogue.get(component) !== undefined;

const attemptsOf = ({ attempts }: GraphNode["params"]): number => numberOr(attempts, DEFAULT_ATTEMPTS);

function pagesOf(paginate: Json | undefined): number {
	if (typeof paginate !== "object" || paginate === null || Array.isArray(paginate)) return 1;
	return numberOr(paginate.max_pages, DEFAULT_PAGES);
}

/** The value of a template is not known before the run. */
const numberOr = (value: Json | undefined, fallback: number): number =>
	typeof value === "number" ? value : fallback;
