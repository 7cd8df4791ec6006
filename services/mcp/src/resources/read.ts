import type { Entry } from "@tripline/contract/entries";
import { isInternal } from "@tripline/contract/entry-types";
import type { WorkflowDocument } from "@tripline/contract/executor";
import type { Json } from "@tripline/contract/json";
import type * as z from "zod";
import { LANGUAGE_GUIDE } from "../guide/language.ts";
import type { ResourceContent } from "../protocol/content.ts";
import type { ReadResult } from "../protocol/surface.ts";
import { fit, shortened } from "../tools/budget.ts";
import type { ToolContext } from "../tools/tool.ts";
import { componentsOverview } from "./components.ts";
import { COMPONENTS_URI, entryOf, LANGUAGE_URI, workflowOf, workflowUri } from "./uris.ts";

/** Clients stop at about 150,000 characters, and models handle far fewer well. */
const MOST_CHARACTERS = 60_000;
const MOST_METADATA = 10_000;
const HOUR_MS = 60 * 60_000;

export async function readResource(uri: string, context: ToolContext): Promise<ReadResult | null> {
	if (uri === LANGUAGE_URI) return { contents: [LANGUAGE_RESOURCE], ttlMs: HOUR_MS };
	if (uri === COMPONENTS_URI) {
		const { components } = await context.executor.components.list();
		return { contents: [{ uri, mimeType: "text/markdown", text: componentsOverview(components) }] };
	}
	const workflow = workflowOf(uri);
	if (workflow !== null) {
		const { workflows } = context.executor;
		const [document, yaml] = await Promise.all([
			workflows.document(workflow),
			workflows.writtenText(workflow),
		]);
		return document === null ? null : { contents: workflowContents(document, yaml, uri) };
	}
	const id = entryOf(uri);
	return id === null ? null : readEntry(uri, id, context);
}

export const LANGUAGE_RESOURCE: ResourceContent = {
	uri: LANGUAGE_URI,
	mimeType: "text/markdown",
	text: LANGUAGE_GUIDE,
};

/** A workflow's document as `save_workflow` takes it, and its YAML text if it was written as YAML. */
export function workflowContents(
	document: z.output<typeof WorkflowDocument>,
	yaml: string | null,
	uri = workflowUri(document.name),
): ResourceContent[] {
	const json = JSON.stringify(document, null, 2);
	const contents = [
		contentOf(uri, "application/json", json, "Read the document in parts with get_workflow."),
	];
	if (yaml !== null) {
		const readOn = "Read the text in parts with get_workflow and select yaml.";
		contents.push(contentOf(`${uri}#yaml`, "application/yaml", yaml, readOn));
	}
	return contents;
}

const contentOf = (uri: string, mimeType: string, text: string, readOn: string): ResourceContent =>
	text.length <= MOST_CHARACTERS
		? { uri, mimeType, text }
		: { uri, mimeType: "text/plain", text: cut(text, () => readOn) };

/** Entries of other tenants and internal entries are not found. */
async function readEntry(
	uri: string,
	id: string,
	{ store, namespace, signal }: ToolContext,
): Promise<ReadResult | null> {
	const entry = await store.entries.byId(namespace, id, { signal });
	if (entry === null || isInternal(entry.entry_type)) return null;
	const text = cut(entry.content, (place) => `Read on: get_entry {"id":"${id}","offset":${place}}.`);
	return {
		contents: [
			{ uri, mimeType: "text/markdown", text },
			{ uri: `${uri}#metadata`, mimeType: "application/json", text: metadataOf(entry) },
		],
	};
}

function metadataOf({ id, entry_type, page_name, created_at, updated_at, metadata_json }: Entry): string {
	const about = {
		id,
		entry_type,
		page_name,
		created_at: iso(created_at),
		updated_at: iso(updated_at),
		metadata: fit(JSON.parse(metadata_json) as Json, MOST_METADATA).value,
	};
	return JSON.stringify(about, null, 2);
}

/** `next` says how to read on from an offset. */
function cut(text: string, next: (place: number) => string): string {
	if (text.length <= MOST_CHARACTERS) return text;
	const shown = shortened(text, MOST_CHARACTERS);
	const place = shown.length - 1;
	return `${shown}\n\n[Truncated: the first ${place} of ${text.length} characters. ${next(place)}]`;
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
