import { builtInCatalogue } from "@tripline/components/catalogue";
import type { Json } from "@tripline/contract/json";
import type { GraphNode } from "@tripline/contract/workflows";

/** How many requests a node makes per run: at least, and at most with all its pages, attempts and retries. */
export interface Cost {
	readonly min: number;
	readonly max: number;
}

const NONE: Cost = { min: 0, max: 0 };
const ONE: Cost = { min: 1, max: 1 };
/** A request to find the entry, and one to delete it. */
const DELETION: Cost = { min: 1, max: 2 };
/** A filter may need several pages of the store to fill one. */
const MAX_FILTERED_PAGES = 10;
const DEFAULT_ATTEMPTS = 3;
const DEFAULT_PAGES = 10;
const DEFAULT_STEPS = 10;
/** To find the sheet, its columns and its rows, and to change them; of a large sheet the rows take several. */
const SHEET_ROWS: Cost = { min: 3, max: 4 * DEFAULT_ATTEMPTS };
/** To reserve, write and commit a file; a large one is written in parts, and reserves more as they arrive. */
const NEW_FILE: Cost = { min: 3, max: 32 };
/** To find a file and to read it. */
const READ_FILE: Cost = { min: 2, max: 2 };
/** To mark a file, to delete its bytes and then what is known about it. */
const FILE_DELETION: Cost = { min: 1, max: 3 };
/** One request to find listeners, and about three more for each listening workflow. */
const EVENT: Cost = { min: 1, max: 4 };

export function estimateCost(node: GraphNode): Cost {
	const { min: least, max: most } = estimateOnce(node);
	return { min: least, max: most * (1 + (node.retry?.max ?? 0)) };
}

function estimateOnce({ component, params }: GraphNode): Cost {
	if (component === "http_request") return { min: 1, max: readPages(params.paginate) * readAttempts(params) };
	if (component === "llm_chat" || component === "embed") {
		return { min: 1, max: readAttempts(params) * (1 + toNumber(params.repair, 0)) };
	}
	// Each step of an agent is a request of the model, and its tools make more.
	if (component === "agent")
		return { min: 1, max: toNumber(params.max_steps, DEFAULT_STEPS) * readAttempts(params) };
	if (component === "google_sheets_rows") return SHEET_ROWS;
	if (component === "emit_event") return EVENT;
	if (component === "kb_list" || component === "record_list") return estimateList(params);
	if (component === "kb_delete") return DELETION;
	if (component === "record_save") return params.slots === undefined ? ONE : { min: 2, max: 2 };
	if (component === "make_file") return NEW_FILE;
	if (component === "parse" && params.file !== undefined) return READ_FILE;
	if (component === "file_delete") return FILE_DELETION;
	if (component === "workflow" || /^(?:kb|state|file)_/.test(component)) return ONE;
	// An operation of a recipe, or an installed component, which may make more calls.
	if (isBuiltIn(component)) return NONE;
	return { min: 1, max: (params.paginate === undefined ? 1 : DEFAULT_PAGES) * DEFAULT_ATTEMPTS };
}

const estimateList = ({ metadata, values }: GraphNode["params"]): Cost =>
	metadata === undefined && values === undefined ? ONE : { min: 1, max: MAX_FILTERED_PAGES };

export const isBuiltIn = (component: string): boolean => builtInCatalogue.get(component) !== undefined;

const readAttempts = ({ attempts }: GraphNode["params"]): number => toNumber(attempts, DEFAULT_ATTEMPTS);

function readPages(paginate: Json | undefined): number {
	if (typeof paginate !== "object" || paginate === null || Array.isArray(paginate)) return 1;
	return toNumber(paginate.max_pages, DEFAULT_PAGES);
}

/** The value of a template is not known before the run. */
const toNumber = (value: Json | undefined, fallback: number): number =>
	typeof value === "number" ? value : fallback;
