import * as z from "zod";
import { AnyJson } from "./json.ts";
import { Id, Namespace, nameUpTo } from "./names.ts";
import { Cursor, limit, NextCursor } from "./paging.ts";

const SLOT_TYPES = ["string", "number", "integer", "boolean", "object", "array", "any"] as const;

export const Slot = z
	.strictObject({
		name: nameUpTo(64),
		type: z.enum(SLOT_TYPES),
		required: z.boolean().default(false),
		default: AnyJson.optional(),
	})
	.meta({ id: "Slot" });
export type Slot = z.infer<typeof Slot>;

const Slots = z.array(Slot).max(200, "at most 200 slots");

export const Template = z
	.object({
		id: Id,
		owner_id: z.string().nullable().meta({ description: "Null if it is shared by every namespace" }),
		name: z.string(),
		slots: z.array(Slot),
		created_at: z.int(),
		updated_at: z.int(),
	})
	.meta({ id: "Template" });
export type Template = z.infer<typeof Template>;

export const EnsureTemplate = z.strictObject({
	owner_id: Namespace.optional(),
	name: nameUpTo(128),
	slots: Slots,
});

export const PatchTemplate = z.strictObject({ owner_id: Namespace.optional(), slots: Slots });

export const EnsuredTemplate = z.object({
	template: Template,
	created: z.boolean(),
	added: z.array(z.string()).meta({ description: "Names of the slots this call added" }),
});

export const PatchedTemplate = EnsuredTemplate.omit({ created: true });

export const TemplateQuery = z.strictObject({
	owner_id: Namespace.optional(),
	name: nameUpTo(128).optional(),
	limit: limit(20, 100),
	cursor: Cursor.optional(),
});

export const TemplatePage = z.object({ templates: z.array(Template), next_cursor: NextCursor });
