import type { Json } from "./json.ts";

/** What the store tells of itself, to owners who have a workflow that listens. */
export interface StoreEvent {
	readonly owner_id: string;
	readonly type: "entry.upserted" | "triplet.ingested";
	readonly data: Json;
	/** How many events led to it. */
	readonly depth: number;
	/** What the run descends from that caused it; null: no run did. */
	readonly root: string | null;
}
