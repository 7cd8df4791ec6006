import type { EntryPage } from "@tripline/contract/entries";
import type { WorkflowList } from "@tripline/contract/executor";
import { StoreRefused } from "@tripline/store/client";
import type * as z from "zod";
import type { Resource } from "../protocol/content.ts";
import type { ResourcePage } from "../protocol/surface.ts";
import { shortened } from "../tools/budget.ts";
import type { ToolContext } from "../tools/tool.ts";
import { badCursor, decodePlace, encodePlace, type Place } from "./cursor.ts";
import { COMPONENTS_URI, entryUri, LANGUAGE_URI, workflowUri } from "./uris.ts";

const PAGE = 100;
const DESCRIPTION_CHARACTERS = 160;

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
	if ("entries" in place) return page(await entriesFrom(place.entries, PAGE, context));
	const guides = cursor === undefined ? GUIDES : [];
	const { resources, next } = await workflowsAfter(place.workflow, PAGE - guides.length, context);
	const room = PAGE - guides.length - resources.length;
	if (!("entries" in next) || room === 0) return page({ resources: [...guides, ...resources], next });
	const entries = await entriesFrom(null, room, context);
	return page({ resources: [...guides, ...resources, ...entries.resources], next: entries.next });
}

interface Part<Next> {
	readonly resources: readonly Resource[];
	readonly next: Next;
}

const page = ({ resources, next }: Part<Place | null>): ResourcePage => ({
	resources,
	...(next !== null && { nextCursor: encodePlace(next) }),
});

async function workflowsAfter(
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
		resources: shown.map(ofWorkflow),
		next: rest.length > most && last !== undefined ? { workflow: last.name } : { entries: null },
	};
}

async function entriesFrom(
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
		throw error instanceof StoreRefused && cursor !== null ? badCursor() : error;
	});
	return { resources: entries.map(ofEntry), next: next_cursor === null ? null : { entries: next_cursor } };
}

const ofWorkflow = (workflow: z.output<typeof WorkflowList>["workflows"][number]): Resource => ({
	uri: workflowUri(workflow.name),
	name: workflow.name,
	title: workflow.name,
	description: inShort(workflow.description) || `The workflow ${workflow.name}`,
	mimeType: "application/json",
	...(workflow.updated_at !== null && { annotations: { lastModified: workflow.updated_at } }),
});

const ofEntry = (entry: EntryPage["entries"][number]): Resource => ({
	uri: entryUri(entry.id),
	name: entry.page_name,
	title: `${entry.page_name} (${entry.entry_type})`,
	description: inShort(entry.content) || `An empty entry of type ${entry.entry_type}`,
	mimeType: "text/markdown",
	annotations: { lastModified: new Date(entry.updated_at * 1000).toISOString() },
});

const inShort = (text: string): string =>
	shortened(
		text
			.slice(0, 2 * DESCRIPTION_CHARACTERS)
			.replace(/\s+/g, " ")
			.trim(),
		DESCRIPTION_CHARACTERS,
	);
