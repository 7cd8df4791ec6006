import { TripletCandidate } from "@tripline/contract/triplets";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { renderFact } from "./facts.ts";
import { next } from "./fields.ts";

const { subject, predicate, object, source, gloss, confidence } = TripletCandidate.shape;
const { uri, hash, anchor, block_id } = source.shape;
const glosses = gloss.unwrap().shape;

export const ingestTriplet = defineTool({
	name: "ingest_triplet",
	title: "Store a fact",
	description:
		"Stores one fact (subject, predicate, object) with its source. Repeating a fact from the same source version changes nothing; a new version (another hash) replaces what that source said about this subject and predicate before. Read facts with explore_graph and trace_sources.",
	hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
	input: z.strictObject({
		subject: subject.meta({ description: "What the fact is about, such as Ada Lovelace" }),
		predicate: predicate.meta({ description: "How subject and object are related, such as wrote" }),
		object: object.meta({ description: "What the subject is related to, such as Notes" }),
		source: z
			.strictObject({
				uri: uri.meta({ description: "The source's address" }),
				hash: hash.meta({
					description: "Version of the source's content: its hash, its date, any text that changes with it",
				}),
				anchor: anchor.meta({ description: "Place within the source, such as #works" }),
				block_id: block_id.meta({ description: "Block within the source" }),
			})
			.meta({ description: "The source of the fact" }),
		gloss: z
			.strictObject({
				subject: glosses.subject.meta({ description: "What the subject is" }),
				object: glosses.object.meta({ description: "What the object is" }),
			})
			.optional()
			.meta({ description: "Short descriptions of subject and object" }),
		confidence: confidence.meta({ description: "Confidence in the fact" }),
	}),
	output: z.object({
		id: z.string(),
		fact: z.string(),
		action: z.enum(["created", "unchanged", "replaced"]),
		deprecated: z.array(z.string()).meta({ description: "Ids of facts that this source no longer states" }),
		next,
	}),
	async call(candidate, { store, namespace, signal }) {
		const { triplet, action, deprecated } = await store.triplets.ingest(
			{ ...candidate, owner_id: namespace },
			{ signal },
		);
		const next = `explore_graph {"name":${JSON.stringify(triplet.subject)}} shows what else is known about it.`;
		return {
			structured: {
				id: triplet.id,
				fact: renderFact(triplet),
				action,
				deprecated: deprecated.slice(0, 100),
				next,
			},
		};
	},
});
