import { Entry } from "@tripline/contract/entries";
import { Instant, NextCursor } from "@tripline/contract/paging";
import * as z from "zod";
import { define } from "./define.ts";
import { KnowledgeType } from "./kb-entry-types.ts";
import { cursorParam, filterParam, limitParam, orderParam } from "./list-params.ts";

const Time = z
	.string()
	.refine((text) => Instant.safeParse(text).success, "must be Unix seconds or an ISO 8601 time");

export const kbList = define({
	id: "kb_list",
	title: "List entries",
	description:
		"Lists entries of the knowledge store by type, time and metadata. With a `metadata` filter up to 20,000 entries are looked at; a page that ends there may hold few entries and still have a `next_cursor`.",
	params: z.strictObject({
		entry_type: KnowledgeType.optional().meta({ description: "Only entries of this type; default all" }),
		metadata: filterParam()
			.optional()
			.meta({
				description:
					"Only entries whose metadata has these values, such as `{ state: open }`. A list in the metadata matches if it contains the value; `null` also matches a missing name",
				examples: [{ state: "open", tags: "kitchen" }],
			}),
		since: Time.optional().meta({ description: "Created at or after this time, ISO 8601" }),
		until: Time.optional().meta({ description: "Created at or before this time, ISO 8601" }),
		order: orderParam,
		limit: limitParam(100, 1000),
		cursor: cursorParam,
	}),
	output: z.object({
		entries: z.array(Entry).meta({
			description: "`metadata_json` is text: parse it with `{{entry.metadata_json | parse_json}}`",
		}),
		next_cursor: NextCursor,
	}),
	examples: [
		{
			title: "Open tasks, oldest first",
			params: { entry_type: "task", metadata: { state: "open" }, order: "oldest", limit: 20 },
			output: { entries: [], next_cursor: null },
		},
		{
			title: "Everything since a time",
			input: { since: "2026-01-01T00:00:00Z" },
			params: { since: "{{input.since}}" },
		},
		{
			title: "Internal entries cannot be listed",
			params: { entry_type: "workflow" },
			error: 'parameter "entry_type" is workflow, a type that the service keeps for itself; use another',
		},
	],
	run: ({ params, effects, signal }) => effects.knowledge.list(params, signal),
});
