import * as z from "zod";
import { Id, Namespace, nameUpTo } from "./names.ts";

/** A node's or predicate's name. */
export const NodeName = nameUpTo(512)
	.refine((text) => text.trim() !== "", "must not be blank")
	.meta({ description: "Any script; matched after NFKC, trimming and case folding" });

const Uri = nameUpTo(2048).meta({ description: "URI of the source" });
const Hash = nameUpTo(256).meta({
	description: "Hash of the source's content: a different hash means a different version",
});
const Anchor = nameUpTo(1024).nullish().meta({ description: "Position within the source, such as `#works`" });
const BlockId = nameUpTo(256).nullish().meta({ description: "Block within the source" });
const Gloss = z.string().min(1).max(4000).optional();

const statement = {
	subject: NodeName,
	predicate: NodeName,
	object: NodeName,
	gloss: z
		.strictObject({
			subject: Gloss.meta({ description: "What the subject is, in a few words" }),
			object: Gloss.meta({ description: "What the object is, in a few words" }),
		})
		.optional()
		.meta({ description: "What the subject or the object is, stored as entities" }),
	confidence: z.number().min(0).max(1).optional(),
};

export const TripletCandidate = z
	.strictObject({
		owner_id: Namespace.optional(),
		...statement,
		source: z.strictObject({
			uri: Uri,
			hash: Hash,
			anchor: Anchor,
			block_id: BlockId,
		}),
	})
	.meta({ id: "TripletCandidate" });
export type TripletCandidate = z.output<typeof TripletCandidate>;

export const SourceVersion = z
	.strictObject({
		owner_id: Namespace.optional(),
		source: z.strictObject({ uri: Uri, hash: Hash }),
		candidates: z
			.array(z.strictObject({ ...statement, anchor: Anchor, block_id: BlockId }))
			.max(500, "at most 500 candidates; send the rest in further calls with the same hash"),
	})
	.meta({ id: "SourceVersion" });
export type SourceVersion = z.output<typeof SourceVersion>;

export const Triplet = z
	.object({
		id: Id,
		owner_id: z.string(),
		subject: z.string(),
		predicate: z.string(),
		object: z.string(),
		status: z.enum(["active", "deprecated"]),
		superseded_by: z.string().nullable().meta({ description: "Id of the triplet that replaced it" }),
		source_uri: z.string(),
		content_hash: z.string(),
		source_anchor: z.string().nullable(),
		block_id: z.string().nullable(),
		confidence: z.number().nullable(),
		created_at: z.int(),
		updated_at: z.int(),
	})
	.meta({ id: "Triplet" });
export type Triplet = z.output<typeof Triplet>;

export const IngestAction = z.enum(["created", "unchanged", "replaced"]);
export type IngestAction = z.output<typeof IngestAction>;

const Deprecated = z.array(Id).meta({ description: "Ids of the triplets that this call deprecated" });

export const Ingested = z.object({ triplet: Triplet, action: IngestAction, deprecated: Deprecated });

export const IngestedVersion = z.object({
	triplets: z
		.array(z.object({ id: Id, action: IngestAction }))
		.meta({ description: "One for each candidate, in the same order" }),
	deprecated: Deprecated,
});
