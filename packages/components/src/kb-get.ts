import { Entry } from "@tripline/contract/entries";
import { PageName } from "@tripline/contract/names";
import * as z from "zod";
import { define } from "./define.ts";
import { KnowledgeType } from "./kb-entry-types.ts";

export const kbGet = define({
	id: "kb_get",
	title: "Read an entry",
	description:
		"Reads one entry of the knowledge store by its page. Of several entries of one page and type it gives the newest.",
	params: z.strictObject({
		page_name: PageName.meta({ description: "The page's name" }),
		entry_type: KnowledgeType.default("note").meta({ description: "The entry's type" }),
	}),
	output: Entry.nullable().meta({
		description:
			"The entry, or null when there is none. `metadata_json` is text: `{{page.metadata_json | parse_json}}`",
	}),
	examples: [
		{ title: "A page that is there", params: { page_name: "Tea" } },
		{
			title: "A page that is not",
			input: { page: "Coffee" },
			params: { page_name: "{{input.page}}", entry_type: "guide" },
			output: null,
		},
		{
			title: "The service's own entries are not readable",
			params: { page_name: "Tea", entry_type: "partner_key" },
			error: 'parameter "entry_type" is partner_key, a type that the service keeps for itself; use another',
		},
	],
	run: ({ params, effects, signal }) => effects.knowledge.get(params, signal),
});
