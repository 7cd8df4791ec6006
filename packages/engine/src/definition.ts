import type { Graph, JsonObject, Options, Trigger } from "@tripline/contract/workflows";
import type { Locate, Path, Spot } from "./diagnostics.ts";

/** A workflow in its normalized form, independent of how it was submitted. */
export interface Definition {
	readonly name?: string;
	readonly description?: string;
	readonly version?: string;
	/** Absent if there are none. */
	readonly tags?: readonly string[];
	readonly trigger?: Trigger;
	/** Canonical: nodes in the order in which the edges name them, every node in an edge. */
	readonly graph: Graph;
	readonly context: JsonObject;
	readonly options: Options;
}

/** Nodes, edges and triplets that could not be read. Names in them are not reported as unknown. */
export class Unread {
	#text = "";
	#count = 0;

	add(text: string): void {
		this.#count++;
		if (this.#text.length <= MAX_UNREAD_LENGTH) this.#text += `${text}\n`;
	}

	get isEmpty(): boolean {
		return this.#count === 0;
	}

	mayName(id: string): boolean {
		return this.#text.length > MAX_UNREAD_LENGTH || this.#text.includes(id);
	}
}

/** In characters. Beyond this every name counts as possibly mentioned, because searching more text is slow. */
const MAX_UNREAD_LENGTH = 4096;

/** Where in the source the parts of a definition come from. */
export interface Positions {
	readonly nodes: ReadonlyMap<string, NodeSpots>;
	/** One for each edge of the graph. */
	readonly edges: readonly EdgeSpots[];
	/** Of the chosen result. */
	readonly result: Path;
	readonly unread: Unread;
	readonly locate: Locate;
}

export interface NodeSpots {
	readonly node: Spot;
	readonly component: Spot;
	readonly credential: Spot;
	setting(name: string): Spot;
	/** The spot of a path into the parameters. */
	params(path: Path): Spot;
}

export interface EdgeSpots {
	readonly from: Spot;
	readonly relation: Spot;
	readonly to: Spot;
}

/** Names with a fixed meaning in templates, so no node may have them. In triplets `input` is the trigger. */
export const RESERVED: ReadonlySet<string> = new Set([
	"input",
	"context",
	"workflow",
	"execution",
	"credential",
	"nodes",
]);

/** The root that came after workflows with a node of this name: such a node keeps it. */
export const REQUEST = "request";
