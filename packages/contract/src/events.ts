import type { Json } from "./json.ts";

/** An event that the store emits to owners with a workflow that listens for events. */
export interface StoreEvent {
	readonly owner_id: string;
	readonly type: "entry.upserted" | "triplet.ingested";
	readonly data: Json;
	/** Length of the chain of events that led to it. */
	readonly depth: number;
	/** The root of the run that caused it; null if no run did. */
	readonly root: string | null;
}
