import * as z from "zod";
import { NextCursor } from "./paging.ts";
import { Manifest, Sha256 } from "./registry.ts";

const PublishedAt = z
	.string()
	.nullable()
	.meta({ description: "ISO 8601, UTC; null: it came with the registry" });

const Item = z
	.object({
		id: z.string(),
		version: z.string().meta({ description: "The latest" }),
		title: z.string(),
		description: z.string(),
		kind: z.enum(["recipe", "code"]),
		publisher: z.string(),
		license: z.string(),
		tags: z.array(z.string()),
		hosts: z.array(z.string()),
		credentials: z.array(z.string()),
		downloads: z.int(),
		updated_at: PublishedAt,
		sha256: Sha256,
	})
	.meta({ id: "MarketComponent" });

export const ComponentPage = z.object({ components: z.array(Item), next_cursor: NextCursor });
export type ComponentPage = z.output<typeof ComponentPage>;

export const ComponentAnswer = Item.extend({
	versions: z
		.array(z.object({ version: z.string(), sha256: Sha256, published_at: PublishedAt }))
		.meta({ description: "The latest first" }),
	manifest: Manifest.meta({ description: "Of the latest" }),
}).meta({ id: "MarketComponentDetail" });
export type ComponentAnswer = z.output<typeof ComponentAnswer>;

export const VersionAnswer = z.object({
	id: z.string(),
	version: z.string(),
	sha256: Sha256.meta({ description: "Of the manifest's canonical JSON" }),
	published_at: PublishedAt,
	manifest: Manifest,
});
export type VersionAnswer = z.output<typeof VersionAnswer>;
