import { NextCursor } from "@tripline/contract/paging";
import { Record as StoredRecord, TemplateReference } from "@tripline/contract/records";
import * as z from "zod";
import { define } from "./define.ts";
import { cursorParam, filterParam, limitParam, orderParam } from "./list-params.ts";

export const recordList = define({
	id: "record_list",
	title: "List records",
	description:
		"Lists the records of a template. With a `values` filter up to 20,000 records are looked at; a page that ends there may hold few records and still have a `next_cursor`.",
	params: z.strictObject({
		template: TemplateReference.meta({ description: "The name or id of the template" }),
		values: filterParam()
			.optional()
			.meta({
				description:
					"Only records whose slots have these values, such as `{ state: unread }`. A list in a slot matches if it contains the value; `null` also matches an empty slot",
				examples: [{ state: "unread" }],
			}),
		order: orderParam,
		limit: limitParam(20, 100),
		cursor: cursorParam,
	}),
	output: z.object({ records: z.array(StoredRecord), next_cursor: NextCursor }),
	examples: [
		{
			title: "Unread books, oldest first",
			input: { state: "unread" },
			params: { template: "book", values: { state: "{{input.state}}" }, order: "oldest" },
		},
		{
			title: "A template that does not exist",
			params: { template: "invoice" },
			error: 'template: there is no template "invoice"',
		},
	],
	run: ({ params, effects, signal }) => effects.knowledge.listRecords(params, signal),
});
