import type { DocumentSource, TenantExecutor } from "@tripline/executor/client";
import { MAX_YAML_LENGTH } from "../workflow-files.ts";

/** The text of a version, in a form that can be saved again. Null if it was deleted meanwhile. */
export async function readDeployed(
	{ workflows, versions }: TenantExecutor,
	name: string,
	version: number | null,
): Promise<string | null> {
	const text = version === null ? await workflows.text(name) : (await versions.get(name, version))?.text;
	if (typeof text !== "string") return null;
	if (text.length <= MAX_YAML_LENGTH || isJson(text)) return text;
	// It was saved as JSON, which may be longer than YAML.
	const document = await workflows.document(name);
	return document === null ? null : `${JSON.stringify(document, null, "\t")}\n`;
}

/** JSON that is not too long is sent as YAML, because the service then keeps its text. */
export const toDocumentSource = (text: string): DocumentSource =>
	text.length > MAX_YAML_LENGTH && isJson(text) ? { json: JSON.parse(text) } : { yaml: text };

export function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
