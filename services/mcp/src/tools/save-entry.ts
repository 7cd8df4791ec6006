import { PageName } from "@tripline/contract/names";
import * as z from "zod";
import { tool } from "./described.ts";
import { DEFAULT_TYPE, WritableType } from "./entry-type.ts";
import { anyObject, next } from "./fields.ts";

export const saveEntry = tool({
	name: "save_entry",
	title: "Save an entry",
	description:
		"Writes a text into the knowledge store, to be found later by search_knowledge and by workflows. It replaces the text of the entry of the same page_name and entry_type, and its metadata where some is given: to add to one, read it with get_entry first. Single facts go into ingest_triplet instead.",
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
			description:
				'What else is known of it, for example {"tags":["shop"]}; left out, an entry keeps its own',
		}),
		embed: z.boolean().optional().meta({
			description:
				"Whether it can be found by meaning, not only by its words; default true, or as it was where metadata is left out",
		}),
	}),
	output: z.object({
		id: z.string(),
		entry_type: z.string(),
		page_name: z.string(),
		created: z.boolean().meta({ description: "False: an entry was replaced" }),
		next,
	}),
	async call({ page_name, content, entry_type, metadata, embed }, { store, namespace, signal }) {
		const text = { owner_id: namespace, entry_type, page_name, content };
		const { entry, created } = await (metadata === undefined
			? written()
			: store.entries.upsert({ ...text, metadata_json: withEmbed(metadata, embed ?? true) }, { signal }));
		const next = `get_entry {"id":"${entry.id}"} reads it, search_knowledge finds it.`;
		return { structured: { id: entry.id, entry_type, page_name, created, next } };

		/** Whether there is one decides over its metadata. */
		async function written() {
			const fresh = { ...text, metadata_json: withEmbed({}, embed ?? true) };
			const made = await store.entries.once(fresh, { signal });
			if (made.created) return made;
			const kept = made.entry.metadata_json;
			const metadata_json = embed === undefined ? undefined : withEmbed(JSON.parse(kept), embed);
			return store.entries.upsert({ ...text, metadata_json }, { signal });
		}
	},
});

const withEmbed = ({ embed: _, ...rest }: Readonly<Record<string, unknown>>, embed: boolean): string =>
	JSON.stringify(embed ? { ...rest, embed } : rest);
