import { PageName } from "@tripline/contract/names";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { DEFAULT_TYPE, WritableType } from "./entry-type.ts";
import { anyObject, next } from "./fields.ts";

export const saveEntry = defineTool({
	name: "save_entry",
	title: "Save an entry",
	description:
		"Saves a text in the knowledge store, where search_knowledge and workflows can find it. It replaces the text of an existing entry with the same page_name and entry_type, and its metadata if you pass metadata: to add to an entry, read it with get_entry first. For single facts use ingest_triplet instead.",
	hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
	input: z.strictObject({
		page_name: PageName.meta({ description: "The page's name, such as Refund policy" }),
		content: z.string().meta({ description: "The text; Markdown is fine" }),
		entry_type: WritableType.default(DEFAULT_TYPE).meta({
			description: "The type of the entry, such as guide",
		}),
		metadata: anyObject.optional().meta({
			type: "object",
			additionalProperties: true,
			description: 'Additional data, such as {"tags":["shop"]}; if omitted, an existing entry keeps its own',
		}),
		embed: z.boolean().optional().meta({
			description: "Whether search also finds it by meaning; default true",
		}),
	}),
	output: z.object({
		id: z.string(),
		entry_type: z.string(),
		page_name: z.string(),
		created: z.boolean().meta({ description: "False: an existing entry was replaced" }),
		next,
	}),
	async call({ page_name, content, entry_type, metadata, embed }, { store, namespace, signal }) {
		const text = { owner_id: namespace, entry_type, page_name, content };
		const { entry, created } = await (metadata === undefined
			? writeText()
			: store.entries.upsert({ ...text, metadata_json: setEmbed(metadata, embed ?? true) }, { signal }));
		const next = `get_entry {"id":"${entry.id}"} reads it, search_knowledge finds it.`;
		return { structured: { id: entry.id, entry_type, page_name, created, next } };

		/** Creates the entry, or replaces only the text of an existing one and keeps its metadata. */
		async function writeText() {
			const fresh = { ...text, metadata_json: setEmbed({}, embed ?? true) };
			const made = await store.entries.createOnce(fresh, { signal });
			if (made.created) return made;
			const kept = made.entry.metadata_json;
			const metadata_json = embed === undefined ? undefined : setEmbed(JSON.parse(kept), embed);
			return store.entries.upsert({ ...text, metadata_json }, { signal });
		}
	},
});

const setEmbed = ({ embed: _, ...rest }: Readonly<Record<string, unknown>>, embed: boolean): string =>
	JSON.stringify(embed ? { ...rest, embed } : rest);
