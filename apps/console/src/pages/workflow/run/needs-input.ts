import type { JsonObject } from "../../../api/types.ts";

/** Whether a workflow needs input: by its input schema, or else by references to `input` in its text. */
export function needsInput(text: string, schema: JsonObject | undefined): boolean {
	const properties = schema?.properties;
	if (typeof properties === "object" && properties !== null) return Object.keys(properties).length > 0;
	return text.split("\n").some((line) => /\binput\b(?!\s*(?:>>|:))/.test(line.replace(/(?:^|\s)#.*$/, "")));
}
