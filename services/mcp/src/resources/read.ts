import type { Entry } from "@tripline/contract/entries";
import { isInternal } from "@tripline/contract/entry-types";
import type { WorkflowDocument } from "@tripline/contract/executor";
import type { Json } from "@tripline/contract/json";
import type * as z from "zod";
import { LANGUAGE_GUIDE } from "../guide/language.ts";
import type { ResourceContent } from "../protocol/content.ts";
import type { ReadResult } from "../protocol/surface.ts";
import { fit, shorten } from "../tools/budget.ts";
import type { ToolContext } from "../tools/tool.ts";
import { renderComponents } from "./components.ts";
import { readFileResource } from "./files.ts";
import {
	COMPONENTS_URI,
	LANGUAGE_URI,
	parseEntryUri,
	parseFileUri,
	parseWorkflowUri,
	workflowUri,
} from "./uris.ts";

/** Clients stop at about 150,000 characters, and models handle far fewer well. */
const MAX_TEXT_LENGTH = 60_000;
const MAX_METADATA_LENGTH = 10_000;
const HOUR_MS = 60 * 60_000;

export async function readResource(uri: string, context: ToolContext): Promise<ReadResult | null> {
	if (uri === LANGUAGE_URI) return { contents: [LANGUAGE_RESOURCE], ttlMs: HOUR_MS };
	if (uri === COMPONENTS_URI) {
		const { components } = await context.executor.components.list();
		return { contents: [{ uri, mimeType: "text/markdown", text: renderComponents(components) }] };
	}
	const workflow = parseWorkflowUri(uri);
	if (workflow !== null) {
		const { workflows } = context.executor;
		const [document, yaml] = await Promise.all([
			workflows.document(workflow),
			workflows.writtenText(workflow),
		]);
		return document === null ? null : { contents: buildWorkflowContents(document, yaml, uri) };
	}
	const file = parseFileUri(uri);
	if (file !== null) return readFileResource(uri, file, context);
	const id = parseEntryUri(uri);
	return id === null ? null : readEntry(uri, id, context);
}

export const LANGUAGE_RESOURCE: ResourceContent = {
	uri: LANGUAGE_URI,
	mimeType: "text/markdown",
	text: LANGUAGE_GUIDE,
};

/** A workflow's document as `save_workflow` takes it, and its YAML text if it was written as YAML. */
export function buildWorkflowContents(
	document: z.output<typeof WorkflowDocument>,
	yaml: string | null,
	uri = workflowUri(document.name),
): ResourceContent[] {
	const json = JSON.stringify(document, null, 2);
	const contents = [
		toContent(uri, "application/json", json, "Read the document in parts with get_workflow."),
	];
	if (yaml !== null) {
		const readOn = "Read the text in parts with get_workflow and select yaml.";
		contents.push(toContent(`${uri}#yaml`, "application/yaml", yaml, readOn));
	}
	return contents;
}

const toContent = (uri: string, mimeType: string, text: string, readOn: string): ResourceContent =>
	text.length <= MAX_TEXT_LENGTH
		? { uri, mimeType, text }
		: { uri, mimeType: "text/plain", text: cutText(text, () => readOn) };

/** Entries of other tenants and internal entries are not found. */
async function readEntry(
	uri: string,
	id: string,
	{ store, namespace, signal }: ToolContext,
): Promise<ReadResult | null> {
	const entry = await store.entries.getById(namespace, id, { signal });
	if (entry === null || isInternal(entry.entry_type)) return null;
	const text = cutText(entry.content, (place) => `Read on: get_entry {"id":"${id}","offset":${place}}.`);
	return {
		contents: [
			{ uri, mimeType: "text/markdown", text },
			{ uri: `${uri}#metadata`, mimeType: "application/json", text: renderMetadata(entry) },
		],
	};
}

function renderMetadata({ id, entry_type, page_name, created_at, updated_at, metadata_json }: Entry): string {
	const about = {
		id,
		entry_type,
		page_name,
		created_at: toIso(created_at),
		updated_at: toIso(updated_at),
		metadata: fit(JSON.parse(metadata_json) as Json, MAX_METADATA_LENGTH).value,
	};
	return JSON.stringify(about, null, 2);
}

/** `next` says how to read on from an offset. */
function cutText(text: string, next: (place: number) => string): string {
	if (text.length <= MAX_TEXT_LENGTH) return text;
	const shown = shorten(text, MAX_TEXT_LENGTH);
	const place = shown.length - 1;
	return `${shown}\n\n[Truncated: the first ${place} of ${text.length} characters. ${next(place)}]`;
}

const toIso = (seconds: number): string => new Date(seconds * 1000).toISOString();
