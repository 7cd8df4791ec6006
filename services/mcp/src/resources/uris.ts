import { FileId } from "@tripline/contract/files";
import { Id } from "@tripline/contract/names";
import { WorkflowName } from "@tripline/contract/workflows";

export const WORKFLOW_TEMPLATE = "tripline://workflows/{name}";
export const ENTRY_TEMPLATE = "tripline://entries/{id}";
export const FILE_TEMPLATE = "tripline://files/{id}";
export const LANGUAGE_URI = "tripline://guide/language";
export const COMPONENTS_URI = "tripline://guide/components";

const WORKFLOWS = "tripline://workflows/";
const ENTRIES = "tripline://entries/";
const FILES = "tripline://files/";

export const workflowUri = (name: string): string => WORKFLOWS + encodeURIComponent(name.toWellFormed());

export const entryUri = (id: string): string => ENTRIES + id;

export const fileUri = (id: string): string => FILES + id;

/** Null: not the URI of a workflow. */
export const parseWorkflowUri = (uri: string): string | null => parseUri(uri, WORKFLOWS, WorkflowName);

/** Null: not the URI of an entry. */
export const parseEntryUri = (uri: string): string | null => parseUri(uri, ENTRIES, Id);

/** Null: not the URI of a file. */
export const parseFileUri = (uri: string): string | null => parseUri(uri, FILES, FileId);

function parseUri(
	uri: string,
	start: string,
	type: typeof WorkflowName | typeof Id | typeof FileId,
): string | null {
	if (!uri.startsWith(start)) return null;
	const { success, data } = type.safeParse(decodeName(uri.slice(start.length)));
	return success ? data : null;
}

/** Some clients put names into the template without encoding them. */
function decodeName(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
