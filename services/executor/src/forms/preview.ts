import type { Definition } from "@tripline/engine/definition";
import { chooseMaxFilesBytes } from "../http/upload.ts";
import type { ExecutorSettings } from "../settings.ts";
import type { Language } from "./languages.ts";
import { parseForm } from "./parse.ts";
import { renderForm } from "./render.ts";
import { STYLE } from "./style.ts";

/**
 * The page of a document's form, for an editor. Its style is apart, because the editor's content security policy allows
 * none inside the page. Null if the document has no form, or one that cannot be drawn.
 */
export async function previewForm(
	{ name, trigger, options }: Pick<Definition, "name" | "trigger" | "options">,
	language: Language,
	settings: Pick<ExecutorSettings, "maxFileBytes">,
): Promise<{ html: string; style: string } | null> {
	const form = trigger?.type === "webhook" ? trigger.form : undefined;
	if (form === undefined) return null;
	const model = parseForm(options?.input_schema);
	if ("problem" in model) return null;
	const maxFilesBytes = chooseMaxFilesBytes(settings, false, trigger?.max_bytes);
	const page = await renderForm({ model, form, workflow: name ?? "", language, maxFilesBytes }).text();
	return { html: page.replace(`<style>${STYLE}</style>`, ""), style: STYLE };
}
