import { graph } from "./knowledge/graph.ts";
import { ingest } from "./knowledge/ingest.ts";
import { search } from "./knowledge/search.ts";
import { vectors } from "./knowledge/vectors.ts";
import type { Section } from "./report.ts";

export async function knowledgeSuite(onProgress: (what: string) => void): Promise<Section[]> {
	return [
		{ title: "Ingest: through the API / bare inserts", rows: await ingest(onProgress) },
		{ title: "CPU per request: 1,000,000 triplets / 10,000 triplets", rows: await graph(onProgress) },
		{ title: "Search: 100,000 entries / 1,000 entries", rows: await search(onProgress) },
		{ title: "Vectors", rows: await vectors(onProgress) },
	];
}
