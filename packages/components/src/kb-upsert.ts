import { UpsertEntry, UpsertedEntry } from "@tripline/contract/entries";
import { findUnstorable } from "@tripline/contract/json";
import * as z from "zod";
import { define } from "./define.ts";
import { WritableType } from "./kb-entry-types.ts";
import { anyObject } from "./schemas.ts";
import { refuseUnkept } from "./unkept-files.ts";

const { page_name, metadata_json } = UpsertEntry.shape;

const Params = z
	.strictObject({
		page_name: page_name.meta({ description: "The page's name" }),
		entry_type: WritableType.default("note").meta({ description: "The entry's type" }),
		content: z
			.string()
			.refine((content) => findUnstorable(content) === null, {
				error: ({ input }) => findUnstorable(input) ?? "",
			})
			.meta({ description: "The text" }),
		metadata: anyObject()
			.refine((metadata) => findUnstorable(metadata) === null, {
				error: ({ input }) => findUnstorable(input) ?? "",
			})
			.optional()
			.meta({
				description:
					"Metadata as an object; `embed: true` adds the entry to the semantic index. If left out, an existing entry keeps its metadata",
			}),
		metadata_json: metadata_json.meta({ description: "Metadata as JSON text, instead of `metadata`" }),
	})
	.refine(({ metadata, metadata_json }) => metadata === undefined || metadata_json === undefined, {
		path: ["metadata_json"],
		message: "must be left out when metadata is given",
	});

export const kbUpsert = define({
	id: "kb_upsert",
	title: "Write an entry",
	description:
		"Creates an entry in the knowledge store, or replaces the content of the entry with the same page name and type, and its metadata if given.",
	params: Params,
	output: UpsertedEntry.meta({ description: "The stored entry, and whether it was created" }),
	examples: [
		{
			title: "A note",
			input: { text: "Green tea at 80 degrees." },
			params: { page_name: "Tea", content: "{{input.text}}" },
		},
		{
			title: "With metadata, in the semantic index",
			params: {
				page_name: "Oolong",
				entry_type: "guide",
				content: "Steep for three minutes.",
				metadata: { embed: true, minutes: 3 },
			},
		},
		{
			title: "Triplets are written with kb_ingest_triplet",
			params: { page_name: "Tea", entry_type: "triplet", content: "x" },
			error: 'parameter "entry_type" is triplet, a type that kb_ingest_triplet writes; use another',
		},
	],
	async run(call) {
		const { metadata, metadata_json = metadata && JSON.stringify(metadata), ...entry } = call.params;
		if (metadata_json?.includes('"$file"')) await refuseUnkept(metadata ?? JSON.parse(metadata_json), call);
		return call.effects.knowledge.upsert({ ...entry, metadata_json }, call.signal);
	},
});
