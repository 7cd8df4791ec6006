import type { ResourceSurface } from "../protocol/surface.ts";
import { listResources } from "./list.ts";
import { findEntryIds, findFileIds, findWorkflowNames } from "./names.ts";
import { readResource } from "./read.ts";
import { ENTRY_TEMPLATE, FILE_TEMPLATE, WORKFLOW_TEMPLATE } from "./uris.ts";

/** What an assistant can read of a tenant by URI. */
export const resources: ResourceSurface = {
	list: listResources,
	read: readResource,

	templates: [
		{
			uriTemplate: WORKFLOW_TEMPLATE,
			name: "workflow",
			title: "A workflow's document",
			description:
				"The workflow's document as save_workflow takes it, and its YAML text if it was written as YAML; the name is percent-encoded.",
			mimeType: "application/json",
		},
		{
			uriTemplate: ENTRY_TEMPLATE,
			name: "entry",
			title: "An entry of the knowledge store",
			description: "An entry's content and metadata; search_knowledge returns the ids.",
			mimeType: "text/markdown",
		},
		{
			uriTemplate: FILE_TEMPLATE,
			name: "file",
			title: "A file",
			description:
				"A file's content as text or as base64, or a download link if it is too large; list_files returns the ids.",
		},
	],

	async complete(uriTemplate, argument, value, context) {
		if (uriTemplate === WORKFLOW_TEMPLATE && argument === "name") return findWorkflowNames(value, context);
		if (uriTemplate === ENTRY_TEMPLATE && argument === "id") return findEntryIds(value, context);
		if (uriTemplate === FILE_TEMPLATE && argument === "id") return findFileIds(value, context);
		return [];
	},
};
