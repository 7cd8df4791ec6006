import type { JsonObject } from "@tripline/contract/workflows";
import * as z from "zod";
import { budgeted } from "./budget.ts";
import { tool } from "./described.ts";
import { maxChars, next, offset, select } from "./fields.ts";
import { AnyValue, howToReadOn, read, readingFields } from "./reading.ts";
import { workflowName, workflowNotFound } from "./workflow-name.ts";

export const getWorkflow = tool({
	name: "get_workflow",
	title: "Get a workflow",
	description:
		"A workflow's definition as a document: triplets, config, trigger, options. Read it before you change a workflow, then give the changed document to save_workflow.",
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z.strictObject({ name: workflowName, select, offset, max_chars: maxChars }),
	output: z.object({
		name: z.string(),
		document: AnyValue.meta({ description: "The document, or the part of it that select names" }),
		...readingFields,
		next,
	}),
	async call({ name, select, offset, max_chars }, context) {
		const document = await context.executor.workflows.document(name);
		if (document === null) throw await workflowNotFound(name, context);
		const structured = budgeted(max_chars, (room) => {
			const { value, ...rest } = read(document as JsonObject, { select, offset }, room);
			const readOn = howToReadOn({ value, ...rest }, (place) => callWith(name, select, place));
			const next = rest.truncated
				? `The document is shortened: do not save it like this, parts would be lost. ${readOn}`
				: "Change it and give it to save_workflow, or run it with run_workflow.";
			return { name, document: value, ...rest, next };
		});
		return { structured };
	},
});

function callWith(name: string, select: string | undefined, place: string): string {
	const same =
		select === undefined || place.startsWith('"select"') ? "" : `"select":${JSON.stringify(select)},`;
	return `get_workflow {"name":${JSON.stringify(name)},${same}${place}}`;
}
