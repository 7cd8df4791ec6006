import { PageName } from "@tripline/contract/names";
import * as z from "zod";
import { tool } from "./described.ts";
import { DEFAULT_TYPE, WritableType } from "./entry-type.ts";
import { anyObject, next } from "./fields.ts";

export const saveEntry = tool({
	name: "save_entry",
	title: "Save an entry",
	description:
		"Writes a text into the knowledge store, to be found later by search_knowledge and by workflows. It replaces text and metadata of the entry of the same page_name and entry_type: to add to one, read it with get_entry first. Single facts go into ingest_triplet instead.",
	hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
	input: z.strictObject({
		page_name: PageName.meta({ description: "The page's name", examples: ["Refund policy"] }),
		content: z
			.string()
			.meta({ description: "The text; Markdown is fine", examples: ["Refunds within 30 days."] }),
		entry_type: WritableType.default(DEFAULT_TYPE).meta({
			description: `What kind of entry it is; default ${DEFAULT_TYPE}`,
			examples: ["note", "guide"],
		}),
		metadata: anyObject.optional().meta({
			type: "object",
			additionalProperties: true,
			description: 'What else is known of it, for example {"tags":["shop"]}; default {}',
		}),
		embed: z
			.boolean()
			.default(true)
			.meta({ description: "Whether it can be found by meaning, not only by its words; default true" }),
	}),
	output: z.object({
		id: z.string(),
		entry_type: z.string(),
		page_name: z.string(),
		created: z.boolean().meta({ description: "False: an entry was replaced" }),
		next,
	}),
	async call({ page_name, content, entry_type, metadata, embed }, { store, namespace, signal }) {
		const { embed: _, ...rest } = metadata ?? {};
		const { entry, created } = await store.entries.upsert(
			{
				owner_id: namespace,
				entry_type,
				page_name,
				content,
				metadata_json: JSON.stringify(embed ? { ...rest, embed } : rest),
			},
			{ signal },
		);
		const next = `get_entry {"id":"${entry.id}"} reads it, search_knowledge finds it.`;
		return { structured: { id: entry.id, entry_type, page_name, created, next } };
	},
});
