import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import { isObject } from "../schemas.ts";

/** An entry of the knowledge store that a tool has returned, by the number in its mark. */
export interface Source {
	readonly mark: number;
	readonly entry_id: string;
	readonly entry_type: string;
	readonly page_name: string;
	readonly text: string;
}

const MAX_TEXT = 500;

/** Whether the component returns entries. */
export const hasMarks = (component: string): boolean => component === "kb_search" || component === "kb_get";

/** The entries that tools have returned to the model in this run, each with a mark such as `[1]`. */
export class Sources {
	private readonly byId = new Map<string, Source>();

	/** The output of a component with the marks of its entries; as it is if it returns none. */
	mark(component: string, output: Json): Json {
		if (!isObject(output)) return output;
		if (component === "kb_get") return this.markEntry(output, output.content);
		const { suggestions } = output;
		if (component !== "kb_search" || !Array.isArray(suggestions)) return output;
		return {
			suggestions: suggestions.map((found) =>
				isObject(found) ? this.markEntry(found, found.snippet) : found,
			),
		};
	}

	private markEntry(entry: JsonObject, text: Json | undefined): JsonObject {
		const id = String(entry.id);
		const source = this.byId.get(id) ?? {
			mark: this.byId.size + 1,
			entry_id: id,
			entry_type: String(entry.entry_type),
			page_name: String(entry.page_name),
			text: String(text).slice(0, MAX_TEXT).toWellFormed(),
		};
		this.byId.set(id, source);
		return { mark: `[${source.mark}]`, ...entry };
	}

	/** What a text cites, in the order of the marks in it. A mark that no entry has is ignored. */
	listCited(text: string): Source[] {
		const sources = [...this.byId.values()];
		const marks = new Set([...text.matchAll(MARKS)].flatMap(([, list = ""]) => list.split(",").map(Number)));
		return [...marks].flatMap((mark) => sources[mark - 1] ?? []);
	}
}

/** `[1]` or `[1, 2]`. */
const MARKS = /\[(\d{1,5}(?:,\s?\d{1,5}){0,20})\]/g;

/** Marks mean nothing in another run. */
export const removeMarks = (text: string): string => text.replace(MARKS, "");

export const CITING_HINT =
	"Every result has a mark such as [1]. Put the marks of the results that your answer is based on into it, behind what they support.";
