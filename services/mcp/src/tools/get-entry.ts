import type { Entry } from "@tripline/contract/entries";
import { isInternal } from "@tripline/contract/entry-types";
import type { Json } from "@tripline/contract/json";
import { Id, PageName } from "@tripline/contract/names";
import * as z from "zod";
import { buildWithin, fit, takeBeginning } from "./budget.ts";
import { defineTool } from "./define-tool.ts";
import { DEFAULT_TYPE, KnowledgeType } from "./entry-type.ts";
import { isObject, maxChars, next, offset } from "./fields.ts";
import { createNotFound } from "./not-found.ts";
import { AnyValue } from "./reading.ts";
import { type ToolContext, ToolProblem } from "./tool.ts";

export const getEntry = defineTool({
	name: "get_entry",
	title: "Get an entry",
	description:
		"Returns an entry of the knowledge store: its text and metadata. Pass the id from search_knowledge, or page_name and entry_type. A long text comes in parts: continue with offset.",
	hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
	input: z
		.strictObject({
			id: Id.optional().meta({ description: "The entry's id" }),
			page_name: PageName.optional().meta({ description: "Instead of id: the page's name" }),
			entry_type: KnowledgeType.default(DEFAULT_TYPE).meta({
				description: "With page_name: the entry's type",
			}),
			offset,
			max_chars: maxChars,
		})
		.refine(({ id, page_name }) => (id === undefined) !== (page_name === undefined), {
			message: "exactly one of id and page_name must be given",
		}),
	output: z.object({
		id: z.string(),
		entry_type: z.string(),
		page_name: z.string(),
		content: z.string(),
		total_chars: z.int(),
		next_offset: z.int().nullable(),
		metadata: AnyValue,
		created_at: z.string(),
		updated_at: z.string(),
		next,
	}),
	async call({ id, page_name, entry_type, offset, max_chars }, context) {
		const { store, namespace, signal } = context;
		const entry =
			id === undefined
				? await store.entries.get(namespace, entry_type, page_name as string, { signal })
				: await store.entries.getById(namespace, id, { signal });
		if (entry?.entry_type === "workflow") throw createIsWorkflow(entry);
		if (entry === null || isInternal(entry.entry_type))
			throw await createUnknown(id, page_name, entry_type, context);
		if (offset > entry.content.length) throw createPastEnd(entry);
		return { structured: buildWithin(max_chars, (room) => describeEntry(entry, offset, max_chars, room)) };
	},
});

function describeEntry(entry: Entry, offset: number, maxChars: number, room: number) {
	const content = takeBeginning(entry.content.slice(offset), room);
	const end = offset + content.length;
	const next_offset = end < entry.content.length ? end : null;
	return {
		id: entry.id,
		entry_type: entry.entry_type,
		page_name: entry.page_name,
		content,
		total_chars: entry.content.length,
		next_offset,
		metadata: fit(parseMetadata(entry), Math.floor(maxChars / 5)).value,
		created_at: new Date(entry.created_at * 1000).toISOString(),
		updated_at: new Date(entry.updated_at * 1000).toISOString(),
		next: next_offset === null ? "" : `Read on: get_entry {"id":"${entry.id}","offset":${next_offset}}.`,
	};
}

function parseMetadata({ metadata_json }: Entry): Json {
	try {
		const metadata: unknown = JSON.parse(metadata_json);
		return isObject(metadata) ? metadata : {};
	} catch {
		return {};
	}
}

async function createUnknown(
	id: string | undefined,
	page_name: string | undefined,
	entry_type: string,
	{ store, namespace, signal }: ToolContext,
): Promise<ToolProblem> {
	if (page_name === undefined)
		return new ToolProblem(
			`There is no entry with the id ${id}. Find entries and their ids with search_knowledge.`,
		);
	const found = await store.search(
		{ owner_id: namespace, q: page_name.toWellFormed(), limit: 8 },
		{ signal },
	);
	const names = found.map((suggestion) => `${suggestion.page_name} (${suggestion.entry_type})`);
	const how = "Pass the exact page_name and entry_type, or find the entry with search_knowledge.";
	if (names.length > 0)
		return createNotFound(`entry of type ${entry_type} with the page name`, page_name, names, how);
	return new ToolProblem(
		`There is no entry of type ${entry_type} with the page name ${JSON.stringify(page_name)}, and none with a similar name. ${how}`,
	);
}

const createIsWorkflow = ({ page_name }: Entry): ToolProblem =>
	new ToolProblem(
		`This entry is a workflow: read it with get_workflow {"name":${JSON.stringify(page_name)}}.`,
	);

const createPastEnd = ({ content }: Entry): ToolProblem =>
	new ToolProblem(
		`offset is past the end: the text has ${content.length} characters. Start again with offset 0.`,
	);
