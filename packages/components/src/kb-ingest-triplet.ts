import { Ingested, TripletCandidate } from "@tripline/contract/triplets";
import * as z from "zod";
import { define } from "./define.ts";

const { subject, predicate, object, source, gloss, confidence } = TripletCandidate.shape;

export const kbIngestTriplet = define({
	id: "kb_ingest_triplet",
	title: "Ingest a triplet",
	description:
		"Adds what a source says to the knowledge graph. The same again changes nothing; what the same source said about the same subject and predicate under another hash is deprecated.",
	params: z.strictObject({
		subject: subject.meta({ description: "What is spoken of" }),
		predicate: predicate.meta({ description: "What is said of it" }),
		object: object.meta({ description: "What it is connected to" }),
		source: source.meta({
			description: "Who says so: `uri`, `hash` of its content, and perhaps `anchor` and `block_id`",
		}),
		gloss: gloss.meta({ description: "What the `subject` or the `object` is, in a few words each" }),
		confidence: confidence.meta({ description: "From 0 to 1" }),
	}),
	output: Ingested.meta({ description: "The triplet, what was done, and the ids of what it deprecated" }),
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
			title: "With what the nodes are",
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
