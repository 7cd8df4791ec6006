import { Entry } from "@tripline/contract/entries";
import { PageName } from "@tripline/contract/names";
import * as z from "zod";
import { define } from "./define.ts";
import { KnowledgeType } from "./kb-entry-types.ts";

export const kbGet = define({
	id: "kb_get",
	title: "Read an entry",
	description:
		"Reads one entry of the knowledge store by its page name. If several entries have the same page name and type, the newest is returned.",
	params: z.strictObject({
		page_name: PageName.meta({ description: "The page's name" }),
		entry_type: KnowledgeType.default("note").meta({ description: "The entry's type" }),
	}),
	output: Entry.nullable().meta({
		description:
			"The entry, or null if there is none. `metadata_json` is text: parse it with `{{page.metadata_json | parse_json}}`",
	}),
	examples: [
		{ title: "An existing page", params: { page_name: "Tea" } },
		{
			title: "A missing page",
			input: { page: "Coffee" },
			params: { page_name: "{{input.page}}", entry_type: "guide" },
			output: null,
		},
		{
			title: "Internal entries cannot be read",
			params: { page_name: "Tea", entry_type: "partner_key" },
			error: 'parameter "entry_type" is partner_key, a type that the service keeps for itself; use another',
		},
	],
	run: ({ params, effects, signal }) => effects.knowledge.get(params, signal),
});
