import { UpsertEntry, UpsertedEntry } from "@tripline/contract/entries";
import { unstorable } from "@tripline/contract/json";
import * as z from "zod";
import { define } from "./define.ts";
import { WritableType } from "./kb-entry-types.ts";
import { anyObject } from "./schemas.ts";

const { page_name, metadata_json } = UpsertEntry.shape;

const Params = z
	.strictObject({
		page_name: page_name.meta({ description: "The page's name" }),
		entry_type: WritableType.default("note").meta({ description: "The entry's type" }),
		content: z
			.string()
			.refine((content) => unstorable(content) === null, { error: ({ input }) => unstorable(input) ?? "" })
			.meta({ description: "The text" }),
		metadata: anyObject()
			.refine((metadata) => unstorable(metadata) === null, { error: ({ input }) => unstorable(input) ?? "" })
			.optional()
			.meta({
				description:
					"What else is known, as an object; `embed: true` makes it findable by meaning. Left out: an entry that is there keeps its own",
			}),
		metadata_json: metadata_json.meta({ description: "The same as text, instead of `metadata`" }),
	})
	.refine(({ metadata, metadata_json }) => metadata === undefined || metadata_json === undefined, {
		path: ["metadata_json"],
		message: "must be left out when metadata is given",
	});

export const kbUpsert = define({
	id: "kb_upsert",
	title: "Write an entry",
	description:
		"Creates the entry of a page and type in the knowledge store, or replaces its content, and its metadata where some is given.",
	params: Params,
	output: UpsertedEntry.meta({ description: "The entry as it is now, and whether it is new" }),
	examples: [
		{
			title: "A note",
			input: { text: "Green tea at 80 degrees." },
			params: { page_name: "Tea", content: "{{input.text}}" },
		},
		{
			title: "With metadata, findable by meaning",
			params: {
				page_name: "Oolong",
				entry_type: "guide",
				content: "Steep for three minutes.",
				metadata: { embed: true, minutes: 3 },
			},
		},
		{
			title: "Triplets have a component of their own",
			params: { page_name: "Tea", entry_type: "triplet", content: "x" },
			error: 'parameter "entry_type" is triplet, a type that kb_ingest_triplet writes; use another',
		},
	],
	run({
		params: { metadata, metadata_json = metadata && JSON.stringify(metadata), ...entry },
		effects,
		signal,
	}) {
		return effects.knowledge.upsert({ ...entry, metadata_json }, signal);
	},
});
