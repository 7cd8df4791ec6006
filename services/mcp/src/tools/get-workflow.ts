import type { JsonObject } from "@tripline/contract/workflows";
import * as z from "zod";
import { buildWithin, fit, MIN_BUDGET } from "./budget.ts";
import { defineTool } from "./define-tool.ts";
import { maxChars, next, offset, select } from "./fields.ts";
import { measureText } from "./json-size.ts";
import { AnyValue, createReader, describeReadOn, type Reading, readingFields } from "./reading.ts";
import { createWorkflowNotFound, workflowName } from "./workflow-name.ts";

export const getWorkflow = defineTool({
	name: "get_workflow",
	title: "Get a workflow",
	description:
		"Returns a workflow as a document: triplets, config, trigger, options. Read it before you change a workflow, then pass the changed document to save_workflow, with its version_number. If it was written as YAML, yaml is the original text: edit that instead and keep its comments.",
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z.strictObject({
		name: workflowName,
		select: select.meta({
			description:
				'The part to return: config["my node"], a slice of a list, triplets[20:40], or yaml, the text',
		}),
		offset,
		max_chars: maxChars,
	}),
	output: z.object({
		name: z.string(),
		version_number: z.int().nullable(),
		enabled: z.boolean(),
		trigger_state: z
			.record(z.string(), z.unknown())
			.nullable()
			.meta({ description: "Of a mailbox or of polls: since when, the last error, when it is tried again" }),
		document: AnyValue,
		yaml: z.string().nullable(),
		...readingFields,
		next,
	}),
	async call({ name, select, offset, max_chars }, context) {
		const { workflows } = context.executor;
		// Read first, so that it is never newer than the document: a save based on it could undo a change.
		const described = await workflows.describe(name);
		const [found, yaml] =
			described === null
				? [null, null]
				: await Promise.all([workflows.document(name), workflows.writtenText(name)]);
		if (described === null || found === null) throw await createWorkflowNotFound(name, context);
		const { version_number, enabled, trigger } = described;
		const { mailbox, poll } = await workflows.triggerState(name, trigger);
		const about = { name, version_number, enabled, trigger_state: mailbox ?? poll };
		const document = found as JsonObject;
		const isWhole = select === undefined && offset === 0;
		const readIn = createReader(yaml !== null && select === "yaml" ? { yaml } : document, { select, offset });
		const structured = buildWithin(max_chars, (room) =>
			yaml !== null && isWhole
				? describeWithText(readIn, yaml, about, room)
				: describePart(readIn(room), about, select),
		);
		return { structured };
	},
});

interface About {
	readonly name: string;
	readonly version_number: number | null;
	readonly enabled: boolean;
	readonly trigger_state: Record<string, unknown> | null;
}

function describePart(reading: Reading, about: About, select: string | undefined) {
	const { value, ...rest } = reading;
	return { ...about, document: value, yaml: null, ...rest, next: describeNext() };

	function describeNext(): string {
		if (reading.truncated)
			return `The document is truncated: ${DO_NOT_SAVE} ${describeReadOn(reading, (at) => renderCall(about.name, select, at))}`;
		return select === undefined
			? `Change it and pass it to save_workflow${renderBase(about)}, or run it with run_workflow.`
			: "save_workflow needs the whole document, with this part changed.";
	}
}

/** The text gets room first, because it is what the model edits and saves. */
function describeWithText(readIn: (room: number) => Reading, yaml: string, about: About, room: number) {
	const text = fit(yaml, computeTextRoom(yaml, room), { path: "yaml", first: 0 });
	const shownText = text.value as string;
	const { value, ...reading } = readIn(Math.max(MIN_BUDGET, room - measureText(shownText)));
	return {
		...about,
		document: value,
		yaml: shownText,
		truncated: reading.truncated || text.truncated,
		total_chars: reading.total_chars + text.total_chars,
		omitted: [...text.omitted, ...reading.omitted],
		next_offset: null,
		next: text.truncated
			? `The text is truncated: ${DO_NOT_SAVE} Read it in parts: ${renderCall(about.name, undefined, '"select":"yaml"')}.`
			: `Edit the text in yaml, keep its comments and pass the whole text to save_workflow${renderBase(about)}; or run it with run_workflow.`,
	};
}

/** As much as the text needs, or half of the room. */
function computeTextRoom(text: string, room: number): number {
	const needed = measureText(text);
	return needed <= room - MIN_BUDGET ? needed : Math.max(MIN_BUDGET, Math.floor(room / 2));
}

const renderBase = ({ version_number }: About): string =>
	version_number === null ? "" : ` with if_version ${version_number}`;

const DO_NOT_SAVE = "do not save it in this form, or parts will be lost.";

function renderCall(name: string, select: string | undefined, place: string): string {
	const same =
		select === undefined || place.startsWith('"select"') ? "" : `"select":${JSON.stringify(select)},`;
	return `get_workflow {"name":${JSON.stringify(name)},${same}${place}}`;
}
