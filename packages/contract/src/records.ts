import * as z from "zod";
import { AnyJson } from "./json.ts";
import { Id, Namespace, nameUpTo, Owner } from "./names.ts";
import { Cursor, limit, NextCursor, OrderQuery } from "./paging.ts";
import { ValueFilterText } from "./value-filter.ts";

const Values = z.record(z.string(), AnyJson);
export const TemplateReference = nameUpTo(128).meta({ description: "A template's name or id" });

export const Record = z
	.object({
		id: Id,
		owner_id: z.string(),
		template: z.string(),
		template_id: Id,
		values: Values,
		created_at: z.int(),
		updated_at: z.int(),
	})
	.meta({ id: "Record" });
export type Record = z.infer<typeof Record>;

export const CreateRecord = z.strictObject({
	owner_id: Owner,
	template: TemplateReference,
	values: Values,
});

export const PatchRecord = z.strictObject({
	owner_id: Namespace.optional(),
	values: Values.meta({ description: "Slots to set; null clears a slot that is not required" }),
});

export const RecordAnswer = z.object({ record: Record });

export const RecordQuery = z.strictObject({
	owner_id: Owner,
	template: TemplateReference,
	values: ValueFilterText.optional().meta({
		description:
			"A JSON object, as text, with up to 10 plain values: only records whose slots have these values, or lists that contain them. Null also matches an empty slot",
	}),
	order: OrderQuery,
	limit: limit(20, 100),
	cursor: Cursor.optional(),
});

export const RecordPage = z.object({ records: z.array(Record), next_cursor: NextCursor });
