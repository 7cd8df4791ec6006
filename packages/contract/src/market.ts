import * as z from "zod";
import { NextCursor } from "./paging.ts";
import { Manifest, Sha256 } from "./registry.ts";

const PublishedAt = z
	.string()
	.nullable()
	.meta({ description: "ISO 8601, UTC; null if it is bundled with the registry" });

const Item = z
	.object({
		id: z.string(),
		version: z.string().meta({ description: "Latest version" }),
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
		.meta({ description: "Latest first" }),
	manifest: Manifest.meta({ description: "Manifest of the latest version" }),
}).meta({ id: "MarketComponentDetail" });
export type ComponentAnswer = z.output<typeof ComponentAnswer>;

export const VersionAnswer = z.object({
	id: z.string(),
	version: z.string(),
	sha256: Sha256.meta({ description: "SHA-256 of the manifest's canonical JSON" }),
	published_at: PublishedAt,
	manifest: Manifest,
});
export type VersionAnswer = z.output<typeof VersionAnswer>;
