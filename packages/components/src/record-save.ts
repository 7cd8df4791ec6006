import { findUnstorable } from "@tripline/contract/json";
import { Id } from "@tripline/contract/names";
import { Record as StoredRecord, TemplateReference } from "@tripline/contract/records";
import { Slot } from "@tripline/contract/templates";
import { TerminalError } from "@tripline/engine/terminal-error";
import * as z from "zod";
import { define } from "./define.ts";
import { anyObject } from "./schemas.ts";
import { subtractSize } from "./size.ts";
import { refuseUnkept } from "./unkept-files.ts";

/** What fits into a request to the store. */
const MAX_VALUES_LENGTH = 1_000_000;

const Values = anyObject().superRefine((values, context) => {
	const isTooLong = subtractSize(values, MAX_VALUES_LENGTH) < 0;
	const problem = isTooLong ? "must be at most 1,000,000 characters of JSON" : findUnstorable(values);
	if (problem !== null) context.addIssue({ code: "custom", message: problem });
});

const { name, type, required, default: fallback } = Slot.shape;

const Slots = z
	.array(
		z.strictObject({
			name: name.meta({ description: "The slot's name" }),
			type: type.meta({ description: "The type of its values" }),
			required: required.meta({ description: "Whether every record must have a value" }),
			default: fallback.meta({ description: "The value if a record has none" }),
		}),
		"must be a list of slots",
	)
	.max(200, "must be at most 200 slots");

export const recordSave = define({
	id: "record_save",
	title: "Save a record",
	description:
		"Saves a record that fills the slots of a template: a new one of `template`, or changes to the record `id`. Unknown slots, wrong types and missing required slots fail the node. `slots` creates the template if it does not exist.",
	params: z
		.strictObject({
			template: TemplateReference.optional().meta({
				description: "The name or id of the template, for a new record",
			}),
			id: Id.optional().meta({
				description: "The id of a record to change, instead of `template`; slots that are left out stay",
			}),
			values: Values.meta({
				description: "Slot names with their values; `null` clears a slot that is not required",
				examples: [{ title: "Middlemarch", pages: 880 }],
			}),
			slots: Slots.optional().meta({
				description:
					"With `template`, a name: creates the template with these slots, or adds those that it does not have",
				examples: [
					[
						{ name: "title", type: "string", required: true },
						{ name: "pages", type: "integer" },
						{ name: "state", type: "string", default: "unread" },
					],
				],
			}),
		})
		.refine(({ template, id }) => (template === undefined) !== (id === undefined), {
			path: ["template"],
			message: "must be left out when id is given",
		})
		.refine(({ slots, id }) => slots === undefined || id === undefined, {
			path: ["slots"],
			message: "must be left out when id is given",
		}),
	output: z.object({
		record: StoredRecord,
		created: z.boolean().meta({ description: "Whether the record is new" }),
	}),
	examples: [
		{
			title: "A new record, and its template",
			input: { title: "Middlemarch" },
			params: {
				template: "book",
				slots: [
					{ name: "title", type: "string", required: true },
					{ name: "state", type: "string", default: "unread" },
				],
				values: { title: "{{input.title}}" },
			},
		},
		{
			title: "Change a record",
			params: { id: "01890000-0000-7000-8000-000000000000", values: { state: "read" } },
			error: "there is no record 01890000-0000-7000-8000-000000000000",
		},
		{
			title: "An unknown slot",
			params: { template: "book", values: { title: "Emma", author: "Austen" } },
			error: "values.author: unknown slot",
		},
	],
	async run(call) {
		const { template, id, values, slots } = call.params;
		const { knowledge } = call.effects;
		const { signal } = call;
		await refuseUnkept(values, call);
		if (id !== undefined) {
			const record = await knowledge.changeRecord(id, values, signal);
			if (record === null) throw new TerminalError(`there is no record ${id}`);
			return { record, created: false };
		}
		const named = template ?? "";
		if (slots !== undefined) await knowledge.ensureTemplate(named, slots, signal);
		return { record: await knowledge.createRecord(named, values, signal), created: true };
	},
});
