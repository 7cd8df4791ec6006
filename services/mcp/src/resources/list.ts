import type { EntryPage } from "@tripline/contract/entries";
import type { WorkflowList } from "@tripline/contract/executor";
import { StoreRefused } from "@tripline/store/client";
import type * as z from "zod";
import type { Resource } from "../protocol/content.ts";
import type { ResourcePage } from "../protocol/surface.ts";
import { shorten } from "../tools/budget.ts";
import type { ToolContext } from "../tools/tool.ts";
import { createBadCursor, decodePlace, encodePlace, type Place } from "./cursor.ts";
import { COMPONENTS_URI, entryUri, LANGUAGE_URI, workflowUri } from "./uris.ts";

const PAGE_SIZE = 100;
const MAX_DESCRIPTION_LENGTH = 160;

const GUIDES: readonly Resource[] = [
	{
		uri: LANGUAGE_URI,
		name: "language guide",
		title: "The workflow language",
		description:
			"How workflows are written: triplets, templates, components, and the compiler's diagnostics.",
		mimeType: "text/markdown",
		annotations: { audience: ["assistant"], priority: 1 },
	},
	{
		uri: COMPONENTS_URI,
		name: "components",
		title: "Components",
		description: "All components that nodes can run, one line each.",
		mimeType: "text/markdown",
		annotations: { audience: ["assistant"], priority: 0.8 },
	},
];

/** The guides, the workflows by name, then entries, newest first: many clients read only the first page. */
export async function listResources(context: ToolContext, cursor: string | undefined): Promise<ResourcePage> {
	const place = cursor === undefined ? { workflow: null } : decodePlace(cursor);
	if ("entries" in place) return toPage(await listEntriesFrom(place.entries, PAGE_SIZE, context));
	const guides = cursor === undefined ? GUIDES : [];
	const { resources, next } = await listWorkflowsAfter(place.workflow, PAGE_SIZE - guides.length, context);
	const room = PAGE_SIZE - guides.length - resources.length;
	if (!("entries" in next) || room === 0) return toPage({ resources: [...guides, ...resources], next });
	const entries = await listEntriesFrom(null, room, context);
	return toPage({ resources: [...guides, ...resources, ...entries.resources], next: entries.next });
}

interface Part<Next> {
	readonly resources: readonly Resource[];
	readonly next: Next;
}

const toPage = ({ resources, next }: Part<Place | null>): ResourcePage => ({
	resources,
	...(next !== null && { nextCursor: encodePlace(next) }),
});

async function listWorkflowsAfter(
	name: string | null,
	most: number,
	{ executor }: ToolContext,
): Promise<Part<Place>> {
	const { workflows } = await executor.workflows.list();
	const rest = workflows
		.filter((workflow) => name === null || workflow.name > name)
		.sort((one, other) => (one.name < other.name ? -1 : 1));
	const shown = rest.slice(0, most);
	const last = shown.at(-1);
	return {
		resources: shown.map(toWorkflowResource),
		next: rest.length > most && last !== undefined ? { workflow: last.name } : { entries: null },
	};
}

async function listEntriesFrom(
	cursor: string | null,
	limit: number,
	{ store, namespace, signal }: ToolContext,
): Promise<Part<Place | null>> {
	const filter = {
		owner_id: namespace,
		knowledge: "true",
		limit,
		...(cursor !== null && { cursor }),
	} as const;
	const { entries, next_cursor } = await store.entries.list(filter, { signal }).catch((error: unknown) => {
		throw error instanceof StoreRefused && cursor !== null ? createBadCursor() : error;
	});
	return {
		resources: entries.map(toEntryResource),
		next: next_cursor === null ? null : { entries: next_cursor },
	};
}

const toWorkflowResource = (workflow: z.output<typeof WorkflowList>["workflows"][number]): Resource => ({
	uri: workflowUri(workflow.name),
	name: workflow.name,
	title: workflow.name,
	description: summarize(workflow.description) || `The workflow ${workflow.name}`,
	mimeType: "application/json",
	...(workflow.updated_at !== null && { annotations: { lastModified: workflow.updated_at } }),
});

const toEntryResource = (entry: EntryPage["entries"][number]): Resource => ({
	uri: entryUri(entry.id),
	name: entry.page_name,
	title: `${entry.page_name} (${entry.entry_type})`,
	description: summarize(entry.content) || `An empty entry of type ${entry.entry_type}`,
	mimeType: "text/markdown",
	annotations: { lastModified: new Date(entry.updated_at * 1000).toISOString() },
});

const summarize = (text: string): string =>
	shorten(
		text
			.slice(0, 2 * MAX_DESCRIPTION_LENGTH)
			.replace(/\s+/g, " ")
			.trim(),
		MAX_DESCRIPTION_LENGTH,
	);
