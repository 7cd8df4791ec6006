import * as z from "zod";
import { Namespace, nameUpTo } from "./names.ts";
import { limit } from "./paging.ts";
import { NodeName, Triplet } from "./triplets.ts";

const flag = z
	.enum(["true", "false"], "must be true or false")
	.transform((text) => text === "true")
	.default(false);

const depth = (fallback: number) =>
	z
		.string()
		.regex(/^[1-5]$/, "must be 1 to 5")
		.transform(Number)
		.default(fallback)
		.meta({ description: `1 to 5, default ${fallback}` });

const walk = {
	owner_id: Namespace.optional(),
	direction: z.enum(["out", "in", "both"]).default("both"),
	predicate: NodeName.optional(),
	limit: limit(100, 1000),
	includeDeprecated: flag.meta({ description: "Include deprecated triplets; default false" }),
};

export const NeighborQuery = z.strictObject({ ...walk, depth: depth(1) });
export const TraverseQuery = z.strictObject({ name: NodeName, ...walk, depth: depth(2) });

export const GraphOwner = z.strictObject({ owner_id: Namespace.optional(), includeDeprecated: flag });

export const GraphSearchQuery = z.strictObject({
	owner_id: Namespace.optional(),
	q: nameUpTo(1000).meta({ description: "Words; the last one may be incomplete" }),
	predicate: NodeName.optional(),
	limit: limit(20, 100),
	includeDeprecated: walk.includeDeprecated,
});

export const FoundTriplets = z.object({
	triplets: z.array(Triplet.extend({ score: z.number().meta({ description: "Higher is better" }) })),
});

const Truncated = z.boolean().meta({ description: "Whether the limit cut off results" });

export const Neighbors = z.object({
	name: z.string(),
	gloss: z.string().nullable(),
	neighbors: z.array(
		z.object({
			name: z.string(),
			depth: z.int().meta({ description: "Steps from the named node" }),
			direction: z.enum(["out", "in"]),
			triplet: Triplet,
		}),
	),
	truncated: Truncated,
});

export const Traversal = z.object({
	start: z.string(),
	nodes: z.array(z.object({ name: z.string(), depth: z.int(), gloss: z.string().nullable() })),
	triplets: z.array(Triplet),
	truncated: Truncated,
});

export const NodeSources = z.object({
	name: z.string(),
	sources: z.array(
		z.object({
			uri: z.string(),
			anchor: z.string().nullable(),
			block_id: z.string().nullable(),
			content_hash: z.string(),
		}),
	),
});

export const FactQuery = z.strictObject({
	owner_id: Namespace.optional(),
	subject: NodeName,
	predicate: NodeName,
	object: NodeName,
});

export const Belief = z.object({
	believed: z.boolean().meta({ description: "Whether any source currently states it" }),
	because: z.array(Triplet).meta({ description: "The active triplets that state it, one per source" }),
	superseded: z.array(Triplet).meta({ description: "Triplets that those replaced, newest first" }),
	no_longer: z.array(Triplet).meta({ description: "Deprecated triplets that stated it, newest first" }),
});

export const RefreshRequest = z.strictObject({
	owner_id: Namespace.optional(),
	uri: z.string().min(1).max(2048).optional(),
	name: NodeName.optional(),
});

export const Refreshed = z.object({
	forwarded: z.boolean().meta({ description: "False if no ingest address is set" }),
	status: z.int().optional().meta({ description: "Response status of the ingest address" }),
});
