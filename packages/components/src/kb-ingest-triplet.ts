import { Ingested, TripletCandidate } from "@tripline/contract/triplets";
import * as z from "zod";
import { define } from "./define.ts";

const { subject, predicate, object, source, gloss, confidence } = TripletCandidate.shape;

export const kbIngestTriplet = define({
	id: "kb_ingest_triplet",
	title: "Ingest a triplet",
	description:
		"Adds a fact and its source to the knowledge graph. Repeating it changes nothing; triplets with the same source, subject and predicate but another hash are deprecated.",
	params: z.strictObject({
		subject: subject.meta({ description: "The subject, such as `Ada`" }),
		predicate: predicate.meta({ description: "The relation, such as `works at`" }),
		object: object.meta({ description: "The object, such as `Acme`" }),
		source: source.meta({
			description:
				"Where the fact comes from: `uri`, `hash` of the content, optionally `anchor` and `block_id`",
		}),
		gloss: gloss.meta({ description: "Short descriptions of the `subject` and the `object`" }),
		confidence: confidence.meta({ description: "How certain the fact is, from 0 to 1" }),
	}),
	output: Ingested.meta({
		description: "The triplet, the action taken, and the ids of the deprecated triplets",
	}),
	examples: [
		{
			title: "A new triplet",
			params: {
				subject: "Ada",
				predicate: "works at",
				object: "Acme",
				source: { uri: "https://example.com/team", hash: "v1" },
			},
		},
		{
			title: "With glosses and a confidence",
			input: { hash: "v2" },
			params: {
				subject: "Alan",
				predicate: "works at",
				object: "Acme",
				source: { uri: "https://example.com/team", hash: "{{input.hash}}", anchor: "#staff" },
				gloss: { subject: "a mathematician", object: "a company" },
				confidence: 0.9,
			},
		},
	],
	run: ({ params, effects, signal }) => effects.knowledge.ingest(params, signal),
});
